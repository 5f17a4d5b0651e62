# SPDX-License-Identifier: BSD-3-Clause
"""Brings what a purpose needs: `python3 tools/setup.py --mpi mpich build run`."""

import argparse

from provision import libraries, mpi, python, stamp, toolchain
from provision.problem import run_main

PURPOSES = ("build", "run", "test", "docs", "tools")


def prepare(purposes, mpis):
    """Brings all that the purposes need; what is there already costs next to nothing."""
    with stamp.one_at_a_time():
        if "build" in purposes or "test" in purposes:
            toolchain.compiler("c")
            toolchain.cmake()
            toolchain.ninja()
            libraries.bring("hwloc")
            for name in mpis:
                mpi.bring(name)
        if "test" in purposes:
            libraries.bring("googletest")
            libraries.bring("metis")
            libraries.bring("scotch")
        for group in ("run", "test", "docs"):
            if group in purposes or (group == "test" and "tools" in purposes):
                python.bring(group)
        if "run" in purposes:
            python.bring_command_line()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default="mpich", metavar="|".join(mpi.WORDS))
    parser.add_argument("purpose", nargs="+", choices=PURPOSES)
    arguments = parser.parse_args()
    prepare(set(arguments.purpose), [arguments.mpi])


if __name__ == "__main__":
    run_main(main)
