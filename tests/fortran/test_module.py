# SPDX-License-Identifier: BSD-3-Clause
"""The Fortran module caucus: every function of it, and the examples, on Debian's MPICH, for which
it is compiled here beside the library for a newer MPICH, and on Debian's Open MPI, for which CMake
has built it, and installs it."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import generate_fortran
from generate_collectives import function_of, names_over, versions
from provision import fortran, toolchain
from provision import mpi as provision_mpi
from provision.problem import Problem
from testing import debian, turn

ROOT = Path(__file__).resolve().parents[2]
SOURCES = Path(__file__).parent
EXAMPLES = ROOT / "examples" / "fortran"
BUILD = Path(os.environ.get("TEST_BUILD", ROOT / "build"))
LIMIT = 120
HEADERS = "include", "caucus"
MODULES = ["types", "functions", "reports", "constants", ""]  # in the order of their uses
C = ["-std=gnu17", "-fPIC", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-c"]
FORTRAN = ["-std=f2018", "-O1", "-Wall", "-Wextra", "-Werror"]


class Module(debian.Debian):
    """The module for one of Debian's MPIs, and programs that use it."""

    def __init__(self, folder, name):
        super().__init__(folder, name)
        self.build = BUILD / ("mpich" if name == "mpich" else f"debian-{name}")
        wanted = "caucus" if name == "mpich" else "caucus_fortran"
        if not (self.build / "lib" / f"lib{wanted}.so").exists():
            pytest.skip(f"there is no lib{wanted}.so in {self.build}: run 'make test FULL=1'")
        self.linking = [f"-L{self.build / 'lib'}", f"-Wl,-rpath,{self.build / 'lib'}"]
        if name == "mpich":
            self.make()
        else:
            self.linking += [f"-I{self.build.joinpath(*HEADERS) / 'fortran'}"]

    def make(self):
        generate_fortran.write(self.folder, self.build.joinpath(*HEADERS))
        glue = [self.folder / "caucus_fortran.c", *sorted((ROOT / "src" / "fortran").glob("*.c"))]
        folders = [ROOT / "src", ROOT / "include", self.build / "include"]
        words = [*C, *(f"-I{folder}" for folder in folders)]
        words += [f"-isystem{fortran.headers(self.name)}", f"-isystem{fortran.binding()}", *glue]
        compiler = toolchain.compiler("c")
        subprocess.run([*compiler, *map(str, words)], check=True, cwd=self.folder)
        named = [f"caucus_{name}".rstrip("_") + ".f90" for name in MODULES]
        own = ROOT / "bindings" / "fortran"
        modules = [folder / name for name in named for folder in (own, self.folder)]
        made = [*self.folder.glob("*.o"), *(path for path in modules if path.exists())]
        library = self.folder / "libcaucus_fortran.so"
        self.gfortran(*FORTRAN, "-shared", "-fPIC", *made, *self.linking, "-lcaucus", "-o", library)
        self.linking += [f"-L{self.folder}", f"-Wl,-rpath,{self.folder}"]

    def compile(self, source, *words):
        program = self.folder / "".join([source.name.replace(".", "_"), *words])
        if not program.exists():
            given = ["-cpp", "-w", "-ffree-line-length-none", *words, source, "-o", program]
            self.gfortran(*given, *self.linking, "-lcaucus_fortran", "-lcaucus")
        return program

    def run(self, ranks, program, preload=(), **env):
        """The lines of standard output."""
        words, outer = self.command(ranks, program, env, preload)
        done = subprocess.run(words, env=outer, capture_output=True, text=True, timeout=LIMIT)
        assert done.returncode == 0, done.stdout + done.stderr
        return [line.strip() for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    made = {}

    def get(name):
        if name not in made:
            made[name] = Module(tmp_path_factory.mktemp(name), name)
        return made[name]

    try:
        fortran.bring()
    except Problem as problem:
        pytest.skip(f"Fortran can't be had: {problem}")
    return get


@pytest.fixture(params=["mpich", pytest.param("openmpi", marks=pytest.mark.slow)])
def module(request, modules):
    return modules(request.param)


def test_every_collective_in_every_form(module):
    program = module.compile(SOURCES / "collectives.F90")
    assert module.run(4, program, CAUCUS_NODES="cyclic:2") == ["right"]


@pytest.mark.parametrize("name", ["grids", "groups", "channels"])
def test_every_other_function(module, name):
    program = module.compile(SOURCES / f"{name}.F90")
    ranks = turn.of([1, 2, 3, 4], f"{name} on {module.name}")
    several = {"CAUCUS_NODES": "cyclic:2", "TEST_NODES": "2"} if ranks > 1 else {}
    assert module.run(ranks, program, **several) == ["right"]


@pytest.mark.parametrize("words", [[], ["-DINCLUDES"]], ids=["mpi", "mpif.h"])
def test_beside_the_older_interfaces(module, words):
    program = module.compile(SOURCES / "older.F90", *words)
    assert module.run(4, program, CAUCUS_NODES="cyclic:2") == ["right"]


SAID = {
    "grid": [
        "a grid of 4 by 1 on 2 nodes",
        "the sum of all coordinates is 6",
        "edges between nodes, placed by row-major: 4 instead of 8",
    ],
    "graph": ["between nodes: 0 bytes instead of 400, and every part has its neighbour"],
    "persistent": [
        *(f"step {i}: the sums are 4 6 {4 * i}" for i in (1, 2, 3)),
        "the largest is 30",
    ],
    "groups": [
        "the odd ranks add up to 4",
        "merged, they are a communicator of 4 ranks",
        "4 ranks are alive",
    ],
    "intergroup": [
        "the others have 60",
        "step 1: the sum of the field is 1200",
        "step 2: the sum of the field is 2400",
    ],
    "redistribute": ["all 64 elements are where they are wanted"],
    "balance": ["120 steps were done"],
    "pool": ["the squares are 1 4 9 16 25 36 49 64"],
    "channel": ["the best is 79, say 4 ranks"],
}


def examples():
    """All of them in a full run, a third a day otherwise."""
    for number, name in enumerate(SAID):
        quick = number % 3 == turn.today() % 3
        yield pytest.param(name, marks=[] if quick else [pytest.mark.slow])


@pytest.mark.parametrize("name", examples())
def test_example(module, name):
    program = module.compile(EXAMPLES / f"{name}.f90")
    nodes = "2*2" if name == "graph" else "cyclic:2"
    assert sorted(module.run(4, program, CAUCUS_NODES=nodes)) == sorted(SAID[name])


def test_plain_program_has_the_same_answer_to_the_last_bit(module, tmp_path):
    """examples/fortran/sweep.f90 knows nothing of Caucus: without the drop-in and under it."""
    program, report = tmp_path / "sweep", tmp_path / "report.json"
    module.gfortran("-O2", EXAMPLES / "sweep.f90", "-o", program)
    alone = module.run(8, program)
    dropin = [module.build / "lib" / "libcaucus_dropin.so"]
    settings = {"CAUCUS_NODES": "cyclic:2", "CAUCUS_REPORT": report}
    assert module.run(8, program, dropin, **settings) == alone
    assert re.search(r"bits [0-9A-F]{16}$", alone[-2])
    (grid,) = json.loads(report.read_text())["communicators"]
    assert grid["off_node"] == {"before": 8, "after": 4}


PROJECT = """\
cmake_minimum_required(VERSION 3.21)
project(elsewhere LANGUAGES C Fortran)
find_package(caucus REQUIRED COMPONENTS fortran)
add_executable(program persistent.f90)
target_link_libraries(program caucus::fortran)
"""


def call(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_installed(modules, tmp_path):
    module, prefix, build = modules("openmpi"), tmp_path / "prefix", tmp_path / "build"
    call(toolchain.cmake(), "--install", module.build, "--prefix", prefix)
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    shutil.copy(EXAMPLES / "persistent.f90", tmp_path)
    words = [toolchain.cmake(), "-S", tmp_path, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}"]
    given = fortran.cmake_options("debian-openmpi")
    named = ("CMAKE_Fortran_COMPILER", "CMAKE_Fortran_FLAGS", "CMAKE_EXE_LINKER_FLAGS")
    call(*words, *(f"-D{name}={given[name]}" for name in named))
    call(toolchain.cmake(), "--build", build)
    assert module.run(4, build / "program") == SAID["persistent"]
    said = (prefix / "lib" / "pkgconfig" / "caucus_fortran.pc").read_text()
    flags = dict(re.findall(r"^(\w+)[:=] ?(.*)$", said, re.MULTILINE))
    assert flags["Requires"] == "caucus" and "-lcaucus_fortran" in flags["Libs"]
    modules_folder = Path(flags["moduledir"].replace("${prefix}", str(prefix)))
    assert {path.name for path in modules_folder.glob("caucus.*")} == {"caucus.mod", "caucus.f90"}


def public_names(folder):
    """Of the module, in lower case."""
    sources = [*(ROOT / "bindings" / "fortran").glob("*.f90"), folder / "caucus_functions.f90"]
    text = "\n".join(path.read_text() for path in sources)
    named = re.findall(r"^ *public :: (.*)$", text, re.MULTILINE)
    named += re.findall(r"^ *(?:integer|type).*public :: (\w+)", text, re.MULTILINE)
    words = re.findall(r"\bcaucus_\w+", "\n".join(named), re.IGNORECASE)
    return {word.lower() for word in words if not word.startswith("caucus_f_")}


def blank(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def test_constants_and_structures_are_those_of_c(tmp_path):
    types = (ROOT / "bindings" / "fortran" / "caucus_types.f90").read_text()
    constants = re.findall(r"public :: (CAUCUS_\w+) = (-?\d+)$", types, re.MULTILINE)
    assert len(constants) > 10
    lines = [f'_Static_assert({name} == {value}, "");\n' for name, value in constants]
    source = tmp_path / "constants.c"
    source.write_text("#include <caucus/caucus.h>\n" + "".join(lines))
    folders = [
        BUILD / "mpich" / "include",
        ROOT / "include",
        provision_mpi.prefix("mpich") / "include",
    ]
    words = [
        *toolchain.compiler("c"),
        "-fsyntax-only",
        *(f"-I{folder}" for folder in folders),
        source,
    ]
    subprocess.run([str(word) for word in words], check=True)
    headers = "".join(blank(path.read_text()) for path in (ROOT / "include" / "caucus").glob("*.h"))
    structures = {
        name: re.findall(r"(\w+)(?:\[\w+\])?;", body)
        for body, name in re.findall(r"typedef struct \w* ?\{([^}]*)\} (\w+);", headers)
    }
    compared = 0
    for name, body in re.findall(
        r"type, bind\(C\), public :: (\w+)$(.*?)end type", types, re.DOTALL | re.MULTILINE
    ):
        members = re.findall(r":: (\w+)", body)
        wanted = structures.get(name.replace("caucus_f_", "caucus_"))
        if wanted is None:
            assert members == ["object"], name  # a handle
        else:
            assert members == wanted, name
            compared += 1
    assert compared == 9


def test_nothing_is_left_out(tmp_path):
    """Each function of C's is in the module, and each public name of it is used by a test."""
    headers = BUILD / "mpich" / "include" / "caucus"
    if not headers.exists():
        pytest.skip("nothing is built: run 'make build'")
    generate_fortran.write(tmp_path, headers)
    public = public_names(tmp_path) | {"caucus_error_text", "caucus_version"}
    found = generate_fortran.calls(headers)
    assert {call.name for call in found} <= public
    used = "\n".join(path.read_text().lower() for path in SOURCES.glob("*.*"))
    used = set(re.findall(r"\bcaucus_\w+", used))
    used |= {
        function_of(name, form, large, over)
        for over in ("comm", "group")
        for name in names_over(over)
        for form, large in versions(name)
    }
    abstract = {name for name in public if name.endswith(("_function", "_body"))}
    unused = public - used - abstract
    assert not unused, sorted(unused)
