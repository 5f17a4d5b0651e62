# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of the guide."""

from common_report import missing
from common_tables import markdown

from . import formulas, growth, plots, tables

MILLION = 1 << 20
NODE = 64

PAGE = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/scale.py --publish docs/results -->
# Scale: time and memory from 2 to 2^20 ranks

This repeats it; measured at {commit}:

```console
$ make build MPI=mpich && make build MPI=openmpi && make build MPI=smpi
$ .venv/bin/python bench/scale.py --simulated 64,256,512 --publish docs/results
```

Parts of it: `mpiexec -n 8 build/mpich/bin/scale_loop` (real ranks), `build/mpich/bin/plan_ranks`
(the plan of one rank, without MPI; `--cyclic 1`: ranks dealt out to nodes in turn), `bench/scale.py
--mpi "" --planned 0 --simulated 256` (simulated ranks).

{conditions} Bytes are those that the library itself asks for, counted call by call
(`bench/common/own_memory.h`), not what MPI has. Bytes are exact on any machine; times of more ranks
than cores say nothing of a network and are left out. Simulated (SimGrid's SMPI): nodes of
{per_node} ranks, 1 µs a link, 1.25 GB/s a card; what ranks compute takes no time there. Planned: up
to 2^20 ranks, {node} a node, processor time of one core, the most of five ranks (0, 1, the last of
node 0, one in the midst, the last).

![bytes and time over ranks](images/scale.png)

## What grows with the number of ranks, and why
p ranks, N nodes, n ranks of a node, s links into a rank of a channel (log2 N + log2 n where both
are powers of two). *At a million*: 2^20 ranks, {node} a node, bytes of one rank.

{growth}

What a million ranks need, a node of {node} all together, attached once, with one channel:
{shared} of shared memory and {node} × {channel}. What would not do: lists of a million members on
every rank, an all-to-all of short blocks, and, on nodes that are no blocks, {node} copies of the
map.

Seen by the way: a light group of 64 members takes twice as long as one of 256 in the simulation, as
up to 64 members the first one tells all others by itself, which pays where ranks share processors.
Where a node has 16 ranks or more, the pool of shared memory doubles with the first persistent
request. Of 1,024 simulated ranks only the first steps were run (`scale_loop --most 7`): groups and
channels did not end within nine minutes of a busy machine.

## By formula and measured
`bench/scale_experiment/formulas.py`. Shared memory is exact. A channel has a few bytes more or less
by the sizes of MPI's handles; simulated ones have a table of 49,152 bytes more, which the build for
SMPI keeps (`bench/simulated/persistent_receive.h`). Of a group's bytes some are messages on their
way, which are counted as if none had left: up to 64 members the first one tells all by itself, so
that 64 members have more of them than 256.

{missing}

{tables}"""


def _of(raw, what, key, planned="planned"):
    return max(
        (line[key] for line in raw[planned] if line["what"] == what and line["ranks"] == MILLION),
        default=0,
    )


def _step(raw, what):
    return max(
        step["own"]
        for loop in raw["loops"]
        if loop["where"] != "simulated"
        for step in loop["steps"]
        if step["what"] == what
    )


def write(raw, folder):
    (folder / "images").mkdir(parents=True, exist_ok=True)
    plots.draw(raw, folder / "images" / "scale.png")
    attach = int(_step(raw, "attach"))
    words = {
        "node": NODE,
        "attach": attach,
        "attach_text": tables.size(attach),
        "cyclic": tables.size(_of(raw, "map of nodes", "kept", "cyclic")),
        "shared": tables.size(formulas.node_memory(NODE)),
        "range": int(_step(raw, "group, a range")),
        "group": tables.size(formulas.group(MILLION)),
        "channel": tables.size(formulas.channel(MILLION, NODE, False)),
        "overlay": tables.size(_of(raw, "choice of an overlay, rank 0", "peak")),
    }
    rows = [[cell.format(**words) for cell in row] for row in growth.ROWS]
    page = PAGE.format(
        commit=raw["commit"],
        conditions=raw["conditions"],
        per_node=formulas.PER_NODE,
        missing=missing(raw["problems"]),
        growth=markdown(("Bytes and steps", growth.COLUMNS, rows)),
        tables="\n".join(markdown(table) for table in tables.all_of(raw)),
        **words,
    )
    (folder / "scale.md").write_text(page)
