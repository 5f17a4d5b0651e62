# SPDX-License-Identifier: BSD-3-Clause
"""Finding the library: the one for the MPI that mpi4py runs on, or a sentence; and the command line
does without mpi4py."""

import os
import shutil
import subprocess
import sys

import programs
import pytest

import mpi_launch

PACKAGE = programs.ROOT / "bindings" / "python"
TELL = "from caucus.mpi.library import load; print(load().path)"


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """The package outside its tree, without the libraries that pip puts below it."""
    installed = tmp_path_factory.mktemp("installed")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE / "caucus", installed / "caucus", ignore=ignored)
    return installed


def python(package, code, *folders, status=0):
    """What is said, by a program that is its only rank."""
    paths = [str(folder) for folder in folders]
    paths += filter(None, [os.environ.get("LD_LIBRARY_PATH")])
    known = {name: value for name, value in os.environ.items() if not name.startswith("CAUCUS_")}
    env = {**known, "LD_LIBRARY_PATH": ":".join(paths), "PYTHONPATH": str(package)}
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, env=env)
    assert done.returncode == status, done.stdout + done.stderr
    return (done.stderr if status else done.stdout).strip()


def folders(mpi):
    library, of_mpi = programs.BUILD / mpi / "lib", mpi_launch.mpiexec_of(mpi).parents[1] / "lib"
    if not (library / "libcaucus.so").exists():
        pytest.skip(f"there is no build for {mpi}: run 'make build MPI={mpi}'")
    return library, of_mpi


def test_the_right_one_of_several(elsewhere):
    library, mpich = folders("mpich")
    other, _ = folders("openmpi")
    assert python(elsewhere, TELL, other, library, mpich) == str(library / "libcaucus.so")


def test_only_one_for_another_mpi(elsewhere):
    _, mpich = folders("mpich")
    other, _ = folders("openmpi")
    said = python(elsewhere, "import caucus.mpi", other, mpich, status=1).splitlines()[-1]
    assert "mpi4py runs on MPICH Version: 5" in said and "(libmpi.so.12)" in said
    assert f"{other / 'libcaucus.so'} is for another one (libmpi.so.40)" in said
    assert "put the folder of that libcaucus.so on LD_LIBRARY_PATH" in said


def test_none(elsewhere):
    _, mpich = folders("mpich")
    caught = "try: import caucus.mpi\nexcept ImportError as problem: print(problem)"
    said = python(elsewhere, caught, mpich)
    assert "there is no libcaucus.so for it" in said


def test_one_of_another_version(elsewhere):
    """Its structures may be others."""
    code = "import caucus; caucus.__version__ = '9.8.7'; import caucus.mpi"
    said = python(elsewhere, code, *folders("mpich"), status=1).splitlines()[-1]
    assert "is of version 0." in said and "this package of 9.8.7" in said


def test_folders_need_be_no_text(elsewhere, tmp_path):
    """What is in the process may lie anywhere."""
    library, mpich = folders("mpich")
    odd = tmp_path / os.fsdecode(b"caf\xe9")
    odd.mkdir()
    shutil.copy(library / "libcaucus.so", odd)
    opened = f"from mpi4py import MPI; import ctypes; ctypes.CDLL({str(odd / 'libcaucus.so')!r}); "
    said = python(elsewhere, opened + TELL.replace("load().path", "ascii(load().path)"), mpich)
    assert said == ascii(str(odd / "libcaucus.so"))


def test_types_are_installed(elsewhere):
    assert (elsewhere / "caucus" / "py.typed").exists()


def test_something_that_is_no_library(elsewhere, tmp_path):
    _, mpich = folders("mpich")
    (tmp_path / "lib").mkdir()
    header = b"\x7fELF\x02\x01"
    for content in (b"", b"text", header + b" and no more", header + b"\xff" * 64):
        (tmp_path / "lib" / "libcaucus.so").write_bytes(content)
        said = python(elsewhere, "import caucus.mpi", tmp_path / "lib", mpich, status=1)
        assert "libcaucus.so is " in said.splitlines()[-1], said


def test_the_command_line_does_without():
    code = "import sys, caucus, caucus.cli; print(*(n for n in sys.modules if 'mpi4py' in n))"
    assert python(PACKAGE, code) == ""


def test_without_mpi4py(elsewhere):
    code = "import sys; sys.modules['mpi4py'] = None; import caucus.mpi"
    said = python(elsewhere, code, status=1).splitlines()[-1]
    assert "mpi4py" in said and "pip install mpi4py" in said


@pytest.mark.parametrize("kind", ["ImportError", "RuntimeError"])
def test_mpi4py_for_another_mpi(elsewhere, tmp_path, kind):
    """What its wheels raise where the MPI has another name differs by version."""
    (tmp_path / "mpi4py").mkdir()
    (tmp_path / "mpi4py" / "__init__.py").write_text("")
    problem = "libmpi.so.12: cannot open shared object file"
    (tmp_path / "mpi4py" / "MPI.py").write_text(f"raise {kind}({problem!r})\n")
    said = python(f"{tmp_path}:{elsewhere}", "import caucus.mpi", status=1).splitlines()[-1]
    assert said.startswith("ImportError: ") and problem in said
    assert "pip install --force-reinstall --no-cache-dir --no-binary mpi4py mpi4py" in said
