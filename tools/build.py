# SPDX-License-Identifier: BSD-3-Clause
"""Builds Caucus for one MPI in build/<mpi>, bringing what is needed first."""

import argparse
import os
import subprocess
import sys

from provision import libraries, mpi, stamp, toolchain
from provision.paths import BUILD, ROOT
from provision.problem import Problem, run_main
from setup import prepare

SHOWN = 80
JOBS = str(max(1, len(os.sched_getaffinity(0))))


TESTS = ("none", "programs", "all")


def build(name, tests="none", sanitize="", quiet=False):
    """Configures when something that matters has changed, and builds. Returns the folder.
    tests: none, only the programs that need this MPI, or all, those of plans too."""
    folder = BUILD / (name + (f"-{sanitize.replace(',', '-')}" if sanitize else ""))
    tests = max(tests, _had_tests(folder), key=TESTS.index)
    options = {
        "CAUCUS_MPI": name,
        "CAUCUS_TESTS": "OFF" if tests == "none" else "ON",
        "CAUCUS_PLAN_TESTS": "ON" if tests == "all" else "OFF",
        "CAUCUS_SANITIZE": sanitize,
        "CAUCUS_WERROR": "ON" if os.environ.get("CI") else "OFF",
        "CMAKE_BUILD_TYPE": "Debug" if sanitize else "RelWithDebInfo",
        "CMAKE_MAKE_PROGRAM": toolchain.ninja(),
        **_compilers(["c", "c++"] if tests == "all" else ["c"]),
    }
    cmake = toolchain.cmake()
    state = {"cmake": cmake, "options": options}
    if not stamp.fresh(f"configured-{folder.name}", state) or not (folder / "build.ninja").exists():
        (folder / "CMakeCache.txt").unlink(missing_ok=True)
        defines = [f"-D{key}={value}" for key, value in options.items()]
        _show([cmake, "-S", ROOT, "-B", folder, "-G", "Ninja", *defines], "configure", quiet)
        stamp.write(f"configured-{folder.name}", state)
    _show([cmake, "--build", folder, "--parallel", JOBS], "build", quiet)
    return folder


def _had_tests(folder):
    """A build that has tests keeps them: make build after make test must not throw them out."""
    before = stamp.read(f"configured-{folder.name}").get("options", {})
    if before.get("CAUCUS_TESTS") != "ON":
        return "none"
    return "all" if before.get("CAUCUS_PLAN_TESTS") == "ON" else "programs"


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
        if failed:
            print("\n".join(done.stdout.splitlines()[-SHOWN:]))
    if failed:
        raise Problem(f"the {what} failed: the messages above say where; correct it and run again.")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default="mpich", metavar="|".join(mpi.WORDS))
    chosen = parser.parse_args()
    prepare({"build", "run"}, [chosen.mpi])
    with stamp.one_at_a_time():
        build(chosen.mpi)


if __name__ == "__main__":
    run_main(main)
