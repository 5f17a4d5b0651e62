# SPDX-License-Identifier: BSD-3-Clause
"""What the built libraries need from MPI, and which names they put into a program."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import symbols

import public_headers

ROOT = Path(__file__).resolve().parents[2]
PLANNER = "libcaucus_plan.so"
# What each may define, and a function that it does.
LIBRARIES = (
    (PLANNER, r"caucus_", "caucus_algorithm_choose"),
    ("libcaucus.so", r"caucus_", "caucus_cart_create"),
    ("libcaucus_dropin.so", r"caucus_|MPIX?_|mpix?_", "MPI_Cart_create"),
)
BUILDS = sorted(path.parent for path in ROOT.glob(f"build/*/lib/{PLANNER}"))


def has_mpi(folder):
    return "CAUCUS_MPI:STRING=none" not in (folder.parent / "CMakeCache.txt").read_text()


def test_something_is_built():
    if not BUILDS:
        pytest.skip("nothing is built: run 'make test'")


@pytest.mark.parametrize("folder", BUILDS, ids=lambda folder: folder.parent.name)
def test_the_planner_knows_no_mpi(folder):
    defined, undefined = symbols.of(folder / "libcaucus_plan.so")
    assert symbols.of_mpi(defined | undefined) == []


@pytest.mark.parametrize("folder", BUILDS, ids=lambda folder: folder.parent.name)
@pytest.mark.parametrize("name, pattern, known", LIBRARIES, ids=[name for name, *_ in LIBRARIES])
def test_libraries_keep_to_their_own_names(folder, name, pattern, known):
    if name != PLANNER and not has_mpi(folder):
        pytest.skip("a build without MPI has the planner alone")
    defined, _ = symbols.of(folder / name)
    assert known in defined
    assert symbols.foreign(defined, pattern) == []


def versioned(library):
    """{function: version} of what a library exports."""
    said = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True)
    names = [line.split()[-1].split("@@") for line in said.stdout.splitlines()]
    return {parts[0]: parts[-1] for parts in names if parts[0].startswith("caucus_")}


def is_sanitized(folder):
    return "-" in folder.parent.name or folder.parent.name == "fuzz"


@pytest.mark.parametrize("folder", BUILDS, ids=lambda folder: folder.parent.name)
@pytest.mark.parametrize("library", ["caucus", "caucus_plan"])
def test_public_functions_alone_have_the_version_of_the_interface(folder, library):
    if is_sanitized(folder) or not (folder / f"lib{library}.so").exists():
        pytest.skip("a sanitizer exports names of its own" if is_sanitized(folder) else "none")
    headers = public_headers.read(folder.parent / "include" / "caucus")
    public = {one.name for h in headers for one in public_headers.functions(h) if not one.is_type}
    found = versioned(folder / f"lib{library}.so")
    by_version = {version: set() for version in found.values()}
    for name, version in found.items():
        by_version[version].add(name)
    (private,) = [version for version in by_version if "PRIVATE" in version]
    (interface,) = set(by_version) - {private}
    assert by_version[interface] == public & set(found)
    of_the_planner = {name for name in public if re.match("caucus_(plan|study)_", name)}
    theirs = of_the_planner if library == "caucus_plan" else public - of_the_planner
    assert len(theirs) > 30 and sorted(theirs - set(found)) == []
    assert private.startswith(f"CAUCUS_PRIVATE_{interface.split('_')[1]}.")


@pytest.mark.parametrize("folder", BUILDS, ids=lambda folder: folder.parent.name)
def test_the_dropin_exports_names_of_mpi_and_what_it_was_built_for(folder):
    library = folder / "libcaucus_dropin.so"
    if is_sanitized(folder) or not library.exists():
        pytest.skip("a sanitizer's, or none")
    assert set(versioned(library)) == {"caucus_dropin_family"}
    assert "MPI_Cart_create" in symbols.of(library)[0]


def studied(folder, names):
    """Those of names that an object of src/study defines."""
    return sorted(names & symbols.inside(folder / "libcaucus_study.a")[0])


@pytest.mark.parametrize("folder", BUILDS, ids=lambda folder: folder.parent.name)
@pytest.mark.parametrize("name", ["libcaucus.so", "libcaucus_dropin.so"])
def test_the_library_has_nothing_of_the_studies(folder, name):
    if (folder / name).exists():
        assert studied(folder, symbols.inside(folder / name)[1]) == []
        needed = subprocess.run(["readelf", "-d", folder / name], capture_output=True, text=True)
        assert needed.stdout.count("NEEDED") > 1 and "libcaucus_plan" not in needed.stdout


@pytest.mark.parametrize("folder", BUILDS, ids=lambda folder: folder.parent.name)
def test_the_planner_has_all_of_them(folder):
    found = studied(folder, symbols.of(folder / "libcaucus_plan.so")[0])
    assert "caucus_plan_create" in found and "caucus_schedule_verify" in found


IN_VAIN = """
import ctypes, sys
plan = ctypes.CDLL(sys.argv[1], int(sys.argv[2]))
plan.caucus_error_text.restype = ctypes.c_char_p
made = ctypes.c_void_p()
failed = plan.caucus_plan_create(99, None, None, None, None, None, 0, ctypes.byref(made))
print(failed, plan.caucus_error_text().decode())
"""


@pytest.mark.parametrize("mode", ["RTLD_LOCAL", "RTLD_GLOBAL"])
@pytest.mark.parametrize("before", [[], ["libcaucus.so"], ["libcaucus_dropin.so"]])
def test_both_libraries_in_a_process_have_one_error_text(before, mode):
    folders = [f for f in BUILDS if all((f / name).exists() for name in ["libcaucus.so", *before])]
    folders = [f for f in folders if "-" not in f.parent.name]  # sanitizers want to come first
    if not folders:
        pytest.skip("no build with MPI")
    words = [sys.executable, "-c", IN_VAIN, folders[0] / "libcaucus_plan.so"]
    environment = dict(os.environ, LD_PRELOAD=":".join(str(folders[0] / name) for name in before))
    done = subprocess.run(
        [*words, str(int(getattr(os, mode)))], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    failed, _, text = done.stdout.strip().partition(" ")
    assert failed == "1" and "99" in text


@pytest.mark.parametrize(
    "body, seen",
    [("int f(void) { return MPI_Init(0, 0); }", True), ("int f(void) { return 0; }", False)],
)
def test_a_call_of_mpi_would_be_seen(body, seen, tmp_path):
    source, library = tmp_path / "a.c", tmp_path / "liba.so"
    source.write_text("int MPI_Init(int *, char ***);\n" + body)
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", library], check=True)
    defined, undefined = symbols.of(library)
    assert bool(symbols.of_mpi(undefined)) == seen
    assert symbols.foreign(defined, "caucus_") == ["f"]
