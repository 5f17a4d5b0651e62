# SPDX-License-Identifier: BSD-3-Clause
"""Programs only some of whose calls come through the drop-in, as they call PMPI_X, or a tool of the
profiling interface is in front: all data is right, and one line says what was left to MPI. What
MPI's library for Fortran calls as PMPI_X does come through it: fortran.c stands for that library,
test_fortran.py has real ones."""

import json
import os
import subprocess
from pathlib import Path

import pytest

import mpi_launch
from provision import mpi as provision_mpi
from provision import toolchain

ROOT = Path(__file__).resolve().parents[2]
SOURCES = Path(__file__).parent / "half"
BUILD = Path(os.environ.get("TEST_BUILD", ROOT / "build"))
LIMIT = 120

PASSED_BY = "MPI_Init did not come through the drop-in"
REQUESTS = "nonblocking and persistent collectives are left to MPI."
OWN = "comes before the drop-in and has an"
# What each tool makes the drop-in say where it is found first.
SAID = {
    "ALL": PASSED_BY,
    "INIT": PASSED_BY,
    "WAIT": f"{OWN} MPI_Wait of its own: {REQUESTS}",
    "START": f"{OWN} MPI_Start of its own: {REQUESTS}",
}
# How MPI's library for Fortran may have been linked, which decides where its calls go through.
LINKINGS = {
    "lazily": ["-Wl,-z,lazy"],
    "sealed": ["-Wl,-z,now", "-Wl,-z,relro"],
    "directly": ["-fno-plt", "-Wl,-z,relro"],
    "table": ["-DTABLE=1"],
    "whole": ["-DWHOLE=1"],
    "odd": ["-DODD=1"],
}
quick = ["mpich-WAIT-first", "openmpi-ALL-first", "mpich-START-linked", "openmpi-ALL-behind"]


class Bench:
    """Where programs and tools are compiled for an MPI, once each."""

    def __init__(self, folder, mpi):
        self.folder, self.mpi = folder, mpi
        self.dropin = BUILD / mpi / "lib" / "libcaucus_dropin.so"
        self.home = provision_mpi.prefix(mpi)
        if not self.dropin.exists():
            pytest.skip(f"there is no {self.dropin.relative_to(BUILD)}: run 'make test'")

    def compile(self, name, *words):
        made = self.folder / name
        if not made.exists():
            subprocess.run([*toolchain.compiler("c"), *words, "-o", made], check=True)
        return made

    def program(self, name, *words, source="program.c"):
        library = sorted((self.home / "lib").glob("libmpi.so.*"))[0]
        found = [f"-I{self.home / 'include'}", library, f"-Wl,-rpath,{library.parent}"]
        return self.compile(name, SOURCES / source, *words, *found, "-Wl,--allow-shlib-undefined")

    def tool(self, wraps):
        return self.compile(
            f"libtool_{wraps}.so", "-shared", "-fPIC", f"-DWRAPS={wraps}", SOURCES / "tool.c"
        )

    def fortran(self, linking):
        name, words = f"libfortran_{linking}.so", LINKINGS[linking]
        return self.compile(name, "-shared", "-fPIC", *words, SOURCES / "fortran.c")

    def run(self, program, before=(), behind=(), ranks=4):
        """Everything is to be taken over. What standard error and the report say."""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        env = {"CAUCUS_ENABLE": "nonblocking,blocking", "CAUCUS_REPORT": report}
        preload = [*before, self.dropin, *behind]
        words, outer = mpi_launch.command(self.mpi, ranks, program, env, preload)
        done = subprocess.run(words, env=outer, capture_output=True, text=True, timeout=LIMIT)
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == ["right"], done.stdout
        return done.stderr, json.loads(report.read_text())


@pytest.fixture(scope="module")
def benches(tmp_path_factory):
    made = {}

    def get(mpi):
        if mpi not in made:
            made[mpi] = Bench(tmp_path_factory.mktemp(mpi), mpi)
        return made[mpi]

    return get


LEFT = "not every call of the program comes through the drop-in"


def cases():
    for mpi in ("mpich", "openmpi", "intel"):
        for wraps in SAID:
            for place in ("first", "behind", "linked"):
                name = f"{mpi}-{wraps}-{place}"
                marks = [] if name in quick else [pytest.mark.slow]
                yield pytest.param(mpi, wraps, place, id=name, marks=marks)


