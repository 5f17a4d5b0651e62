#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Long data within a node: messages of one copy against node memory, MPI's messages and MPI's own
collectives, from 4 KiB to 64 MiB on two ranks, and the same where the kernel forbids one copy."""

import argparse
import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

import mpi_launch  # noqa: E402
from common_tables import Output, markdown, shown  # noqa: E402
from persistent_experiments.measure import ExperimentError, dedicated  # noqa: E402
from persistent_experiments.measure import start as begin  # noqa: E402

OURS = ("chosen", "chosen, never", "one copy", "node memory", "MPI's messages")
NATIVE = ("MPI", "MPI, persistent")
COLUMNS = ("operation", "bytes", *OURS, "MPI", "MPI / chosen")
WITHOUT = {"MPIR_CVAR_CH4_CMA_ENABLE": "0", "OMPI_MCA_smsc": "^cma"}  # of the MPIs
FORBIDDEN = 1 << 20  # bytes, the most where one copy is not to be had
PAGE = """<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/one_copy.py --publish docs/results -->
# One copy within a node

This repeats it:

```console
$ make build MPI=mpich && make build MPI=openmpi
$ chrt -f 1 .venv/bin/python bench/one_copy.py --samples 20 --publish docs/results
```

Two ranks on {cores} cores; {when}.

Persistent calls in µs: `chosen` by Caucus where the kernel lets ranks read each other's memory;
`never`: with `CAUCUS_ONE_COPY=never`; by `one copy`, by an algorithm of messages (broadcast
`binomial`, allgather `ring`, all-to-all `pairwise`, allreduce `recursive_halving`); through `node
memory` (`node_aware`, `node_aggregated`, `node_memory`), and the algorithm of messages with those
of the MPI. Redistributions have no algorithms to name: there these columns are what is chosen with
one copy, without it, and with `caucus_shared_memory=0`. `MPI` is the faster one of its blocking and
its persistent call, `MPI_Alltoallw` for redistributions, where two ranks swap blocks or one sends
to the other. All variants take turns in one program (`bench/one_copy_loop.c`), which compares each
result with what it should be. Buffers are the same from call to call, and the data in them is not
written anew. *bytes* is what `count` says: of the vector, or of a block.

**Measured beside other work** on the same machine, from which a real-time priority (`chrt -f 1`)
keeps the processors, but not the memory and the outer cache:
so a figure is the value that a tenth of {samples} samples of 0.5 ms are below (a quarter of the
samples from 4 MiB on, where a sample is a call), the better one of {starts} starts. Medians would
tell of the other work. Beyond 1 MiB, where data comes from a memory that others use too, figures
of different rows do not compare.

Where one copy is forbidden (`process_vm_readv` and `process_vm_writev` fail with `EPERM`), both
MPIs are told not to use it either (`MPIR_CVAR_CH4_CMA_ENABLE=0`, `OMPI_MCA_smsc=^cma`): MPICH
5.0.2 does not ask the kernel beforehand, and ends the job in its first long message.

{tables}"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default="mpich,openmpi", help="a list (mpich,openmpi)")
    parser.add_argument("--starts", type=int, default=2, help="of each program, by turns (2)")
    parser.add_argument("--samples", type=int, default=40, help="of each variant in a start (40)")
    parser.add_argument("--least", type=int, default=4096, help="bytes (4096)")
    parser.add_argument("--most", type=int, default=64 << 20, help="bytes (67108864)")
    parser.add_argument("--builds", type=Path, default=ROOT / "build", help=argparse.SUPPRESS)
    parser.add_argument(
        "--publish", type=Path, metavar="FOLDER", help="write the guide's page, too"
    )
    return parser.parse_args()


def start(options, mpi, forbids, folder):
    """Cells of one start: {(operation, bytes): {variant: microseconds}}."""
    raw = Path(folder) / "raw.json"
    words = [
        *(options.builds / mpi / "bin" / "one_copy_loop", "--json", raw, "--seconds", 0.0005),
        *("--repetitions", options.samples, "--forbid", int(forbids)),
        *(
            "--least",
            options.least,
            "--most",
            min(options.most, FORBIDDEN) if forbids else options.most,
        ),
    ]
    settings = {"CAUCUS_CACHE": "none", **(WITHOUT if forbids else {})}
    command, environment = mpi_launch.command(mpi, 2, [str(word) for word in words], settings)
    begin(dedicated(command), environment, timeout=3600)
    cells = {}
    for line in raw.read_text().splitlines():
        cell = json.loads(line)
        samples = {name: sorted(cell[name]) for name in OURS + NATIVE}
        cells[cell["operation"], cell["bytes"]] = {
            name: values[(len(values) - 1) // 10] for name, values in samples.items()
        }
    return cells


def best(starts):
    """The better one of all starts, for each variant."""
    return {
        cell: {name: min(one[cell][name] for one in starts) for name in OURS + NATIVE}
        for cell in starts[0]
    }


def line(cell, figures):
    operation, size = cell
    native = min(figures[name] for name in NATIVE)
    ours = [f"{figures[name]:.3g}" for name in OURS]
    return [operation, f"{size:,}", *ours, f"{native:.3g}", f"{native / figures['chosen']:.2f}"]


def measure(options, say):
    """{(MPI, whether one copy is forbidden): cells}, starts by turns."""
    kinds = [(mpi, forbids) for mpi in options.mpi.split(",") for forbids in (False, True)]
    found = {kind: [] for kind in kinds}
    with TemporaryDirectory() as folder:
        for turn in range(options.starts):
            for mpi, forbids in kinds:
                say(f"start {turn + 1}, {mpi}{', one copy forbidden' if forbids else ''}")
                found[mpi, forbids].append(start(options, mpi, forbids, folder))
    return {kind: best(starts) for kind, starts in found.items()}


def tables(found):
    for (mpi, forbids), cells in found.items():
        operations = list(dict.fromkeys(operation for operation, _ in cells))
        ordered = sorted(cells, key=lambda cell: (operations.index(cell[0]), cell[1]))
        title = f"{mpi}, where a filter of system calls forbids one copy" if forbids else mpi
        yield title, COLUMNS, [line(cell, cells[cell]) for cell in ordered]


def main():
    options = arguments()
    with Console(stderr=True).status("starting") as status:
        found = measure(options, status.update)
    made = list(tables(found))
    Output().print(*(shown(table) for table in made))
    if options.publish:
        page = PAGE.format(
            when=common_environment.when(),
            cores=len(os.sched_getaffinity(0)),
            samples=options.samples,
            starts=options.starts,
            tables="\n".join(markdown(table) for table in made),
        )
        (options.publish / "one-copy.md").write_text(page)


if __name__ == "__main__":
    try:
        main()
    except ExperimentError as error:
        sys.exit(f"one_copy: {error}")
