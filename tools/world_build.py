# SPDX-License-Identifier: BSD-3-Clause
"""Builds what a seeded world needs: the world itself, and images of rank programs.

An image is a test program and the library in one shared object, in which every call of MPI, and the
calls of the C library that the world answers itself, have other names (tests/world).
"""

import functools
import hashlib
import os
import re
import subprocess
from pathlib import Path

import build
from provision import libraries, mpi, stamp, toolchain
from provision.paths import BUILD, ROOT
from provision.problem import Problem

HERE = ROOT / "tests" / "world"
PLANNER = ("caucus_core", "caucus_study")  # has no atomic access: as the tests of plans have it
FLAGS = f"-O1 -fno-omit-frame-pointer -include {HERE}/atomics.h"
# Of MPI: what knows no other rank stays the real one's.
NATIVE = re.compile(
    r"^P?MPI_(Type_(?!free)|Op_(?!free)|Info_|Pack_ext|Unpack_ext|Get_(address|count|elements|version|library)"
    r"|Status_|Error_|Add_error_|Reduce_local|Dims_create|Aint_|T_|Remove_error_)"
)
# Of the C library: what the world has.
LIBRARY = set(
    "sched_yield usleep sleep nanosleep clock_gettime gettimeofday time getpid exit _exit"
    " abort __assert_fail kill raise signal sigaction getenv setenv unsetenv getrandom"
    " malloc calloc realloc free aligned_alloc posix_memalign strdup strndup"
    " setrlimit getrlimit readlink open shm_open shm_unlink posix_fallocate mmap munmap"
    " process_vm_readv process_vm_writev fopen dlsym dl_iterate_phdr mallinfo2"
    " hwloc_topology_init hwloc_topology_load hwloc_topology_destroy pthread_create"
    " pthread_join pthread_detach pthread_self pthread_equal pthread_mutex_init"
    " pthread_mutex_destroy pthread_mutex_trylock pthread_mutex_lock pthread_mutex_unlock"
    " pthread_cond_init pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast"
    " pthread_cond_wait pthread_cond_timedwait pthread_once pthread_barrier_init"
    " pthread_barrier_destroy pthread_barrier_wait".split()
)


