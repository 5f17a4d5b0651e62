# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of the guide that shows what was measured."""

from common_tables import markdown

COMMANDS = """\
$ make build MPI=mpich && make build MPI=openmpi
$ .venv/bin/python bench/create_group.py --ranks 2 --repetitions 7 --creations 50 --output results/2
$ .venv/bin/python bench/create_group.py --output results/16
$ .venv/bin/python bench/create_group.py --ranks 64 --least 64 --repetitions 3 --creations 1 \\
      --output results/64
$ .venv/bin/python bench/create_group.py --again results/2/raw.json --again results/16/raw.json \\
      --again results/64/raw.json --publish docs/results"""

PAGE = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/create_group.py --publish docs/results -->
# Making a communicator of some ranks: what was measured

This repeats it:

```console
{commands}
```

{conditions}

A communicator is made of the first *members* of a parent's *ranks*, again and again, by each way
in turn in one program (`bench/create_group_loop.c`). `MPI_Comm_create` and `MPI_Comm_split` are
called by all ranks; the others by the members alone, while the rest sleeps, as in Figure 1 of
J. Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, on 8,192 cores of a Blue
Gene/P. It shows the same: members alone are faster as long as they are few, and their Algorithm 1
loses as groups grow. Each creation begins when all that call are there, and freeing is not counted;
times are the slowest caller's. *Caucus, native* is `MPI_Comm_create_group` on a private duplicate
after the members met, *Algorithm 1* that paper's, *parentless* is `MPI_Comm_create_from_group`.
What members say to meet are 2 log2 n messages one after the other: with a core for each rank (2
ranks) some 2 µs; where many ranks share a core, each message has to wait for its receiver's turn.

{tables}"""


def write(raw, tables, folder):
    folder.mkdir(parents=True, exist_ok=True)
    page = PAGE.format(
        commands=COMMANDS,
        conditions=f"{raw['conditions']}\n{raw['samples']}",
        tables="\n".join(markdown(table) for table in tables),
    )
    (folder / "create-group.md").write_text(page)
