# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tests against every MPI that can be had; FULL=1 runs all of them, sanitizers too."""

import argparse

import setup
from build import build
from provision import mpi, stamp
from provision.problem import Problem, run_main
from testing import faults, plans, programs, sanitizers, scripts, static
from testing.programs import Target
from testing.results import Results

NEEDED = ("mpich", "openmpi")
WELCOME = ("intel",)
REACH = {"mpich": "wide", "openmpi": "narrow"}
FULL_REACH = {"mpich": "full", "openmpi": "full", "intel": "narrow", "abi": "narrow"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="everything, sanitizer builds too")
    full = parser.parse_args().full
    results = Results()
    setup.prepare({"build", "run", "test"}, NEEDED)
    targets = build_targets(results)
    first = targets[0].folder

    results.section("plans")
    plans.run(results, first, {"TEST_FULL": "1"} if full else {})
    results.section("formatting and static checks")
    for finding in [*static.formatting(), *static.lint(first)]:
        results.add(*finding)
    found = programs.declared()
    for target in targets:
        results.section(f"programs on {target.label}")
        reach = (FULL_REACH if full else REACH).get(target.label, "sample")
        programs.run(results, target, programs.chosen(found, target, reach))
    results.section("faults of MPIs")
    for target in targets:
        if target.folder.name == target.launcher:
            faults.run(results, target, faults.chosen(faults.declared(), target.label, full))
    if full:
        for kind in sanitizers.KINDS:
            with_sanitizer(results, kind, found)
    results.section("scripts")
    scripts.run(results, full)
    return results.finish()


def build_targets(results):
    """Builds for each MPI that can be had; an MPI that is only welcome is skipped if not."""
    results.section("builds")
    targets = []
    for name in (*NEEDED, *WELCOME, "abi"):
        try:
            if name in WELCOME:
                with stamp.one_at_a_time():
                    mpi.bring(name)
        except Problem as problem:
            results.add_skipped(f"tests on {name}", str(problem))
            continue
        with stamp.one_at_a_time():
            folder = build(name, "programs" if targets else "all", quiet=True)
        results.add_passed()
        targets.append(Target(name, folder, "mpich" if name == "abi" else name))
    if any(target.label == "intel" for target in targets):
        targets.append(Target("abi on intel", targets[-1].folder, "intel"))
    return targets


def with_sanitizer(results, kind, found):
    """Plans, and the programs on MPICH, under a sanitizer."""
    results.section(f"the {kind} sanitizer")
    reason = sanitizers.missing(kind)
    if reason:
        results.add_skipped(f"tests with the {kind} sanitizer", reason)
        return
    with stamp.one_at_a_time():
        folder = build("mpich", "all", kind, quiet=True)
    threads = kind == "thread"
    plans.run(results, folder, sanitizers.environment(kind), f"{kind}: ", threads)
    target = sanitizers.target(kind, folder, "mpich")
    selected = programs.chosen(found, target, "narrow")
    if threads:
        selected = [case for case in selected if case.has_threads]
    programs.run(results, target, selected)


if __name__ == "__main__":
    run_main(main)
