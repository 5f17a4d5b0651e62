# SPDX-License-Identifier: BSD-3-Clause
"""Fuzz targets (tests/fuzz): each replays its saved inputs, and in a full run goes on with changed
ones for some seconds, every second day under the sanitizers of addresses and undefined
behaviour."""

import os
import re

from provision.paths import ROOT

from . import builds, measured, unchanged
from .queue import Job, Outcome

SECTION = "fuzzing"
SUPPORT = ("fuzz_file", "letters", "replay")
SECONDS = 5  # of changed inputs, for each target
SANITIZE = "address,undefined"
SANITIZERS = {
    "ASAN_OPTIONS": "abort_on_error=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "abort_on_error=1",
}
LIMIT = measured.Limit(processor=300, clock=600)


def names():
    paths = sorted((ROOT / "tests" / "fuzz").glob("*.c"))
    return [path.stem for path in paths if path.stem not in SUPPORT]


def corpus(name):
    return ROOT / "tests" / "fuzz" / "corpus" / name


def jobs(run):
    sanitize = SANITIZE if run.sanitizer == SANITIZE else ""
    more = ["--seconds", str(SECONDS)] if run.full else []
    for name in names():
        program = builds.folder_of("plan", sanitize) / "tests" / "fuzz" / name
        words = [program, corpus(name), *more]
        work = _work(name, words)
        if unchanged.may_be_left_out(run, ()):
            work = unchanged.unless_passed(
                run, f"fuzz target {name}", program, work, corpus(name).iterdir()
            )
        yield Job(SECTION, name, work, after=(builds.name_of("plan", sanitize),))


def _work(name, words):
    def work():
        finished = measured.run(words, LIMIT, env={**os.environ, **SANITIZERS}, cwd=ROOT)
        shown = " ".join(str(word) for word in words)
        saved = len(list(corpus(name).iterdir()))
        told = re.search(rf"\b{saved} saved inputs", finished.output)
        good = finished.good and saved > 0 and told is not None
        if good:
            return [Outcome(f"fuzz target {name}")]
        text = "\n".join(finished.output.splitlines()[-60:])
        return [Outcome(f"fuzz target {name}", False, f"{text}\n{finished.ended or ''}\n{shown}")]

    return work
