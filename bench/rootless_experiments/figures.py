# SPDX-License-Identifier: BSD-3-Clause
"""From samples to medians, ratios and verdicts."""

from math import inf
from statistics import median

FLOOR, COORDINATOR, LOOP = "MPI_Bcast, known root", "coordinator", "loop of sends"
ALONE, CHANNEL = "channel, each alone", "channel"
TOTAL_ALONE, TOTAL = "total order, each alone", "total order"
WAYS = (FLOOR, COORDINATOR, LOOP, ALONE, CHANNEL, TOTAL_ALONE, TOTAL)
OURS = {ALONE, CHANNEL, TOTAL_ALONE, TOTAL}
WRONG = "WRONG"
SHARED_MOST = 4096  # bytes of a cast that may share a message, by default


def rows(cells):
    """Each cell with its medians: casts a second, or microseconds of a lone cast. Those of what
    came out wrong are shown, and count as no figures."""
    found = []
    for cell in cells:
        row = {name: cell[name] for name in ("mpi", "where", "ranks", "pattern", "bytes", "wrong")}
        row["shown"] = {way: median(values) for way, values in cell["samples"].items()}
        row["medians"] = {
            way: time for way, time in row["shown"].items() if way not in row["wrong"]
        }
        row["late"] = {way: median(values) for way, values in cell.get("late", {}).items()}
        found.append(row)
    return found


def better(runs):
    """Of the same cells with several settings, the samples with the better median for each way; a
    way that is wrong with one of them is wrong."""
    found = {}
    for cell in (cell for run in runs for cell in run):
        kept = found.setdefault((cell["ranks"], cell["pattern"], cell["bytes"]), cell)
        kept["wrong"] = sorted({*kept["wrong"], *cell["wrong"]})
        pick = min if cell["pattern"] == "lone" else max
        for way, values in cell["samples"].items():
            if pick(kept["samples"].get(way, values), values, key=median) == values:
                kept["samples"][way] = values
                if way in cell.get("late", {}):
                    kept["late"][way] = cell["late"][way]
    return list(found.values())


def name_of(row):
    where = f"{row['ranks']} ranks on one node" if row["where"] == "one node" else row["where"]
    return f"{row['mpi']}, {where}, {row['bytes']} B, {row['pattern']}"


def failures(all_rows):
    return [f"{name_of(row)}: {way} is {WRONG}" for row in all_rows for way in row["wrong"]]


def _ratio(way, other):
    """One over the other; None where one of them is not there, WRONG where one of ours is wrong."""

    def value(row):
        times = row["medians"]
        if OURS & {way, other} & set(row["wrong"]):
            return WRONG
        return times[way] / times[other] if way in times and other in times else None

    return value


def _judge(what, least, limit, chosen, value):
    """What was promised, every value with its name, those that break it, and the worst. What is
    wrong breaks everything."""
    judged = []
    for row in chosen:
        found = value(row)
        if found == WRONG:
            judged.append((0 if least else inf, f"{name_of(row)}, {WRONG}"))
        elif found is not None:
            judged.append((found, name_of(row)))
    failing = [pair for pair in judged if (pair[0] < limit if least else pair[0] > limit)]
    worst = (min if least else max)(judged, default=None)
    return {"what": what, "judged": judged, "failing": failing, "worst": worst}


def verdicts(all_rows, models=()):
    storms = [row for row in all_rows if row["pattern"] == "all"]
    nodes = [row for row in storms if row["where"] != "one node"]
    short = [row for row in nodes if row["bytes"] <= SHARED_MOST]
    lone = [row for row in all_rows if row["pattern"] == "lone"]
    here = [row for row in lone if row["where"] == "one node"]
    there = [row for row in lone if row["where"] != "one node"]
    found = [
        _judge(
            "virtual nodes, all cast, each alone: 2.5 × the coordinator's rate",
            *(True, 2.5, nodes, _ratio(ALONE, COORDINATOR)),
        ),
        _judge(
            "virtual nodes, all cast, small casts together: 5 × the coordinator's",
            *(True, 5, short, _ratio(CHANNEL, COORDINATOR)),
        ),
        _judge(
            "virtual nodes, a lone cast: at most 1.3 × MPI_Bcast's time",
            *(False, 1.3, there, _ratio(CHANNEL, FLOOR)),
        ),
        _judge(
            "one node, a lone cast: at most 1.3 × MPI_Bcast's time",
            *(False, 1.3, here, _ratio(CHANNEL, FLOOR)),
        ),
        _judge(
            "all cast, each alone: total order half of plain",
            *(True, 0.5, storms, _ratio(TOTAL_ALONE, ALONE)),
        ),
        _judge("all cast: total order half of plain", True, 0.5, storms, _ratio(TOTAL, CHANNEL)),
    ]
    if models:
        large = [model for model in models if model["nodes"] == 64 and model["together"] == 1]
        named = [{"mpi": "model", "where": "64×8", "pattern": "all", **model} for model in large]
        found.append(
            _judge(
                "planned, 64 nodes × 8, each alone: 5 × the coordinator's rate",
                *(True, 5, named, lambda row: row["channel"] / relay(row)),
            )
        )
    return found


def relay(model):
    """The better of both coordinators that were planned."""
    return max(model["relay"], model["relay_node_aware"])
