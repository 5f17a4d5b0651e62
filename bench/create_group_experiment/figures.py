# SPDX-License-Identifier: BSD-3-Clause
"""From samples to medians, ratios and tables."""

from statistics import median

NATIVE = "MPI_Comm_create_group"
OURS = "caucus native"
# What create_group_loop.c measures, in the order of columns, and what a column is called. A way
# that is added there gets a line here.
VARIANTS = {
    "MPI_Comm_create": "MPI_Comm_create (all ranks)",
    "MPI_Comm_split": "MPI_Comm_split (all ranks)",
    NATIVE: "MPI_Comm_create_group",
    OURS: "Caucus, native",
    "caucus recursive_merge": "Caucus, Algorithm 1",
    "caucus parentless": "Caucus, parentless",
}


def rows(cells):
    """Each cell with its medians in microseconds."""
    return [
        {
            **{key: cell[key] for key in ("mpi", "ranks", "members")},
            "medians": {name: median(values) for name, values in cell["samples"].items()},
        }
        for cell in cells
    ]


def _known(rows):
    return [name for name in VARIANTS if any(name in row["medians"] for row in rows)]


def _times(rows):
    names = _known(rows)
    lines = [
        [
            row["mpi"],
            str(row["ranks"]),
            str(row["members"]),
            *(f"{row['medians'][n]:.0f}" if n in row["medians"] else "" for n in names),
        ]
        for row in rows
    ]
    columns = ["MPI", "ranks", "members", *(VARIANTS[name] for name in names)]
    return ("Microseconds for one communicator", columns, lines)


def _ratios(rows):
    names = [name for name in _known(rows) if name != NATIVE]
    lines = [
        [
            row["mpi"],
            str(row["ranks"]),
            str(row["members"]),
            *(
                f"{row['medians'][n] / row['medians'][NATIVE]:.2f}" if n in row["medians"] else ""
                for n in names
            ),
        ]
        for row in rows
    ]
    columns = ["MPI", "ranks", "members", *(VARIANTS[name] for name in names)]
    return ("The same over MPI_Comm_create_group's time", columns, lines)


def tables(rows):
    return [_times(rows), _ratios(rows)]