@pytest.mark.parametrize("mpi, wraps, place", cases())
def test_tools(benches, mpi, wraps, place):
    bench = benches(mpi)
    if place == "linked":
        linked = bench.program(f"linked_{wraps}", f"-DWRAPS={wraps}", SOURCES / "tool.c")
        said, report = bench.run([linked])
    else:
        tools = [bench.tool(wraps)]
        before, behind = (tools, []) if place == "first" else ([], tools)
        said, report = bench.run([bench.program("program")], before, behind)
    if place == "behind":  # it sees nothing, and all is taken over
        assert "left to MPI" not in said and "left_to_mpi" not in report
        assert report["calls"]["MPI_Iallreduce"]["taken"] == 40
    else:
        assert said.count("left to MPI") == 1 and SAID[wraps] in said, said
        assert SAID[wraps] in report["left_to_mpi"]
        assert report["calls"].get("MPI_Iallreduce", {"taken": 0})["taken"] == 0
    if place != "behind" and SAID[wraps] is not PASSED_BY:  # what ends in itself is still taken
        assert report["calls"]["MPI_Cart_create"]["taken"] == 4
        assert report["calls"]["MPI_Allreduce"]["taken"] == 8


@pytest.mark.parametrize("mpi", ["mpich", "openmpi", pytest.param("intel", marks=pytest.mark.slow)])
def test_a_program_that_calls_pmpi(benches, mpi):
    bench = benches(mpi)
    said, report = bench.run([bench.program("around", "-DAROUND=1")])
    assert said.count("left to MPI") == 1 and "the program calls PMPI_" in said, said
    assert f"around the drop-in: {REQUESTS}" in report["left_to_mpi"]
    assert report["calls"]["MPI_Iallreduce"] == {
        "taken": 0,
        "passed": 40,
        "algorithms": {},
        "bytes": 0,
        "taken_by_a_rank": [0, 0],
        "passed_by_a_rank": [10, 10],
        "why": {LEFT: 40},
    }
    assert report["calls"]["MPI_Allreduce"]["between_groups"] == 4


@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_what_is_loaded_later(benches, mpi):
    bench = benches(mpi)
    late = bench.program("late", source="late.c")
    said, report = bench.run([late, bench.tool("OWN")])
    assert said.count("left to MPI") == 1 and "libtool_OWN.so calls PMPI_Wait" in said, said
    inits = report["calls"]["MPI_Allreduce_init"]
    assert (inits["taken"], inits["passed"], inits["why"]) == (4, 8, {LEFT: 8})


def fortran_cases():
    for mpi in ("mpich", "openmpi", "intel"):
        for linking in LINKINGS:
            marks = [] if mpi == "mpich" else [pytest.mark.slow]
            yield pytest.param(mpi, linking, id=f"{mpi}-{linking}", marks=marks)


@pytest.mark.parametrize("mpi, linking", fortran_cases())
def test_calls_of_fortran(benches, mpi, linking):
    bench = benches(mpi)
    library = bench.fortran(linking)
    words = ["-DFORTRAN=1", f"-DMIXED={int(linking == 'whole')}", library]
    said, report = bench.run([bench.program(f"fortran_{linking}", *words)])
    if linking == "whole":
        sentence = "has MPI's Fortran interface within itself: all calls are left to MPI."
        assert said.count("left to MPI") == 1 and sentence in said, said
        assert all(call["taken"] == 0 for call in report["calls"].values()), report
        return
    if linking == "odd":
        sentence = f"libfortran_odd.so calls PMPI_Wait, around the drop-in: {REQUESTS}"
        assert said.count("left to MPI") == 1 and sentence in said, said
        return
    assert "left to MPI" not in said and "left_to_mpi" not in report, said
    counted = {name: (call["taken"], call["passed"]) for name, call in report["calls"].items()}
    counted.pop("MPI_Allreduce_init", None)  # where MPI has it
    assert counted == {
        "MPI_Cart_create": (4, 0),
        "MPI_Intercomm_create": (4, 0),
        "MPI_Iallreduce": (40, 0),
        "MPI_Iallgather": (40, 0),
        "MPI_Allreduce": (8, 0),
    }


@pytest.mark.parametrize("mixed, sentence", [(0, PASSED_BY), (1, "the program calls PMPI_")])
def test_a_library_for_fortran_that_is_linked_statically(benches, mixed, sentence):
    bench = benches("mpich")
    words = ["-DFORTRAN=1", f"-DMIXED={mixed}", SOURCES / "fortran.c"]
    said, report = bench.run([bench.program(f"static_{mixed}", *words)])
    assert said.count("left to MPI") == 1 and sentence in said, said
    assert sentence in report["left_to_mpi"]


@pytest.mark.parametrize("mpi", ["mpich", pytest.param("openmpi", marks=pytest.mark.slow)])
def test_a_library_for_fortran_that_is_loaded_later(benches, mpi):
    bench = benches(mpi)
    said, report = bench.run([bench.program("late", source="late.c"), bench.fortran("sealed")])
    assert "left to MPI" not in said and "left_to_mpi" not in report, said
    inits = report["calls"]["MPI_Allreduce_init"]
    assert (inits["taken"], inits["passed"]) == (12, 0)
