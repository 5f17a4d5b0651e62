# SPDX-License-Identifier: BSD-3-Clause
"""Runs the functions of modules whose names begin with "case_", in one start of MPI, and then
programs: mpiexec -n 4 python run_cases.py MODULE... PROGRAM.py...

All ranks meet after each. What fails is told with its name, and ends the run."""

import importlib
import runpy
import sys
import traceback
from pathlib import Path

from mpi4py import MPI

sys.path.insert(0, str(Path(__file__).resolve().parent))


def functions(name):
    module = importlib.import_module(name)
    for word, function in list(vars(module).items()):  # a warning adds to them
        if word.startswith("case_"):
            yield f"{name}.{word}", function


def things(arguments):
    for argument in arguments:
        if argument.endswith(".py"):
            yield argument, lambda path=argument: runpy.run_path(path, run_name="__main__")
        else:
            yield from functions(argument)


def main():
    comm, count = MPI.COMM_WORLD, 0
    for name, function in things(sys.argv[1:]):
        try:
            function()
        except SystemExit as leaving:
            assert isinstance(leaving.code, str), f"{name} left with {leaving.code}"
        except BaseException:
            print(f"rank {comm.rank} of {comm.size}: {name}", file=sys.stderr)
            traceback.print_exc()
            sys.stderr.flush()
            comm.Abort(1)
        comm.Barrier()
        count += 1
    if comm.rank == 0:
        print(f"{count} passed")


main()
