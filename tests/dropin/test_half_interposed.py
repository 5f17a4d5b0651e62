# SPDX-License-Identifier: BSD-3-Clause
"""Tools of the profiling interface, and programs that call PMPI_X themselves. What is called so
outside of MPI comes through the drop-in: all data is right, all is taken over, and a tool that is
found first has seen every call of the program. What can't be led there is left to MPI, and one line
says so. fortran.c stands for MPI's library for Fortran, test_fortran.py has real ones."""

import json
import os
import re
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
# What each tool makes the drop-in say where it is found first and nobody knows what it calls.
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
# How a tool may hand on what it has seen: tool.c says what they mean.
WAYS = {"PMPI": [], "NEXT": ["-DNEXT=1"], "HIDDEN": ["-DHIDDEN=1"]}
# What the drop-in does not define, so that a tool behind it sees them.
UNDEFINED = {"Comm_rank", "Comm_size", "Comm_free"}
quick = {
    "mpich-ALL-first-PMPI",
    "openmpi-ALL-first-NEXT",
    "mpich-WAIT-first-HIDDEN",
    "openmpi-ALL-behind-PMPI",
    "mpich-ALL-linked-PMPI",
}


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

    def tool(self, wraps, way):
        words = ["-shared", "-fPIC", f"-DWRAPS={wraps}", *WAYS[way], SOURCES / "tool.c"]
        return self.compile(f"libtool_{wraps}_{way}.so", *words)

    def fortran(self, linking):
        name, words = f"libfortran_{linking}.so", LINKINGS[linking]
        return self.compile(name, "-shared", "-fPIC", *words, SOURCES / "fortran.c")

    def start(self, program, env=None, before=(), behind=(), ranks=4):
        """What it printed and said."""
        preload = [*before, self.dropin, *behind]
        words, outer = mpi_launch.command(self.mpi, ranks, program, env or {}, preload)
        done = subprocess.run(words, env=outer, capture_output=True, text=True, timeout=LIMIT)
        assert done.returncode == 0, done.stderr
        # Not by lines: Intel's launcher has joined those of two ranks.
        assert done.stdout.count("right") == 1, done.stdout
        return done

    def run(self, program, before=(), behind=(), ranks=4):
        """Everything is to be taken over. What standard error and the report say; self.counts is
        how often a tool saw each function that it wraps, and how often the program called it, on
        each rank."""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        env = {"CAUCUS_ENABLE": "nonblocking,blocking", "CAUCUS_REPORT": report}
        done = self.start(program, env, before, behind, ranks)
        counted = re.findall(r"(\w+)=(\d+)/(\d+)", done.stdout)
        self.counts = [(name, int(seen), int(made)) for name, seen, made in counted]
        return done.stderr, json.loads(report.read_text())


@pytest.fixture(scope="module")
def benches(tmp_path_factory):
    made = {}

    def get(mpi):
        if mpi not in made:
            made[mpi] = Bench(tmp_path_factory.mktemp(mpi), mpi)
        return made[mpi]

    return get


def taken(report):
    """(taken over, left to MPI) of each call of program.c, on all ranks together."""
    return {name: (call["taken"], call["passed"]) for name, call in report["calls"].items()}


EVERYTHING = {
    "MPI_Cart_create": (4, 0),
    "MPI_Dist_graph_create_adjacent": (4, 0),
    "MPI_Intercomm_create": (4, 0),
    "MPI_Allreduce_init": (4, 0),
    "MPI_Iallreduce": (40, 0),
    "MPI_Iallgather": (40, 0),
    "MPI_Allreduce": (12, 0),
}
LEFT = "not every call of the program comes through the drop-in"


def cases():
    for mpi in ("mpich", "openmpi", "intel"):
        for wraps in SAID:
            for place in ("first", "behind", "linked"):
                asks = place == "first" and wraps in ("ALL", "WAIT") and mpi != "intel"
                for way in WAYS if asks else ["PMPI"]:
                    name = f"{mpi}-{wraps}-{place}-{way}"
                    marks = [] if name in quick else [pytest.mark.slow]
                    yield pytest.param(mpi, wraps, place, way, id=name, marks=marks)


