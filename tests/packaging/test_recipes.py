# SPDX-License-Identifier: BSD-3-Clause
"""What packagers take: the Debian source package, the Spack recipe, the container file, pip's
project. They name options and files that there are, and say the same version."""

import importlib.util
import re
import sys
import types
from pathlib import Path

import pytest

import generate_exports
from provision import toolchain
from provision.paths import ROOT

PACKAGING = ROOT / "packaging"
CMAKE = (ROOT / "CMakeLists.txt").read_text()
PYTHON = ROOT / "bindings" / "python"
VERSION = re.search(r"project\(caucus VERSION ([\d.]+)", CMAKE).group(1)
SCRIPTS = "".join(path.read_text() for path in (ROOT / "cmake").glob("*.cmake"))
OPTIONS = set(re.findall(r"^(?:option|set)\((CAUCUS_[A-Z_]+) [^)]*", SCRIPTS, re.MULTILINE))


def test_options_are_seen():
    assert {"CAUCUS_TESTS", "CAUCUS_MPI", "CAUCUS_COMMAND_LINE", "CAUCUS_BENCH"} <= OPTIONS


@pytest.mark.parametrize("file", ["debian/rules", "container/Containerfile"])
def test_options_are_there(file):
    named = set(re.findall(r"-D(CAUCUS_\w+)", (PACKAGING / file).read_text()))
    assert named and named <= OPTIONS


# Spack


class Recipe(type):
    """Collects what a recipe declares in the body of its class."""

    @classmethod
    def __prepare__(cls, name, bases):
        said = {"variant": [], "depends_on": [], "version": [], "license": []}
        return {
            "said": said,
            **{
                word: lambda *words, _list=entries, **options: _list.append((words, options))
                for word, entries in said.items()
            },
        }


class Package(metaclass=Recipe):
    def define(self, name, value):
        return f"-D{name}={value}"

    def define_from_variant(self, name, variant):
        assert variant in {words[0] for words, _ in self.said["variant"]}
        return f"-D{name}:BOOL={'ON' if f'+{variant}' in self.spec.words else 'OFF'}"


class Spec:
    def __init__(self, words):
        self.words = words

    def satisfies(self, word):
        return word in self.words


@pytest.fixture
def recipe(monkeypatch):
    package = types.ModuleType("spack.package")
    package.CMakePackage = Package
    monkeypatch.setitem(sys.modules, "spack", types.ModuleType("spack"))
    monkeypatch.setitem(sys.modules, "spack.package", package)
    path = PACKAGING / "spack" / "packages" / "caucus" / "package.py"
    place = importlib.util.spec_from_file_location("recipe", path)
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module.Caucus


def test_spack(recipe):
    """Each variant is an option of CMake's; what is needed is what CMake asks for."""
    assert (("0.1.0",), {"tag": f"v{VERSION}"}) in recipe.said["version"]
    assert Path(recipe.git.removeprefix("file://")) == ROOT
    made = recipe()
    made.spec = Spec(["+mpi", "+command"])
    defined = dict(word[2:].split("=") for word in made.cmake_args())
    assert {name.split(":")[0] for name in defined} <= OPTIONS
    assert defined["CAUCUS_MPI"] == "system" and defined["CAUCUS_COMMAND_LINE:BOOL"] == "ON"
    assert defined["CAUCUS_BENCH:BOOL"] == "OFF"
    assert len(defined) == len(recipe.said["variant"])
    made.spec = Spec([])
    assert "-DCAUCUS_MPI=none" in made.cmake_args()
    wanted = {
        words[0].split("@")[0]: (words[0], options) for words, options in recipe.said["depends_on"]
    }
    floor = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)\)", CMAKE).group(1)
    assert wanted["cmake"][0] == f"cmake@{floor}:"
    assert wanted["mpi"] == ("mpi@3.1:", {"when": "+mpi"})
    assert {"hwloc", "py-rich", "python", "c", "googletest"} <= set(wanted)


# Debian


def stanzas():
    text = re.sub(r"^#.*\n", "", (PACKAGING / "debian" / "control").read_text(), flags=re.MULTILINE)
    for part in text.strip().split("\n\n"):
        yield dict(re.findall(r"^([\w-]+): *((?:.*)(?:\n[ \t].*)*)", part, re.MULTILINE))


def test_debian_names():
    """Packages of libraries are named after the version in the file names, as Debian wants it."""
    source, *binary = stanzas()
    assert source["Source"] == "caucus" and "libhwloc-dev" in source["Build-Depends"]
    names = {one["Package"] for one in binary}
    interface = generate_exports.interface(VERSION)
    assert {f"libcaucus{interface}", f"libcaucus-plan{interface}"} < names
    assert f"libcaucus-dropin{interface}" in names
    changes = (PACKAGING / "debian" / "changelog").read_text()
    assert changes.startswith(f"caucus ({VERSION}-")


# The version, besides what tests/python/test_pages.py looks at


@pytest.mark.parametrize(
    "file, text",
    [
        ("docs/Doxyfile", f"PROJECT_NUMBER         = {VERSION}\n"),
        ("docs/conf.py", f'version = release = "{VERSION}"'),
        ("CITATION.cff", f"version: {VERSION}\n"),
        ("include/caucus/version.h", f'#define CAUCUS_VERSION "{VERSION}"'),
        ("docs/install.md", f"`CAUCUS_PRIVATE_{VERSION}`"),
        (
            "bindings/python/caucus/library.py",
            f'SUFFIXES = (".so", ".so.{generate_exports.interface(VERSION)}")',
        ),
    ],
)
def test_one_version(file, text):
    assert text in (ROOT / file).read_text()


# pip


def test_one_project_of_python():
    """Two of one name would take each other's files away."""
    tomllib = pytest.importorskip("tomllib")
    assert not [name for name in ("pyproject.toml", "setup.py") if (PYTHON / name).exists()]
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert ours["dynamic"] == ["version"] and "mpi" in ours["optional-dependencies"]
    defined = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["scikit-build"]
    assert {name for name in defined["cmake"]["define"] if name.startswith("CAUCUS")} <= OPTIONS
    assert re.search(defined["metadata"]["version"]["regex"], CMAKE)["value"] == VERSION


# An MPI of the machine


@pytest.mark.parametrize(
    "commands, said",
    [
        ({}, "needs an mpicc on the PATH: install libmpich-dev or libopenmpi-dev"),
        ({"mpiexec": "orterun"}, "needs an mpicc on the PATH: install libopenmpi-dev (Debian"),
        ({"mpicc": "opal_wrapper"}, "finds no mpi.h: install libopenmpi-dev (Debian"),
        ({"mpicc": "mpicc.mpich"}, "finds no mpi.h: install libmpich-dev (Debian"),
    ],
)
def test_a_system_without_headers(commands, said, tmp_path, monkeypatch):
    """make MPI=system names the package."""
    from provision import mpi
    from provision.problem import Problem

    compiler = toolchain.compiler("c")[0]
    for command, real in commands.items():
        (tmp_path / real).write_text(f'#!/bin/sh\nexec {compiler} "$@"\n')
        (tmp_path / real).chmod(0o755)
        if command != real:
            (tmp_path / command).symlink_to(tmp_path / real)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Problem, match=re.escape(said)):
        mpi.bring("system")
