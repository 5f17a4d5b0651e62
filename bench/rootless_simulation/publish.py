# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of the guide."""

from common_tables import markdown

from . import figures, plots
from .runs import EAGER, FAR, MACHINE, NEAR, PER_NODE, SETTINGS

PAGE = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/rootless_simulated.py --publish docs/results -->
# Rootless broadcasts on a simulated cluster

This repeats it, with what is missing below; measured at {commit}, {minutes}:

```console
$ make build MPI=smpi
$ {command}
```

The experiment of [the page of real machines](rootless.md), at sizes that are not there: the same
program (`bench/rootless_loop.c`) and the same library, run by SimGrid's SMPI, whose clock is
simulated. Every byte, the number and the order of all messages were looked at there, too.

**The machine.** Nodes of {per_node} ranks, each with a card of {bandwidth} in either direction,
for which messages compete. A message takes {between} between nodes and {latency} within one,
besides its bytes ({memory} within a node), and a processor {far} ns at either end between nodes,
{near} within: the library's default machine, with slower cards. What ranks compute costs nothing.
A rank that waits is told of a message at once, and to look for one costs nothing either.

SimGrid's settings: {settings}; for ways that are no channels {eager} too.

**The ways.** *channel*: with nodes known, so that casts enter every node once (two-level trees);
*finger tree*: a channel that knows no nodes. *each alone*: casts share no messages; otherwise those
that have to wait do. *coordinator* and *MPI_Bcast*: down the binomial tree that MPICH takes for
these lengths. Messages of the coordinator's clients and of the loop leave at once and wait where
they go to, without limit, and rank 0 takes whatever came first: better for them than what is run
on real machines. A loop of sends of {loop_bytes:,} bytes by more than {loop_ranks} ranks is too
dear to simulate.

**How many casts.** Not 10,000 everywhere: the column says how many. Casts in company are as many as
{company:,} (the larger number), since they have company only once their caster has used up its room
for 16; of 10 bytes alone.{steady}

**What is missing.** Cells and ways that are missing were not run, or were given up after `--limit`
seconds (their process `smpimain` is to be ended by hand): a rank whose sends are under way looks
again every 200 ns of simulated time, and on 512 ranks in two levels, or with 10,000 bytes by one
caster on 16, that did not come to its end in minutes. Rates of channels on 128 ranks and more were
measured with `smpi/async-small-thresh` at 65536, with which sends end at once; where both were run,
on 16 ranks, they are 1 to 2 % apart. With it some runs do not end, as a rank lacks a message, and
why has not been found; 10^8 random casts on real MPIs lack none
([random casts](rootless-random.md)).

{verdict}

{picture}{tables}"""

STEADY = """
The last table compares rates of fewer and of more casts."""


def _words(settings):
    return ", ".join(f"`{name}:{value}`" for name, value in settings.items())


def verdict(rows):
    found = figures.judged(rows)
    if not found:
        return "The largest machine was not run."
    said = "; ".join(f"{way}, {size:,} bytes: {value:.2f}" for size, way, value in found)
    short = [f"{way}, {size:,} bytes" for size, way, value in found if value < figures.AIM]
    return (
        f"**What was aimed at**: at least {figures.AIM} × the casts a second of the coordinator on "
        f"64 × 8 ranks, all casting at once. Found: {said}."
        + (f" Short of it: {'; '.join(short)}." if short else "")
    )


def write(raw, folder):
    """The page and its image."""
    rows = figures.rows(raw["cells"])
    (folder / "images").mkdir(parents=True, exist_ok=True)
    drawn = plots.draw(rows, folder / "images" / "rootless-simulated.png")
    made = figures.tables(raw["cells"])
    page = PAGE.format(
        commit=raw["commit"],
        command=raw["command"],
        minutes=f"{raw['seconds'] / 60:.0f} minutes of a processor",
        per_node=PER_NODE,
        bandwidth=MACHINE["bandwidth"].replace("GBps", " GB/s"),
        between="1 µs",
        latency=MACHINE["latency"].replace("us", " µs"),
        memory=MACHINE["memory_bandwidth"].replace("GBps", " GB/s"),
        far=FAR,
        near=NEAR,
        settings=_words(SETTINGS),
        eager=_words(EAGER),
        loop_ranks=raw["loop_ranks"],
        loop_bytes=raw["loop_bytes"],
        company=raw["company_casts"],
        steady=STEADY if figures.steady(raw["cells"]) else "",
        verdict=verdict(rows),
        picture="![rates](images/rootless-simulated.png)\n\n" if drawn else "",
        tables="\n".join(markdown(table) for table in made),
    )
    (folder / "rootless-simulated.md").write_text(page)