def run(words, **options):
    done = subprocess.run(
        [str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options
    )
    text = done.stdout.decode(errors="replace")
    if done.returncode:
        command = " ".join(map(str, words))
        raise Problem(f"{command[:300]} failed:\n{text[-4000:]}")
    return text


def folder_of(source):
    """Builds of other checkouts have their own folder."""
    if source == ROOT:
        return BUILD / "world"
    return BUILD / ("world-" + hashlib.sha256(str(source).encode()).hexdigest()[:8])


@functools.cache
def key_of(*what):
    """Other settings, another MPI or compiler: what was built with those is of no use."""
    compiler = run(["gcc", "--version"]).splitlines()[0]
    home = mpi.prefix("openmpi")
    headers = (home / "include" / "mpi.h").stat().st_mtime
    told = repr((what, compiler, mpi.cmake_options("openmpi"), headers))
    return hashlib.sha256(told.encode()).hexdigest()[:8]


def host():
    """The program that is the world."""
    sources = sorted(HERE.glob("*.c"))
    folder = BUILD / "world"
    made = folder / "bin" / "caucus_world"
    newest = max(path.stat().st_mtime for path in HERE.iterdir())
    key = made.parent / f"key-{key_of()}"
    if key.exists() and made.exists() and made.stat().st_mtime > newest:
        return made
    made.parent.mkdir(parents=True, exist_ok=True)
    linked = made.with_suffix(f".{os.getpid()}")
    home = mpi.prefix("openmpi")
    library = home / "lib"
    run(
        [
            "gcc",
            "-std=c17",
            "-D_GNU_SOURCE",
            "-O2",
            "-g",
            "-Wall",
            "-Wextra",
            "-Wshadow",
            "-rdynamic",
        ]
        + [f"-Wl,--wrap={name}" for name in ("malloc", "calloc", "realloc", "free", "strdup")]
        + ["-isystem", home / "include", *sources, "-o", linked, "-Wl,--no-as-needed"]
        + [library / "libmpi.so.40", f"-Wl,-rpath,{library}", "-lhwloc", "-lm", "-ldl"]
    )
    os.replace(linked, made)
    for stale in made.parent.glob("key-*"):
        stale.unlink(missing_ok=True)
    key.touch()
    return made


def objects(source, targets):
    """Configures and builds the targets of a checkout; returns the build folder."""
    with stamp.one_at_a_time():  # which is for build/plan too
        return _configured_and_built(source, targets)


def _configured_and_built(source, targets):
    folder, ours = folder_of(source) / "objects", source == ROOT
    planner = build.build(build.PLAN, True, quiet=True, target="caucus_plan") if ours else None
    launcher = folder / "shared"  # CMake has -fPIE for programs, at the end
    configured = folder / f"flags-{key_of(FLAGS, str(planner))}"
    if not configured.exists():
        folder.mkdir(parents=True, exist_ok=True)
        launcher.write_text('#!/bin/sh\nexec "$@" -fPIC\n')
        launcher.chmod(0o755)
        found = {**mpi.cmake_options("openmpi"), **libraries.cmake_options()}
        if planner:
            found["CAUCUS_PLAN_OBJECTS"] = planner
        run(
            [toolchain.cmake(), "-S", source, "-B", folder, "-G", "Ninja"]
            + [f"-D{name}={value}" for name, value in found.items()]
            + ["-DCAUCUS_TESTS=ON", "-DCAUCUS_PLAN_TESTS=OFF"]
            + ["-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_C_FLAGS={FLAGS}"]
            + [f"-DCMAKE_C_COMPILER_LAUNCHER={launcher}"]
            + [f"-DCMAKE_MAKE_PROGRAM={toolchain.ninja()}"]
        )
        for stale in folder.glob("flags-*"):
            stale.unlink()
        configured.touch()
    run([toolchain.cmake(), "--build", folder, "--target", *targets])
    for built in filter(None, (folder, planner)):  # objects of files that are gone
        run([toolchain.ninja(), "-C", built, "-t", "cleandead"])
    return folder


def is_own(program):
    """Whether a program is only for worlds."""
    return program.parent.parent == HERE


def target_of(program):
    """The CMake target of a program that is named by its source file."""
    kinds = {"mpi": "mpi_test", "dropin": "dropin_test", "examples": "example", "bench": "bench"}
    return f"{kinds[program.parent.name]}_{program.stem}"


def _renamed(symbol):
    if symbol == "main":
        return "rank_main"
    match = re.match(r"^P?MPI(X?_.*)$", symbol)
    return f"world{match.group(1)}" if match else f"world_{symbol}"


def _is_worlds(symbol):
    if re.match(r"^P?MPIX?_", symbol):
        return not NATIVE.match(symbol)
    return symbol == "main" or symbol in LIBRARY


def _includes(source, built):
    ours = [source / "include", source / "src", source / "tests" / "mpi"]
    return [mpi.prefix("openmpi") / "include", built / "include", *ours]


def build_objects(source, programs):
    """What images of these programs are made of, in one go."""
    targets = [target_of(path) for path in programs if not is_own(path)]
    return objects(source, ["caucus", "caucus_study", "caucus_dropin", *targets])


def _objects_of(folder, room):
    found = sorted((folder / f"CMakeFiles/{room}.dir").rglob("*.o"))
    return found or sorted((BUILD / build.PLAN / f"CMakeFiles/{room}.dir").rglob("*.o"))


def image(source, program, dropin, folder):
    """The image of a program, with the drop-in or without, from its objects."""
    rooms = [*PLANNER, "caucus", *(["caucus_dropin"] if dropin else [])]
    library = [path for room in rooms for path in _objects_of(folder, room)]
    parts = [_own(source, program, folder)] if is_own(program) else None
    parts = parts or _objects_of(folder, target_of(program))
    images = folder_of(source) / "images"
    images.mkdir(parents=True, exist_ok=True)
    made = images / (program.stem + ("-dropin" if dropin else "") + ".so")
    if _is_newer(made, [*library, *parts]):
        return made
    scratch = made.with_suffix(f".{os.getpid()}.o")
    common = _common(images / ("library" + ("-dropin" if dropin else "") + ".o"), library)
    has, wants = _symbols(common)
    joined = _joined(scratch, parts)
    own, _ = _symbols(joined)
    if {name for name in own if _renamed(name) in wants}:  # the library calls the program's
        objects = [_renaming(_joined(scratch, [*library, *parts]), ())]
    else:
        objects = [_renaming(joined, has), common]
    shared = made.with_suffix(f".{os.getpid()}.so")
    run(["gcc", "-shared", "-Wl,-Bsymbolic", "-o", shared, *objects, "-lm"])
    os.replace(shared, made)
    scratch.unlink()
    return made


def _own(source, program, folder):
    """The object of a program that is only for worlds."""
    made = folder / f"{program.stem}.o"
    partial = folder / f"{program.stem}.{os.getpid()}.o"
    includes = [f"-I{path}" for path in _includes(source, folder)]
    run(["gcc", *FLAGS.split(), "-fPIC", *includes, "-c", program, "-o", partial])
    os.replace(partial, made)
    return made


def _is_newer(made, parts):
    newest = max(path.stat().st_mtime for path in [*parts, Path(__file__)])
    return made.exists() and made.stat().st_mtime > newest


def _common(made, library):
    """The library in one object, with the world's names; all images have it."""
    if not _is_newer(made, library):
        partial = made.with_suffix(f".{os.getpid()}.o")
        os.replace(_renaming(_joined(partial, library), ()), made)
    return made


def _joined(whole, parts):
    run(["ld", "-r", "-S", "-o", whole, *parts])
    return whole


def _symbols(path):
    """The names that an object defines for others, and those that it wants of others."""
    has, wants = set(), set()
    for line in run(["nm", "--extern-only", path]).splitlines():
        kind, name = line.split()[-2:]
        (wants if kind in "Uvw" else has).add(name)
    return has, wants


def _renaming(whole, had):
    """Gives it the world's names, but for what the library has itself."""
    _, wants = _symbols(whole)
    # objcopy wants different names for MPI_X and PMPI_X: in two passes they can have the same.
    for chosen in (r"^PMPI", r"^(?!PMPI)"):
        renames = [
            f"{symbol} {_renamed(symbol)}"
            for symbol in sorted({*wants, "main"} - set(had))
            if re.match(chosen, symbol) and _is_worlds(symbol)
        ]
        if not renames:
            continue
        names = whole.with_suffix(".names")
        names.write_text("\n".join(renames) + "\n")
        run(["objcopy", f"--redefine-syms={names}", whole])
        names.unlink()
    return whole
