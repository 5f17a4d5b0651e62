# SPDX-License-Identifier: BSD-3-Clause
"""An installation serves a project of somebody else, through CMake and through pkg-config."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import mpi_launch
from provision import toolchain

ROOT = Path(__file__).resolve().parents[2]
MPI = "mpich"
BUILD = ROOT / "build" / MPI

PROGRAM = """\
#include <caucus/caucus.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int dims[2] = {0, 0}, periods[2] = {1, 1}, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    caucus_dims_create(MPI_COMM_WORLD, size, 2, NULL, periods, dims);
    printf("%d ranks in a grid of %d\\n", size, dims[0] * dims[1]);
    return MPI_Finalize();
}
"""
PROJECT = """\
cmake_minimum_required(VERSION 3.21)
project(elsewhere LANGUAGES C)
find_package(caucus REQUIRED)
add_executable(program program.c)
target_link_libraries(program caucus::caucus)
"""


def call(*command, **options):
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=300, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("prefix")
    call(toolchain.cmake(), "--install", BUILD, "--prefix", prefix)
    return prefix


@pytest.fixture
def project(tmp_path):
    (tmp_path / "program.c").write_text(PROGRAM)
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    return tmp_path


def runs(program):
    words, environment = mpi_launch.command(MPI, 2, [program])
    # Nothing but what is built into the program and the libraries may lead it to them.
    environment.pop("LD_LIBRARY_PATH", None)
    return call(*words, env=environment).count("2 ranks in a grid of 2") == 2


def test_cmake_package(installed, project):
    build = project / "build"
    call(toolchain.cmake(), "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={installed}")
    call(toolchain.cmake(), "--build", build)
    assert runs(build / "program")


def test_cmake_package_version(installed, project):
    text = (project / "CMakeLists.txt").read_text().replace("caucus REQ", "caucus 99 REQ")
    (project / "CMakeLists.txt").write_text(text)
    options = ["-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={installed}"]
    done = subprocess.run([toolchain.cmake(), *options], capture_output=True, text=True)
    assert done.returncode != 0 and "99" in done.stderr


def read_pkg_config(path, word):
    """The words of a field of a .pc file, for machines without pkg-config."""
    values = {"pcfiledir": str(path.parent)}
    for line in path.read_text().splitlines():
        for mark in ("=", ":"):
            name, found, value = line.partition(mark)
            if found and name.isidentifier():
                for known, text in values.items():
                    value = value.replace("${%s}" % known, text)
                values[name] = value.strip()
                break
    return values[word].split()


def test_pkg_config(installed, project):
    path = next(installed.glob("lib*/pkgconfig/caucus.pc"))
    flags = read_pkg_config(path, "Cflags") + read_pkg_config(path, "Libs")
    if shutil.which("pkg-config"):
        environment = dict(os.environ, PKG_CONFIG_PATH=str(path.parent))
        flags = call("pkg-config", "--cflags", "--libs", "caucus", env=environment).split()
    program = project / "program"
    call(*toolchain.compiler("c"), project / "program.c", "-o", program, *flags)
    assert runs(program)
