# SPDX-License-Identifier: BSD-3-Clause
"""Figures as tables: a line for each thing that is made, a column for each number of ranks."""

from statistics import median

NAMES = {"mpich": "MPICH", "openmpi": "Open MPI", "simulated": "simulated"}
UNITS = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))


def size(count):
    """1.2 KiB"""
    for unit, name in UNITS:
        if count >= unit:
            value = count / unit
            return f"{value:.3g} {name}" if value < 100 else f"{value:.0f} {name}"
    return f"{count:.0f} B"


def span(seconds):
    """12 µs"""
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit:
            value = seconds / unit
            return f"{value:.3g} {name}" if value < 100 else f"{value:.0f} {name}"
    return f"{1e6 * seconds:.2g} µs"


def _loops(raw, where):
    return sorted((loop for loop in raw["loops"] if loop["where"] == where), key=_ranks)


def _ranks(found):
    return found["ranks"]


def _loop_table(raw, where, title, told):
    loops = _loops(raw, where)
    columns = ["", *(f"{loop['ranks']:,}" for loop in loops)]
    lines = {}
    for loop in loops:
        for step in loop["steps"]:
            lines.setdefault(step["what"], {})[loop["ranks"]] = told(step)
    rows = [
        [what, *(cells.get(loop["ranks"], "–") for loop in loops)] for what, cells in lines.items()
    ]
    return (f"{title}, {NAMES[where]}, by ranks", columns, rows)


def _took(step):
    return span(median(step["seconds"])) if step["seconds"] else "–"


def _kept(step):
    return f"{size(max(step['own'], 0))} ({size(step['peak'])})"


def _shared(step):
    return size(step["shared"]) if step["shared"] > 0 else "0"


def _planned(lines, title, told):
    ranks = sorted({line["ranks"] for line in lines})
    found = {}
    for line in lines:
        found.setdefault(line["what"], {})[line["ranks"]] = line
    rows = []
    for what, cells in found.items():
        rows.append([what, *(told(cells[count]) if count in cells else "–" for count in ranks)])
    return (title, ["", *(f"{count:,}" for count in ranks)], rows)


def all_of(raw):
    found = []
    for where in NAMES:
        if not _loops(raw, where):
            continue
        found.append(_loop_table(raw, where, "Time", _took))
        found.append(
            _loop_table(raw, where, "Bytes of a rank's heap that are kept (at the peak)", _kept)
        )
        if where != "simulated":
            found.append(_loop_table(raw, where, "More shared memory of the node", _shared))
    if raw["planned"]:
        lines = raw["planned"]
        found.append(_planned(lines, "One rank's time to plan", lambda one: span(one["seconds"])))
        found.append(
            _planned(
                lines,
                "Bytes that one rank keeps of its plan (at the peak)",
                lambda one: f"{size(one['kept'])} ({size(one['peak'])})",
            )
        )
        found.append(
            _planned(
                [line for line in lines if line["operations"]],
                "Operations of its schedule, or links, and the algorithm that is chosen",
                lambda one: f"{one['operations']:,} {one['how']}",
            )
        )
    if raw["cyclic"]:
        lines = [line for line in raw["cyclic"] if line["what"] == "map of nodes"]
        found.append(
            _planned(
                lines,
                "Where ranks are dealt out to nodes in turn: bytes kept (at the peak)",
                lambda one: f"{size(one['kept'])} ({size(one['peak'])})",
            )
        )
    return found
