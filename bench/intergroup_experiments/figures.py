# SPDX-License-Identifier: BSD-3-Clause
"""From samples to medians, ratios and verdicts."""

from math import inf

from .cases import MIB, REDUCTIONS

NATIVE = ("native blocking", "native nonblocking")
OURS = ("blocking", "persistent")
BY_HAND = "root by hand"
CARD = 1.05  # times the bound, through each card
SLOWER = 1.05


def median(values):
    ordered, middle = sorted(values), len(values) // 2
    return ordered[middle] if len(values) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def _medians(samples):
    return {way: median(values) for way, values in samples.items() if values}


def row(cell):
    times = _medians(cell["seconds"])
    found = {name: cell[name] for name in ("mpi", "model", "nodes", "ppn", "groups", "sizes")}
    found.update({name: cell[name] for name in ("collective", "shape", "bytes", "algorithm")})
    natives = [times[way] for way in NATIVE if way in times]
    ours = times.get("persistent")
    found.update(
        times=times,
        counted={way: len(values) for way, values in cell["seconds"].items()},
        card_in=_medians(cell["in"]),
        busiest=_medians(cell["busiest"]),
        wrong=cell["wrong"],
        failed=[way for way in OURS if way in cell["wrong"] or way not in times],
        stream=median(cell["stream"]) if cell["stream"] else None,
        streams=median(cell["streams"]) if cell["streams"] else None,
        native=min(natives) if natives else None,
        ours=ours,
    )
    found["faster"] = found["native"] / ours if ours and natives else None
    found["over"] = over(found, ours)
    return found


def over(found, seconds):
    """How many times as long as bare TCP streams that bring every card what it must take in."""
    return seconds / found["streams"] if seconds and found["streams"] else None


def rows(cells):
    return [row(cell) for cell in cells]


def name_of(found):
    return (
        f"{found['mpi']} {found['nodes']}×{found['ppn']} {found['groups']} {found['collective']}"
        f" {found['shape']} {size_of(found['bytes'])}"
    )


def size_of(count):
    for unit, name in ((MIB, "MiB"), (1 << 10, "KiB")):
        if count >= unit:
            return f"{count / unit:g} {name}"
    return f"{count} B"


def failures(all_rows):
    """What was wrong, and what of ours returned an error."""
    return [
        f"{name_of(found)}: {way} is {'WRONG' if way in found['wrong'] else 'not there'}"
        for found in all_rows
        for way in dict.fromkeys([*found["failed"], *found["wrong"]])
    ]


def _judge(what, chosen, value, kept, way="persistent"):
    """What was promised, every cell's value, and those that break it, as each does in which our
    call fails."""

    def seen_in(found):
        if way in found["failed"]:
            return next(worst for worst in (inf, 0) if not kept(worst, found))
        return value(found)

    judged = [(seen_in(found), found) for found in chosen if seen_in(found) is not None]
    failing = [(seen, found) for seen, found in judged if not kept(seen, found)]
    return {"what": what, "judged": judged, "failing": failing}


def _most(limit):
    return lambda seen, _: seen <= limit


def _least(limit):
    return lambda seen, _: seen >= limit


def _rate(found):
    """Our time over that of the fastest of MPI's own."""
    return found["ours"] / found["native"] if found["ours"] and found["native"] else None


def _blocking_rate(found):
    times = found["times"]
    if "blocking" not in times or NATIVE[0] not in times:
        return None
    return times["blocking"] / times[NATIVE[0]]


def _enough_for_open_mpi(seen, found):
    native = over(found, found["native"])
    return seen >= (4 if native and native > 5 else 1.6)


def _more_than_half_of_q(seen, found):
    return seen >= 0.5 * max(found["sizes"])


def verdicts(all_rows):
    """Each promise of the experiment, on what was measured with a model of the nodes."""
    tuned = [found for found in all_rows if found["model"] == "tuned"]
    large = [found for found in tuned if found["bytes"] >= MIB]
    gather = [found for found in large if found["collective"] not in REDUCTIONS]
    even = [found for found in gather if found["collective"] == "allgather"]
    uneven = [found for found in gather if found["collective"] == "allgatherv"]
    scatter = [found for found in large if found["collective"] == "reduce_scatter"]
    reduce = [found for found in large if found["collective"] == "allreduce"]

    def of(mpi, chosen):
        return [found for found in chosen if found["mpi"] == mpi]

    def faster(found):
        return found["faster"]

    def bound(found):
        return found["over"]

    def card(found):
        return found["card_in"].get("persistent") if found["streams"] else None

    def busiest(found):
        return found["busiest"].get("persistent") if found["streams"] else None

    longer = [found for found in uneven if found["bytes"] > MIB]
    shorter = [found for found in uneven if found["bytes"] == MIB]
    slower = _most(SLOWER)
    return [
        _judge("allgather at most 1.25 × the bound, from 1 MiB", even, bound, _most(1.25)),
        _judge("uneven allgatherv at most 1.4 × the bound at 1 MiB", shorter, bound, _most(1.4)),
        _judge("uneven allgatherv at most 1.25 × the bound above", longer, bound, _most(1.25)),
        _judge("busiest card at most 1.05 × the bound", gather, busiest, _most(CARD)),
        _judge("into each card at most 1.05 × what it must take in", gather, card, _most(CARD)),
        _judge("allgather(v) 5 × as fast as MPICH's", of("mpich", gather), faster, _least(5)),
        _judge(
            "the same where MPICH's takes above 6.25 × the bound, so that 1.25 × is enough",
            [found for found in of("mpich", gather) if (over(found, found["native"]) or 0) > 6.25],
            faster,
            _least(5),
        ),
        _judge(
            "allgather(v) 4 × as fast as Open MPI's where that takes above 5 × the bound, else 1.6",
            of("openmpi", gather),
            faster,
            _enough_for_open_mpi,
        ),
        _judge("nothing over 5 % slower than MPI's fastest form", tuned, _rate, slower),
        _judge("our blocking call likewise, than MPI's", tuned, _blocking_rate, slower, "blocking"),
        _judge(
            "reduce_scatter q / 2 times as fast as Open MPI's, from 1 MiB",
            of("openmpi", scatter),
            faster,
            _more_than_half_of_q,
        ),
        _judge("allreduce 2 × as fast as MPI's, from 1 MiB", reduce, faster, _least(2)),
    ]


def worst(verdict):
    """The cell that is furthest from being kept, or nearest to being broken: (value, row)."""
    if not verdict["judged"]:
        return None
    most = "most" in verdict["what"] or "slower" in verdict["what"] or "likewise" in verdict["what"]
    pick = max if most else min
    return pick(verdict["failing"] or verdict["judged"], key=lambda pair: pair[0])
