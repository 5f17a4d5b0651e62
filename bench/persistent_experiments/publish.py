# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of the guide that shows what was measured."""

from common_tables import markdown

from . import figures, plots, tables

COMMAND = "make build MPI=mpich && make build MPI=openmpi && .venv/bin/python bench/persistent.py"

PAGE = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/persistent.py --publish docs/results -->
# Persistent collectives: what was measured

This repeats it (virtual nodes need root and Debian's iproute2):

```console
$ {command}
```

{conditions}

The loop is that of S. Bouhrour and J. Jaeger, *Implementation and performance evaluation of MPI
persistent collective in MPC*, 2020: one collective, again and again, init and free within the time,
the slowest rank's time divided by the number of iterations. All variants run by turns in one
program. Where every rank has a core, MPI was run with the settings that suit that and with those
for more ranks than cores, and the better median is shown.

{verdicts}
A cell that was measured over the number of ranks and over sizes counts once, and is to keep a
promise both times. Cells that fall short:

{short}
## One integer, over the number of ranks
![Over ranks](images/persistent-ranks.png)

{ranks}
What the machine itself takes for it: a program that does nothing but write and await flags in
shared memory (`bench/node_flags.c`). A barrier, and an allreduce, are all to all; a broadcast is
one to all, a reduction all to one.

{flags}
## Over sizes
{heats}
![Over sizes](images/persistent-sizes.png)

{sizes}
## What is kept
Messages only, no node memory but in the last column, so that nothing but the set-up differs.

{kept}
## How soon the init pays back
Both forms use again what they worked out for a shape (collective, root, counts, operation) that
they have seen before. Where the shape is new, blocks grow by an integer with each repetition, so
that neither has.

{back}
{lab}
"""

LAB = """\
## Over virtual nodes
{conditions}

![Over sizes on virtual nodes](images/persistent-lab.png)

{times}
"""


def draw(raw, folder):
    folder.mkdir(parents=True, exist_ok=True)
    ranks, sizes, lab = (figures.rows(raw[name]) for name in ("ranks", "sizes", "lab"))
    plots.lines(ranks, "ranks", "One integer on one node", folder / "persistent-ranks.png")
    plots.lines(sizes, "bytes", "One node", folder / "persistent-sizes.png", plots.NOT_KEPT)
    for mpi in dict.fromkeys(row["mpi"] for row in sizes):
        plots.heat(sizes, mpi, folder / f"persistent-heat-{mpi}.png")
    if lab:
        plots.lines(lab, "bytes", "Virtual nodes", folder / "persistent-lab.png", plots.NOT_KEPT)


def shortfalls(found):
    lines = []
    for what, _, failing in found:
        cells = [
            f"{row['mpi']} {row['collective']} {row['ranks']} ranks {row['bytes']} B"
            f" ({row.get('ratio', row['over_persistent']):.2f})"
            for row in failing
        ]
        if cells:
            lines.append(f"- {what}: {'; '.join(cells)}")
    return "\n".join(lines) or "- none"


def write(raw, folder):
    """The page and its images."""
    draw(raw, folder / "images")
    ranks, sizes, lab = (figures.rows(raw[name]) for name in ("ranks", "sizes", "lab"))
    back = figures.back_rows(raw["back"])
    found = figures.verdicts(ranks + sizes, back)
    lab_part = LAB.format(
        conditions=raw["lab_conditions"], times=markdown(tables.times(lab, "Virtual nodes"))
    )
    page = PAGE.format(
        command=COMMAND,
        conditions=raw["conditions"],
        verdicts=markdown(tables.verdicts(found)),
        short=shortfalls(found),
        ranks=markdown(tables.times(ranks, "One integer")),
        flags=markdown(tables.flags(raw["flags"])),
        heats="".join(
            f"![Ratios, {mpi}](images/persistent-heat-{mpi}.png)\n\n"
            for mpi in dict.fromkeys(row["mpi"] for row in sizes)
        ),
        sizes=markdown(tables.times(sizes, "One node")),
        kept=markdown(tables.kept(ranks, "One integer on one node")),
        back=markdown(tables.back(back)),
        lab=lab_part if lab else "",
    )
    (folder / "persistent.md").write_text(page)
