# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of the guide that shows what was measured."""

from common_report import missing
from common_tables import markdown

from . import figures, plots, tables

PAGE = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/rootless.py --publish docs/results -->
# Rootless broadcasts: what was measured

This repeats it (virtual nodes need root and Debian's iproute2); measured at {commit}:

```console
$ make build MPI=mpich && make build MPI=openmpi
$ {command}
```

{conditions}

The experiment is that of T. Li, Q. Koziol, H. Tang and S. Byna, *Anycast: Rootless Broadcasting
with MPI*, 2018, with the sizes really sent. By turns in one program (`bench/rootless_loop.c`),
which looks at every byte, the number and the order of all messages:

- *channel*: `caucus_cast`; casts up to {shared} bytes that have to wait share messages. *each
  alone*: with a segment as long as a cast, so that none does. *total order*: one order everywhere.
- *coordinator*: ranks send to rank 0, which relays by `MPI_Bcast`; each may have four messages on
  their way.
- *loop of sends*: the caster sends to everybody, four casts at a time; others take from anybody.
- *MPI_Bcast, known root*: everybody knows who casts next.

Rates are by the time of the slowest rank. A lone cast is one at a time, of varied ranks, with a
pause before it; its time is by the one clock that all ranks share here. Larger machines were
[simulated](rootless-simulated.md).

{verdicts}
{short}
{missing}

What lies behind them, as far as is known: sixteen ranks on two cores wait for each other to be
run, so that times on virtual nodes are those of the processes' turns, and MPI_Bcast, in which
everybody blocks, does with fewer of them. On one node some MPI broadcast by flags in shared
memory; a channel's slots lie there too, but with headers, turns and credits, which cost about a
microsecond for each hop. In a total order a cast waits for a message to rank 0 and
back, and each is copied; where ranks take turns on a core the way there and back costs most.

{picture}{tables}{planned}"""

PLANNED = """\
The planned figures are those of a model (`bench/plan_rootless.c`): the protocol of channels itself,
step by step for every rank, and a coordinator that sends down a binomial tree, or one that enters
every node once, without credits or headers. A message takes what the default machine says; what MPI
and the protocol's own steps cost beyond that is not in it.
"""


def _short(found, most=8):
    lines = []
    for verdict in found:
        failing = sorted(verdict["failing"])
        failing = failing if verdict["worst"] in failing[:1] else failing[::-1]
        if failing:
            cells = "; ".join(f"{name} ({value:.2f})" for value, name in failing[:most])
            rest = f"; and {len(failing) - most} more" if len(failing) > most else ""
            lines.append(f"- {verdict['what']}: {cells}{rest}")
    return "Cells that fall short, the worst first:\n\n" + "\n".join(lines) + "\n" if lines else ""


def write(raw, folder):
    """The page and its image."""
    rows, models = figures.rows(raw["cells"]), raw.get("models", [])
    found = figures.verdicts(rows, models)
    (folder / "images").mkdir(parents=True, exist_ok=True)
    drawn = plots.draw(rows, folder / "images" / "rootless.png")
    page = PAGE.format(
        commit=raw["commit"],
        command=raw["command"],
        conditions=raw["conditions"],
        shared=f"{figures.SHARED_MOST:,}",
        verdicts=markdown(tables.verdicts(found)),
        short=_short(found),
        missing=missing(raw["problems"] + figures.failures(rows)),
        picture="![rates and times](images/rootless.png)\n\n" if drawn else "",
        tables="\n".join(markdown(table) for table in tables.everything(rows, models)),
        planned="\n" + PLANNED if models else "",
    )
    (folder / "rootless.md").write_text(page)
