# SPDX-License-Identifier: BSD-3-Clause
"""The C++ headers compile as C++17 without a warning, a third of them a day each by itself, and do
what they say. A program in C++ that knows nothing of them is taken over by the drop-in."""

import json
import os
import subprocess

import programs
import pytest

from provision import mpi as provision_mpi
from provision import toolchain
from provision.problem import Problem
from testing import turn

STRICT = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
HEADERS = sorted((programs.ROOT / "include" / "caucus").glob("*.hpp"))
PROGRAMS = {
    "wrappers": (programs.ROOT / "tests" / "cpp" / "wrappers.cpp", ["all right"]),
    "outlive": (programs.ROOT / "tests" / "cpp" / "outlive.cpp", ["finalized"]),
    "left_open": (programs.ROOT / "tests" / "cpp" / "left_open.cpp", ["finalized"]),
    "memory": (programs.ROOT / "tests" / "cpp" / "memory.cpp", ["all right"]),
    "teams": (
        programs.ROOT / "examples" / "teams.cpp",
        ["rank 3: the pair has 50", *(f"rank 0 hears: task {i} is {i * i}" for i in range(6))],
    ),
    "plain": (programs.ROOT / "tests" / "cpp" / "plain.cpp", ["all right"]),
}
# (taken over, left to MPI) of the calls of plain.cpp, on four ranks together.
TAKEN = {
    "MPI_Cart_create": (4, 0),
    "MPI_Dist_graph_create_adjacent": (4, 0),
    "MPI_Comm_create_group": (2, 0),
    "MPI_Intercomm_create": (4, 0),
    "MPI_Allreduce_init": (4, 0),
    "MPI_Iallreduce": (4, 0),
    "MPI_Allreduce": (12, 0),
    "MPI_Reduce": (4, 0),
}


@pytest.fixture(params=programs.parameters(without=["system"]))
def mpi(request):
    return programs.chosen(request)


def compile(mpi, *words):
    prefix, build = provision_mpi.prefix(mpi), programs.BUILD / mpi
    try:
        command = [*toolchain.compiler("c++"), *STRICT, "-O0"]
    except Problem as problem:
        pytest.skip(str(problem))
    command += ["-isystem", prefix / "include", *(["-DMPI_ABI"] if mpi == "abi" else [])]
    command += ["-I", programs.ROOT / "include", "-I", build / "include", *words]
    command = [str(word) for word in command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def link(mpi, name, program):
    folders = programs.BUILD / mpi / "lib", provision_mpi.prefix(mpi) / "lib"
    words = [word for folder in folders for word in (f"-L{folder}", f"-Wl,-rpath,{folder}")]
    words += ["-lmpi_abi" if mpi == "abi" else "-lmpi", "-Wl,--allow-shlib-undefined"]
    words += [] if name == "plain" else ["-lcaucus"]
    compile(mpi, PROGRAMS[name][0], "-o", program, *words)


@pytest.mark.parametrize("header", HEADERS[turn.today() % 3 :: 3])
def test_header_stands_alone(header, tmp_path):
    if not programs.mpis():
        pytest.skip("nothing is built: run 'make build'")
    source = tmp_path / "alone.cpp"
    source.write_text(f"#include <caucus/{header.name}>\nint main() {{}}\n")
    compile(programs.mpis()[0], "-fsyntax-only", source)


def test_wrappers(mpi, tmp_path):
    runs(mpi, "wrappers", tmp_path)


def test_memory_that_runs_out(mpi, tmp_path):
    runs(mpi, "memory", tmp_path)


@pytest.mark.parametrize("name", ["outlive", "left_open"])
def test_objects_that_outlive_mpi(mpi, name, tmp_path):
    runs(mpi, name, tmp_path)


def test_example(tmp_path):
    found = [mpi for mpi in programs.mpis() if mpi in ("mpich", "openmpi")]
    if not found:
        pytest.skip("nothing is built: run 'make build'")
    runs(turn.of(found, "teams"), "teams", tmp_path)


def test_a_program_that_knows_nothing_of_them(mpi, tmp_path):
    report = tmp_path / "report.json"
    preload = [programs.dropin(mpi)]
    env = {"CAUCUS_ENABLE": "nonblocking,blocking", "CAUCUS_REPORT": report}
    runs(mpi, "plain", tmp_path, env, preload)
    calls = json.loads(report.read_text())["calls"]
    assert {name: (call["taken"], call["passed"]) for name, call in calls.items()} == TAKEN


def runs(mpi, name, tmp_path, env=None, preload=()):
    link(mpi, name, tmp_path / name)
    paths = os.environ.get("LD_LIBRARY_PATH", "")
    env = {"CAUCUS_TIMEOUT": "60", "LD_LIBRARY_PATH": paths, **(env or {})}
    done = programs.start(mpi, 4, [tmp_path / name], env, preload)
    for words in PROGRAMS[name][1]:
        assert words in done.stdout, done.stdout + done.stderr
