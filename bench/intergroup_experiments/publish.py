# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of the guide that shows what was measured."""

from common_report import missing
from common_tables import markdown

from . import figures, plots, tables

COLLECTIVES = ("allgather", "allgatherv", "allreduce", "reduce_scatter")
COMMAND = "make build MPI=mpich && make build MPI=openmpi && .venv/bin/python bench/intergroup.py"

PAGE = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/intergroup.py --publish docs/results -->
# Collectives between two groups: what was measured

This repeats it (root and Debian's iproute2 are needed):

```console
$ {command}
```

{conditions}

The experiment is that of Q. Kang, J. L. Träff, R. Al-Bahrani, A. Agrawal, A. Choudhary and W. Liao,
*Scalable Algorithms for MPI Intergroup Allgather and Allgatherv*, 2019. MPI's own blocking and
nonblocking calls, the algorithm that gathers at roots (by hand: gather, the two roots exchange,
broadcast) and Caucus's calls run by turns in one program, which checks every byte of the first
result of each.

*bytes* is what the card that takes in most must take in: the data of the larger group, or the
operand of a reduction. Blocks are regular, or linear (in proportion to the rank), heavy (one rank
has half of all), zeros (every second rank has nothing). *mixed*: the ranks of every node belong to
both groups by turns. *TCP: one* is a bare TCP stream of so many bytes between two nodes of the same
run; *all*, bare streams that at the same time bring every card what it must take in: what this
machine can do. *faster* is the faster of MPI's blocking and nonblocking call over our
persistent call, whose init is not in the time; *busiest* what the busiest card took in or sent,
over the largest bound; *cards* what the worst card took in over its own bound; without headers and
acknowledgements.

{verdicts}
{short}{missing}

{collectives}
"""


def names(verdict, most=12):
    """The cells that fall short, the worst first."""
    failing = sorted(verdict["failing"], key=lambda pair: pair[0])
    failing = failing if figures.worst(verdict) == (failing or [None])[0] else failing[::-1]
    cells = [f"{figures.name_of(found)} ({seen:.2f})" for seen, found in failing[:most]]
    rest = len(failing) - most
    return "; ".join(cells) + (f"; and {rest} more" if rest > 0 else "")


def shortfalls(found):
    lines = [f"- {verdict['what']}: {names(verdict)}" for verdict in found if verdict["failing"]]
    return "Cells that fall short, the worst first:\n\n" + "\n".join(lines) + "\n" if lines else ""


def all_tables(rows):
    found = [tables.times(rows, collective) for collective in COLLECTIVES]
    for model in ("default", "auto"):
        found.append(tables.times(rows, "allgather", model))
    return [table for table in found if table[2]]


def draw(rows, folder):
    """The names of the collectives that were drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    return [
        name for name in COLLECTIVES if plots.draw(rows, name, folder / f"intergroup-{name}.png")
    ]


def write(raw, folder):
    """The page and its images."""
    rows = figures.rows(raw["cells"])
    found = figures.verdicts(rows)
    drawn = draw(rows, folder / "images")
    parts = [f"![{name}](images/intergroup-{name}.png)\n" for name in drawn]
    parts += [markdown(table) for table in all_tables(rows)]
    page = PAGE.format(
        command=COMMAND,
        conditions=raw["conditions"],
        verdicts=markdown(tables.verdicts(found)),
        short=shortfalls(found),
        missing=missing(raw["problems"] + figures.failures(rows)),
        collectives="\n".join(parts),
    )
    (folder / "intergroup.md").write_text(page)
