# SPDX-License-Identifier: BSD-3-Clause
"""From samples to medians, ratios, tables and what was promised."""

from statistics import median

from caucus.console import number

NATIVE = "MPI_Comm_create_group"
ALGORITHM = "caucus recursive_merge"
CHECKED, UNCHECKED, LAZY, RANGE = "light checked", "light unchecked", "light lazy", "light range"
# What create_group_loop.c measures, in the order of columns, and what a column is called. A way
# that is added there gets a line here.
VARIANTS = {
    "MPI_Comm_create": "MPI_Comm_create (all ranks)",
    "MPI_Comm_split": "MPI_Comm_split (all ranks)",
    NATIVE: "MPI_Comm_create_group",
    "caucus native": "Caucus, native",
    ALGORITHM: "Caucus, Algorithm 1",
    "caucus parentless": "Caucus, parentless",
    CHECKED: "light, checked",
    UNCHECKED: "light, unchecked",
    LAZY: "light, lazy",
    RANGE: "light, range",
}
USED = " used"  # of names: with a first barrier, and freed
# What is promised: of which way, over which, from how many members on, and how many times faster by
# MPI.
PROMISES = (
    (RANGE, NATIVE, 8, {"mpich": 10, "openmpi": 10}),
    (LAZY, NATIVE, 8, {"mpich": 10, "openmpi": 10}),
    (UNCHECKED, NATIVE, 8, {"mpich": 2, "openmpi": 4}),
    (CHECKED, NATIVE, 8, {"mpich": 2, "openmpi": 4}),
    (CHECKED, ALGORITHM, 64, {"mpich": 50, "openmpi": 50}),
)


def better(runs):
    """Of the same cells with several settings, the samples with the lesser median for each way."""
    found = {}
    for cell in (cell for run in runs for cell in run):
        kept = found.setdefault((cell["ranks"], cell["members"]), cell)
        for name, values in cell["samples"].items():
            kept["samples"][name] = min(kept["samples"].get(name, values), values, key=median)
    return list(found.values())


def rows(cells):
    """Each cell with its medians in microseconds."""
    return [
        {
            **{key: cell[key] for key in ("mpi", "ranks", "members")},
            "medians": {name: median(values) for name, values in cell["samples"].items()},
        }
        for cell in cells
    ]


def known(rows, suffix=""):
    return [name for name in VARIANTS if any(name + suffix in row["medians"] for row in rows)]


def _time(value):
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}"


def _lines(rows, names, entry):
    return [
        [row["mpi"], str(row["ranks"]), str(row["members"]), *(entry(row, name) for name in names)]
        for row in rows
    ]


def _times(rows, title, suffix=""):
    names = known(rows, suffix)

    def entry(row, name):
        value = row["medians"].get(name + suffix)
        return "" if value is None else _time(value)

    columns = ["MPI", "ranks", "members", *(VARIANTS[name] for name in names)]
    return (title, columns, _lines(rows, names, entry))


def faster(row, name, over=NATIVE, suffix=""):
    """How many times faster than another way; None where one of them is not there."""
    medians = row["medians"]
    if name + suffix not in medians or over + suffix not in medians:
        return None
    return medians[over + suffix] / medians[name + suffix]


def _ratios(rows, title, suffix=""):
    names = [name for name in known(rows, suffix) if name != NATIVE]

    def entry(row, name):
        value = faster(row, name, NATIVE, suffix)
        return "" if value is None else number(value, 3)

    columns = ["MPI", "ranks", "members", *(VARIANTS[name] for name in names)]
    return (title, columns, _lines(rows, names, entry))


def promises(rows):
    """A line for each: what is promised, and what was found at the fewest, the worst."""
    lines = []
    for name, over, least, wanted in PROMISES:
        for mpi, times in wanted.items():
            found = [
                (faster(row, name, over), row["members"])
                for row in rows
                if row["mpi"] == mpi and row["members"] >= least and faster(row, name, over)
            ]
            if not found:
                continue
            worst, members = min(found)
            lines.append(
                [
                    VARIANTS[name],
                    VARIANTS[over],
                    mpi,
                    f"{least} members" + ("" if over == ALGORITHM else " or more"),
                    f"{times} ×",
                    f"{number(worst, 3)} × ({members} members)",
                    "yes" if worst >= times else "no",
                ]
            )
    columns = ["way", "against", "MPI", "groups", "promised", "found, the worst", "kept"]
    return ("What is promised, and what was found", columns, lines)


def tables(rows):
    return [
        promises(rows),
        _times(rows, "Microseconds for one group or communicator"),
        _ratios(rows, "How many times faster than MPI_Comm_create_group"),
        _times(rows, "Microseconds for one that is made, used for a barrier and freed", USED),
        _ratios(rows, "How many times faster than MPI_Comm_create_group, so used", USED),
    ]
