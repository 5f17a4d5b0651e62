# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of the guide that shows what was measured."""

from common_tables import markdown

from . import plots

COMMANDS = """\
$ make build MPI=mpich && make build MPI=openmpi && make build MPI=smpi
$ MCMC=".venv/bin/python bench/mcmc.py"
$ $MCMC --simulated "" --planned "" --noise "" --intervals 1,8,16,128 --output results/a
$ $MCMC --mpi "" --simulated 32,128 --planned "" --noise "" --intervals 1,8,16,128 \\
      --output results/b
$ $MCMC --mpi "" --simulated 512 --planned "" --noise "" --intervals 8,128 --output results/c
$ $MCMC --mpi "" --simulated 8192 --planned "" --noise "" --intervals "" --output results/d
$ $MCMC --mpi "" --simulated "" --output results/e
$ $MCMC --again results/a/raw.json --again results/b/raw.json --again results/c/raw.json \\
      --again results/d/raw.json --again results/e/raw.json --publish docs/results"""

PAGE = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/mcmc.py --publish docs/results -->
# Groups that help each other: what was measured

This repeats it:

```console
{commands}
```

{conditions}

The experiment of J. Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, section
4.2 (`examples/mcmc.c`): walkers of a Markov chain Monte Carlo run, each on a group of 4 processes;
a step takes 100 ms / (size of the group), and is a sleep; the walker that begins with rank R has 10
(R mod 32) steps. Without balancing that takes 7 s, ideally 3.5 s. *none*: nothing is done;
*collective i*: every i steps all processes tell what is left, and those that are done go, by
`MPI_Comm_split`, to the next walker on the right that is not; *async*: `caucus_balance_poll` once a
step. Times go from a barrier until every process knows that all is done. Each step is counted, and
all have to be done exactly once.

*mpich* and *openmpi* are runs for real, with many more processes than cores, on a machine that had
other work as well: what takes part in collectives every few steps suffers from that most. Each was
run once, with each of the intervals above. *smpi* is
SimGrid's simulation of the same program and library on nodes of 4 cores with cards of 10 Gbit/s and
1 µs each (8,192 processes with asynchronous balancing: 20 minutes of a processor, 11 GB of memory).
*planned* is the protocol itself, for all processes in one, with a simulated clock
(`bench/plan_balance.c`: 2 µs for a message, 0.5 µs for each that is sent); what it says of the
other ways is what they take if talking costs nothing, which favours them. *noise*: each step of
each process takes up to so much more or less, at random.

Regroupings of collective balancing are the paper's, to the digit, so this is the rule by which it
balanced. Of asynchronous balancing there are fewer, unless processes are as uneven as real ones:
then groups do not end at the same time, and those that end first are taken in one by one.

{picture}{tables}"""


def write(raw, tables, folder):
    folder.mkdir(parents=True, exist_ok=True)
    picture = folder / "images" / "mcmc.png"
    drawn = plots.draw(raw["cells"], picture)
    page = PAGE.format(
        commands=COMMANDS,
        conditions=raw["conditions"],
        picture="![Times of the walkers](images/mcmc.png)\n\n" if drawn else "",
        tables="\n".join(markdown(table) for table in tables),
    )
    (folder / "mcmc.md").write_text(page)
