# SPDX-License-Identifier: BSD-3-Clause
"""Starts a program on this machine under any of the MPIs.

python3 tools/mpi_launch.py --mpi openmpi -n 4 [--dropin] [--deaths] [--dedicated]
    [--env NAME=VALUE] PROGRAM [ARGUMENT...]
"""

import argparse
import os
import sys
from pathlib import Path

# How it is done is the command line's: here it serves before that is installed.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bindings" / "python"))

from caucus.errors import CaucusError as LaunchError  # noqa: E402
from caucus.launch import MPIS, command, dropin, kind_of, manners, mpiexec_of  # noqa: E402

# What is measured in tests and benchmarks is not kept for the programs of who runs them.
os.environ.setdefault("CAUCUS_CACHE", "none")

__all__ = ["LaunchError", "command", "dropin", "kind_of", "manners", "mpiexec_of"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mpi", default="mpich", choices=MPIS)
    parser.add_argument("-n", "--ranks", type=int, default=4)
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--dropin", action="store_true", help="preload Caucus under the program")
    parser.add_argument("--deaths", action="store_true", help="the others go on if a rank dies")
    parser.add_argument(
        "--dedicated", action="store_true", help="with MPI's settings for a core for each rank"
    )
    parser.add_argument("program", nargs=argparse.REMAINDER)
    chosen = parser.parse_args()
    if not chosen.program:
        parser.error("name a program to start")
    env = dict(setting.partition("=")[::2] for setting in chosen.env)
    preload = [dropin(chosen.mpi)] if chosen.dropin else []
    try:
        words, outer = command(
            chosen.mpi,
            chosen.ranks,
            chosen.program,
            env,
            preload,
            chosen.deaths,
            crowded=not chosen.dedicated,
        )
    except LaunchError as error:
        sys.exit(f"caucus: {error}")
    os.execvpe(words[0], words, outer)


if __name__ == "__main__":
    main()
