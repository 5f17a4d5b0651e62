# SPDX-License-Identifier: BSD-3-Clause
"""Builds with sanitizers, and what their runs need."""

from pathlib import Path

from provision import shell, toolchain
from provision.paths import ROOT

from . import builds, plans, programs, turn
from .programs import Target

KINDS = ("address,undefined", "thread")
SUPPRESSIONS = ROOT / "tests" / "sanitizers"


def jobs(run, kind, found):
    """The builds; plans, and the programs on MPICH: with the thread sanitizer those that have
    threads."""
    section = f"the {kind} sanitizer"
    yield builds.job(run, "plan", kind, lambda: missing(kind))
    yield builds.job(run, "mpich", kind, lambda: missing(kind))
    yield from plans.jobs(run, f"{section}, plans", kind, environment(kind))
    to = target(kind, builds.folder_of("mpich", kind), "mpich")
    threads = kind == "thread"
    selected = programs.chosen(found, to, "greatest" if threads else "programs", turn.ALTERNATE)
    if threads:
        selected = [case for case in selected if case.has_threads]
    yield from programs.jobs(
        run, f"{section}, programs", to, selected, (builds.name_of("mpich", kind),)
    )


def environment(kind):
    """Where the sanitizers find the faults of MPI libraries that are not ours."""
    if kind == "thread":
        return {
            "TSAN_OPTIONS": f"suppressions={SUPPRESSIONS / 'thread.txt'} halt_on_error=1",
            # UCX replaces functions of the C library at run time, and the sanitizer does too.
            "UCX_MEM_EVENTS": "n",
        }
    return {
        "ASAN_OPTIONS": "detect_leaks=1 strict_string_checks=1",
        "LSAN_OPTIONS": f"suppressions={SUPPRESSIONS / 'leak.txt'} print_suppressions=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


def target(kind, folder, launcher):
    """A build with a sanitizer, to be started by `launcher`."""
    label = f"{launcher} with the {kind} sanitizer"
    return Target(label, folder, launcher, environment(kind), runtime(kind))


def runtime(kind):
    """The sanitizer's library, which must be preloaded before the drop-in is."""
    name = "libtsan.so" if kind == "thread" else "libasan.so"
    said = shell.run([*toolchain.compiler("c"), f"-print-file-name={name}"])
    path = Path(said.output.strip())
    return (path,) if path.is_absolute() else ()


def missing(kind):
    """Why a sanitizer cannot be used here; None if it can."""
    probe = "int main(void) { return 0; }"
    program = ROOT / ".cache" / f"probe-{kind.replace(',', '-')}"
    source = program.with_suffix(".c")
    source.write_text(probe)
    command = [*toolchain.compiler("c"), f"-fsanitize={kind}", source, "-o", program]
    built = shell.run(command)
    if not built.good:
        return f"the compiler has no {kind} sanitizer"
    ran = shell.run([program])
    return None if ran.good else f"the {kind} sanitizer does not run here ({ran.last_line()})"
