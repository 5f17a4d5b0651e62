# SPDX-License-Identifier: BSD-3-Clause
"""Builds Caucus for one MPI in build/<mpi>, bringing what is needed first; `--mpi plan` builds the
planner and its tests, without any MPI."""

import argparse
import os
import re
import subprocess
import sys

from provision import fortran, libraries, mpi, stamp, toolchain
from provision.paths import BUILD, ROOT
from provision.problem import Problem, run_main
from setup import prepare

SHOWN = 80
STEP = re.compile(r"\[\d+/\d+\] |-- |ninja: no work to do")
JOBS = str(max(1, len(os.sched_getaffinity(0))))


PLAN = "plan"
FEW = ("intel", "abi", *fortran.BUILDS)  # the tests need no benchmarks for these
SOONER = {"CMAKE_C_FLAGS_RELWITHDEBINFO": "-O1 -g1 -DNDEBUG"}  # built more often than run


def build(name, tests=False, sanitize="", quiet=False, target="all"):
    """Configures when something that matters has changed, and builds. Returns the folder. With
    tests, also the programs that need this MPI; the planner is then compiled in a build without
    MPI, named "plan", with the tests of plans, and linked from there: it is the same for all."""
    folder = _folder(name, sanitize)
    before = stamp.read(f"configured-{folder.name}").get("options", {})
    # A build that has tests keeps them: make build after make test must not throw them out.
    with_tests = tests or name == PLAN or before.get("CAUCUS_TESTS") == "ON"
    sparing = tests and (sanitize or name in FEW) and before.get("CAUCUS_BENCH") != "ON"
    options = {
        **mpi.cmake_options("none" if name == PLAN else name),
        **libraries.cmake_options(),
        "CAUCUS_TESTS": "ON" if with_tests else "OFF",
        "CAUCUS_PLAN_TESTS": "ON" if name == PLAN else "OFF",
        "CAUCUS_BENCH": "OFF" if sparing or name == PLAN else "ON",
        "CAUCUS_EXAMPLES": "OFF" if sanitize or name == PLAN else "ON",
        "CAUCUS_SANITIZE": sanitize,
        "CAUCUS_WERROR": "ON" if os.environ.get("CI") else "OFF",
        "CMAKE_BUILD_TYPE": "Debug" if sanitize else "RelWithDebInfo",
        **(SOONER if sparing and not sanitize else {}),
        "CMAKE_MAKE_PROGRAM": toolchain.ninja(),
        **_compilers(["c", "c++"] if name == PLAN else ["c"]),
    }
    if with_tests and name != PLAN:
        planner = build(PLAN, True, sanitize, quiet, "caucus_plan")
        options["CAUCUS_PLAN_OBJECTS"] = str(planner)
    if name == PLAN and sanitize and sanitize != "thread":
        options["CAUCUS_PLAN_TEST_OBJECTS"] = str(build(PLAN, True, quiet=quiet))
    _configure(folder, options, quiet)
    words = [toolchain.cmake(), "--build", folder, "--parallel", JOBS, "--target", *target.split()]
    _show(words, "build", quiet)
    return folder


def _folder(name, sanitize):
    return BUILD / (name + (f"-{sanitize.replace(',', '-')}" if sanitize else ""))


def _configure(folder, options, quiet):
    cmake = toolchain.cmake()
    state = {"cmake": cmake, "options": options}
    if stamp.fresh(f"configured-{folder.name}", state) and (folder / "build.ninja").exists():
        return
    (folder / "CMakeCache.txt").unlink(missing_ok=True)
    defines = [f"-D{key}={value}" for key, value in options.items()]
    _show([cmake, "-S", ROOT, "-B", folder, "-G", "Ninja", *defines], "configure", quiet)
    stamp.write(f"configured-{folder.name}", state)


def _compilers(languages):
    """The compilers as CMake wants them."""
    chosen = {}
    for language in languages:
        variable = {"c": "C", "c++": "CXX"}[language]
        words = toolchain.compiler(language)
        flags = [*words[1:], os.environ.get(f"{variable}FLAGS", "")]
        chosen[f"CMAKE_{variable}_COMPILER"] = words[0]
        chosen[f"CMAKE_{variable}_FLAGS"] = " ".join(flags).strip()
    return chosen


def _show(command, what, quiet):
    """Runs a step of CMake; its output is shown when it fails, or all along unless quiet."""
    environment = dict(os.environ, CLICOLOR_FORCE="1" if sys.stdout.isatty() else "0")
    unpacked = libraries.folder()
    if unpacked.is_dir():
        found = [str(unpacked), environment.get("LD_LIBRARY_PATH", "")]
        environment["LD_LIBRARY_PATH"] = ":".join(filter(None, found))
    words = [str(word) for word in command]
    if not quiet:
        failed = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL).returncode
    else:
        done = subprocess.run(
            words,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        failed = done.returncode
        told = [line for line in done.stdout.splitlines() if not STEP.match(line)]
        # What compilers say is shown though nothing failed: elsewhere a warning is an error.
        if failed or (what == "build" and told):
            print("\n".join(told[-SHOWN:]), flush=True)
    if failed:
        raise Problem(f"the {what} failed: the messages above say where; correct it and run again.")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    words = (*mpi.WORDS, *fortran.BUILDS, PLAN)
    parser.add_argument("--mpi", default="mpich", metavar="|".join(words))
    parser.add_argument("--tests", action="store_true", help="with the tests; brings nothing")
    parser.add_argument("--sanitize", default="", metavar="KIND")
    parser.add_argument("--target", default="all", help="this alone, or these, between blanks")
    parser.add_argument("--quiet", action="store_true", help="show only what fails")
    chosen = parser.parse_args()
    if not chosen.tests:
        prepare({"build", "run"}, [] if chosen.mpi == PLAN else [chosen.mpi])
        if chosen.mpi == PLAN:
            libraries.bring("googletest")
    with stamp.one_at_a_time():
        build(chosen.mpi, chosen.tests, chosen.sanitize, chosen.quiet, chosen.target)


if __name__ == "__main__":
    run_main(main)
