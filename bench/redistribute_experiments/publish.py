# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of the guide that shows what was measured."""

from common_tables import markdown

from . import figures

COMMAND = "make build MPI=mpich && make build MPI=openmpi && .venv/bin/python bench/redistribute.py"

PAGE = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/redistribute.py --publish docs/results -->
# Redistributions: what was measured

This repeats it (virtual nodes need root and Debian's iproute2):

```console
$ {command}
```

{conditions}

A field of doubles goes from one random decomposition to another, on two groups of ranks: *ranks*
2+2 is from two to two. *bytes* is what a rank of the larger group has. The field is cut into ranges
of a mean length (the columns: 1, 16 or 256 elements; *whole*: one range for each rank), which are
dealt to ranks in random order; *both* is with another field on its way back at the same time.

Every variant moves the same bytes between the same ranks, by turns in one program
(`bench/redistribute_loop.c`), which compares the results with what they should be: a
redistribution's start and wait; `MPI_Alltoallw` on the intercommunicator, with a derived datatype
of the longest ranges for each pair; persistent messages by hand, with these datatypes, and packed
already, which leaves packing out altogether. A sample is as many runs as take the same time for
each variant. Times are the slowest rank's. Where each rank has a
core, MPI was run with the settings that suit that and with those for more ranks than cores, and the
better median is taken for each variant.

{verdicts}
Cells that fall short:

{short}

{tables}"""


def write(raw, rows, tables, folder):
    folder.mkdir(parents=True, exist_ok=True)
    page = PAGE.format(
        command=COMMAND,
        conditions=raw["conditions"],
        verdicts=markdown(tables[0]),
        short=figures.shortfalls(rows),
        tables="\n".join(markdown(table) for table in tables[1:]),
    )
    (folder / "redistribute.md").write_text(page)
