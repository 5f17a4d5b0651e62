# SPDX-License-Identifier: BSD-3-Clause
"""Looks for inputs that break what is read from outside: libFuzzer on the targets of tests/fuzz, in
build/fuzz. What it finds lies in build/fuzz/found/TARGET."""

import argparse
import os
import subprocess

import setup
from provision import libraries, shell, toolchain
from provision.paths import BUILD, ROOT
from provision.problem import Problem, run_main
from testing import fuzz

FOLDER = BUILD / "fuzz"
SANITIZERS = {
    "ASAN_OPTIONS": "allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}


def build():
    """With clang, whose libFuzzer it is."""
    words = toolchain.clang()
    options = {
        "CAUCUS_MPI": "none",
        **libraries.cmake_options(),
        "CAUCUS_FUZZ": "ON",
        "CAUCUS_BENCH": "OFF",
        "CAUCUS_SANITIZE": "address,undefined",
        "CMAKE_BUILD_TYPE": "RelWithDebInfo",
        "CMAKE_C_COMPILER": words,
        "CMAKE_MAKE_PROGRAM": toolchain.ninja(),
    }
    defines = [f"-D{key}={value}" for key, value in options.items()]
    targets = [f"fuzz_{name}" for name in fuzz.names()]
    for command in (
        [toolchain.cmake(), "-S", ROOT, "-B", FOLDER, "-G", "Ninja", *defines],
        [toolchain.cmake(), "--build", FOLDER, "--target", *targets],
    ):
        done = shell.run(command, limit=3600)
        if not done.good:
            print(done.output)
            raise Problem("the build with clang failed: the messages above say where.")


def run(name, minutes):
    """Begins with the saved inputs; new ones go to a folder of the build. Whether nothing broke."""
    new, found = FOLDER / "corpus" / name, FOLDER / "found" / name
    for folder in (new, found):
        folder.mkdir(parents=True, exist_ok=True)
    command = [FOLDER / "tests" / "fuzz" / name, f"-max_total_time={round(60 * minutes)}"]
    command += ["-timeout=60", "-rss_limit_mb=3000", "-max_len=1500", "-print_final_stats=1"]
    command += [f"-artifact_prefix={found}/", new, fuzz.corpus(name)]
    environment = {**os.environ, **SANITIZERS}
    return subprocess.run([str(word) for word in command], env=environment).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="", help="one of: " + ", ".join(fuzz.names()))
    parser.add_argument("--minutes", type=float, default=1, help="for each target")
    chosen = parser.parse_args()
    names = [chosen.target] if chosen.target else fuzz.names()
    if not set(names) <= set(fuzz.names()):
        raise Problem(f"there is no fuzz target '{chosen.target}': {', '.join(fuzz.names())}.")
    setup.prepare({"build", "test"}, [])
    build()
    broken = [name for name in names if not run(name, chosen.minutes)]
    if broken:
        print(f"broken: {', '.join(broken)}; the inputs lie in {FOLDER / 'found'}")
    return 1 if broken else 0


if __name__ == "__main__":
    run_main(main)
