# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of the guide that shows what was measured."""

from common_tables import markdown

from . import figures, plots

COMMANDS = """\
$ make build MPI=mpich && make build MPI=openmpi
$ .venv/bin/python bench/create_group.py --ranks 2 --creations 100 --output results/2
$ .venv/bin/python bench/create_group.py --ranks 16 --output results/16
$ .venv/bin/python bench/create_group.py --ranks 64 --repetitions 3 --creations 9 \\
      --output results/64
$ .venv/bin/python bench/create_group.py --again results/2/raw.json --again results/16/raw.json \\
      --again results/64/raw.json --publish docs/results"""

PAGE = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/create_group.py --publish docs/results -->
# Making a group or a communicator of some ranks: what was measured

This repeats it:

```console
{commands}
```

{conditions}

![cost against the number of members](images/create-group.png)

A group or communicator is made of *members* ranks out of a parent's *ranks*, again and again, by
each way in turn in one program (`bench/create_group_loop.c`). `MPI_Comm_create` and
`MPI_Comm_split` are called by all ranks; the others by the members alone, while the rest sleeps.
The time is that from when the last of those that call has come to when the last one has its group,
by the clock that all processes share; freeing is not counted. The list of members is no range,
except for *range*.

All that call are woken at one moment, and whoever has its group sleeps until all have theirs. With
an `MPI_Barrier` before each creation in place of that, those that were done, spinning in the next
barrier, kept the processors from the last ones: in a trial on 64 ranks, half of the members had
their group within a millisecond, the last one after 5 to 26. What takes no message costs some 10
microseconds right after such a sleep, and less than one in a loop.

| column | what it is |
|---|---|
| Caucus, native | `MPI_Comm_create_group` on a private duplicate, after the members have met |
| Caucus, Algorithm 1 | that of the paper named below |
| Caucus, parentless | `MPI_Comm_create_from_group` |
| light, checked | `caucus_group_create`: 2 (n - 1) messages |
| light, unchecked | `caucus_group_create_unchecked`: n - 1 messages |
| light, lazy | `caucus_group_create_lazy`: the number rides on the first operation |
| light, range | `caucus_group_create_range`: likewise |

What rides on the first operation is paid there: so the last two tables count a first barrier, and
the end of the group, too.

Figure 1 of J. Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, has the cost
of `MPI_Comm_create` and of their Algorithm 1 against the group's size, on 8,192 cores of a Blue
Gene/P: the former is flat, as all ranks of the parent take part whatever the size of the group; the
latter is cheaper for small groups, grows, and crosses it. The same shape is seen here, but on two
cores the crossing comes early: what a way costs where ranks share cores is, above all, how often
they have to wait for one another's turn.

{tables}"""


def write(raw, tables, folder):
    (folder / "images").mkdir(parents=True, exist_ok=True)
    plots.draw(figures.rows(raw["cells"]), folder / "images" / "create-group.png")
    page = PAGE.format(
        commands=COMMANDS,
        conditions=f"{raw['conditions']}\n{raw['samples']}",
        tables="\n".join(markdown(table) for table in tables),
    )
    (folder / "create-group.md").write_text(page)