def run_beside(bench, wraps, place, way):
    if place == "linked":
        words = [f"-DWRAPS={wraps}", "-rdynamic", SOURCES / "tool.c"]
        return bench.run([bench.program(f"linked_{wraps}", *words)])
    tools = [bench.tool(wraps, way)]
    before, behind = (tools, []) if place == "first" else ([], tools)
    return bench.run([bench.program("program")], before, behind)


@pytest.mark.parametrize("mpi, wraps, place, way", cases())
def test_tools(benches, mpi, wraps, place, way):
    bench = benches(mpi)
    said, report = run_beside(bench, wraps, place, way)
    assert bench.counts
    for name, seen, made in bench.counts:
        assert seen == (0 if place == "behind" and name not in UNDEFINED else made), name
        assert made > 0, name
    if way == "HIDDEN":
        assert said.count("left to MPI") == 1 and SAID[wraps] in said, said
        assert SAID[wraps] in report["left_to_mpi"]
        assert report["calls"].get("MPI_Iallreduce", {"taken": 0})["taken"] == 0
        if SAID[wraps] is not PASSED_BY:  # what ends in itself is still taken
            assert report["calls"]["MPI_Cart_create"]["taken"] == 4
            assert report["calls"]["MPI_Allreduce"]["taken"] == 12
    else:
        assert "left to MPI" not in said and "left_to_mpi" not in report, said
        assert taken(report) == EVERYTHING


@pytest.mark.parametrize("mpi", ["mpich", "openmpi", pytest.param("intel", marks=pytest.mark.slow)])
def test_a_program_that_calls_pmpi(benches, mpi):
    bench = benches(mpi)
    said, report = bench.run([bench.program("around", "-DAROUND=1")])
    assert "left to MPI" not in said and "left_to_mpi" not in report, said
    assert taken(report) == EVERYTHING


@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_what_is_loaded_later(benches, mpi):
    bench = benches(mpi)
    late = bench.program("late", source="late.c")
    said, report = bench.run([late, bench.fortran("odd")])
    assert said.count("left to MPI") == 1 and "libfortran_odd.so calls PMPI_Wait" in said, said
    inits = report["calls"]["MPI_Allreduce_init"]
    assert (inits["taken"], inits["passed"], inits["why"]) == (4, 8, {LEFT: 8})
    said, report = bench.run([late, bench.tool("OWN", "PMPI")])
    assert "left to MPI" not in said and taken(report) == {"MPI_Allreduce_init": (12, 0)}


@pytest.mark.parametrize("linked", ["-no-pie", "-pie"])
@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_the_address_of_a_pmpi_function(benches, mpi, linked):
    bench = benches(mpi)
    words = [linked, "-fno-pic" if linked == "-no-pie" else "-fPIE", "-Wl,-z,lazy"]
    program = bench.program(f"address{linked}", *words, source="address.c")
    said, report = bench.run([program])
    sentence = "the program calls PMPI_Comm_dup, around the drop-in: all calls are left to MPI."
    assert said.count(sentence) == (linked == "-no-pie"), said
    assert ("left_to_mpi" in report) == (linked == "-no-pie")


def test_a_program_of_sessions(benches):
    """All but its grids are MPI's, so that nothing is to be said."""
    bench = benches("mpich")
    program = bench.program("session", source="session.c")
    said = bench.start([program], before=[bench.tool("WAIT", "HIDDEN")]).stderr
    assert "left to MPI" not in said, said


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
    assert taken(report) == EVERYTHING


@pytest.mark.parametrize("mixed", [0, 1])
def test_a_library_for_fortran_that_is_linked_statically(benches, mixed):
    bench = benches("mpich")
    words = ["-DFORTRAN=1", f"-DMIXED={mixed}", SOURCES / "fortran.c"]
    said, report = bench.run([bench.program(f"static_{mixed}", *words)])
    assert "left to MPI" not in said and taken(report) == EVERYTHING, said


@pytest.mark.parametrize("mpi", ["mpich", pytest.param("openmpi", marks=pytest.mark.slow)])
def test_a_library_for_fortran_that_is_loaded_later(benches, mpi):
    bench = benches(mpi)
    said, report = bench.run([bench.program("late", source="late.c"), bench.fortran("sealed")])
    assert "left to MPI" not in said and "left_to_mpi" not in report, said
    inits = report["calls"]["MPI_Allreduce_init"]
    assert (inits["taken"], inits["passed"]) == (12, 0)
