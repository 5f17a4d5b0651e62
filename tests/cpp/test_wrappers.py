# SPDX-License-Identifier: BSD-3-Clause
"""The C++ headers compile as C++17 without a warning, a third of them a day each by itself, and do
what they say."""

import os
import subprocess

import programs
import pytest

import mpi_launch
from provision import toolchain
from provision.problem import Problem
from testing import turn

STRICT = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
HEADERS = sorted((programs.ROOT / "include" / "caucus").glob("*.hpp"))
PROGRAMS = {
    "wrappers": (programs.ROOT / "tests" / "cpp" / "wrappers.cpp", ["all right"]),
    "teams": (
        programs.ROOT / "examples" / "teams.cpp",
        ["rank 3: the pair has 50", *(f"rank 0 hears: task {i} is {i * i}" for i in range(6))],
    ),
}


@pytest.fixture(params=programs.parameters(without=["intel", "abi", "system"]))
def mpi(request):
    return programs.chosen(request)


def compile(mpi, *words):
    prefix, build = mpi_launch.mpiexec_of(mpi).parents[1], programs.BUILD / mpi
    try:
        command = [*toolchain.compiler("c++"), *STRICT, "-O0"]
    except Problem as problem:
        pytest.skip(str(problem))
    command += ["-isystem", prefix / "include"]
    command += ["-I", programs.ROOT / "include", "-I", build / "include", *words]
    command = [str(word) for word in command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def link(mpi, name, program):
    folders = programs.BUILD / mpi / "lib", mpi_launch.mpiexec_of(mpi).parents[1] / "lib"
    paths = [word for folder in folders for word in (f"-L{folder}", f"-Wl,-rpath,{folder}")]
    compile(mpi, PROGRAMS[name][0], "-o", program, *paths, "-lcaucus", "-lmpi")


@pytest.mark.parametrize("header", HEADERS[turn.today() % 3 :: 3])
def test_header_stands_alone(header, tmp_path):
    if not programs.mpis():
        pytest.skip("nothing is built: run 'make build'")
    source = tmp_path / "alone.cpp"
    source.write_text(f"#include <caucus/{header.name}>\nint main() {{}}\n")
    compile(programs.mpis()[0], "-fsyntax-only", source)


def test_wrappers(mpi, tmp_path):
    runs(mpi, "wrappers", tmp_path)


def test_example(tmp_path):
    found = [mpi for mpi in programs.mpis() if mpi in ("mpich", "openmpi")]
    if not found:
        pytest.skip("nothing is built: run 'make build'")
    runs(turn.of(found, "teams"), "teams", tmp_path)


def runs(mpi, name, tmp_path):
    link(mpi, name, tmp_path / name)
    env = {"CAUCUS_TIMEOUT": "60", "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")}
    done = programs.start(mpi, 4, [tmp_path / name], env)
    for words in PROGRAMS[name][1]:
        assert words in done.stdout, done.stdout + done.stderr
