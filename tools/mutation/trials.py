# SPDX-License-Identifier: BSD-3-Clause
"""The tests that a fault is shown to, and which lines each of them reaches."""

import functools
import hashlib
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import mpi_launch
from provision import shell, toolchain
from provision.paths import CACHE, ROOT
from testing import cases, measured, programs, sanitizers

LEARN = measured.Limit(40, 180)  # what takes longer is not shown to faults
MOST_RANKS = 5
REACH = CACHE / "mutation"


@dataclass
class Trial:
    name: str
    source: Path
    case: cases.Case = None  # None: a program of one process, of tests of plans

    def run(self, mpi, folder, limit, leaks=True):
        """How it ended, and what is wrong; "" if nothing. leaks: memory that is kept is wrong."""
        program = folder / "tests" / self.source.stem
        watch = leak_watch() if leaks else []
        settings = sanitizers.environment("address,undefined") if leaks else {}
        with tempfile.TemporaryDirectory() as scratch:
            if not self.case:
                words, environment = [program, "--gtest_fail_fast"], {**os.environ, **settings}
                if watch:
                    environment["LD_PRELOAD"] = str(watch[0])
                done = measured.run(words, limit, env=environment, scratch=scratch)
                return done, done.ended or ("" if done.good else f"exit status {done.status}")
            preload = [folder / "lib" / "libcaucus_dropin.so"] if self.case.preload else []
            words, environment = mpi_launch.command(
                mpi,
                self.case.ranks,
                [program, *self.case.arguments],
                {**settings, **self.case.environment},
                [*watch, *preload],
                self.case.deaths,
            )
            done = measured.run(words, limit, env=environment, scratch=scratch)
        return done, done.ended or self.case.judge(done) or ""


@functools.cache
def leak_watch():
    """The leak sanitizer, which needs no build of its own; empty if the compiler has none."""
    said = shell.run([*toolchain.compiler("c"), "-print-file-name=liblsan.so"])
    path = Path(said.output.strip())
    return [path] if path.is_absolute() else []


def declared(mpi):
    """Programs of plans; of the others the first line, on one number of ranks."""
    sources = sorted((ROOT / "tests" / "plan").glob("*_test.cpp"))
    found = [Trial(path.stem, path) for path in sources]
    return found + [lines[0] for lines in lines_of(mpi).values()]


@functools.cache
def lines_of(mpi):
    """{program: [a trial for each line]}, on one number of ranks each."""
    paths, lines, found = programs.sources(), {}, {}
    for case in programs.declared():
        if not case.full and (not case.mpis or mpi in case.mpis):
            lines.setdefault((case.program, case.words), []).append(case)
    for (program, _), several in lines.items():
        few = [case for case in several if case.ranks <= MOST_RANKS] or several[:1]
        case = max(few, key=lambda case: case.ranks)
        found.setdefault(program, []).append(Trial(case.name, paths[program], case))
    return found


class Reach:
    """What was learned about each test: whether it passes, how long it takes, and its lines. Kept,
    and learned again where the sources of the library or of the test are others."""

    def __init__(self, workshop):
        self.workshop = workshop
        self.path = REACH / f"reach-{workshop.mpi}.json"
        self.known = json.loads(self.path.read_text()) if self.path.exists() else {}
        self.baseline = Baseline(workshop)
        self.library, self.digests = digest(sorted((ROOT / "src").rglob("*.[ch]"))), {}

    def learn(self, trials):
        for number, trial in enumerate(trials):
            state = self.library + self._digest_of(trial)
            if self.known.get(trial.name, {}).get("state") == state:
                continue
            print(f"-- {number + 1} of {len(trials)}: {trial.name}", flush=True)
            self.known[trial.name] = {"state": state, **self._learn(trial)}
            self._save()

    def _digest_of(self, trial):
        if trial.source not in self.digests:
            headers = sorted(trial.source.parent.glob("*.h*"))
            self.digests[trial.source] = digest([trial.source, *headers])
        return self.digests[trial.source]

    def _learn(self, trial):
        workshop = self.workshop
        for path in workshop.reach.rglob("*.gcda"):
            path.unlink()
        leaks = True
        done, wrong = trial.run(workshop.mpi, workshop.reach, LEARN)
        if wrong and not done.ended:
            leaks = False
            done, wrong = trial.run(workshop.mpi, workshop.reach, LEARN, leaks)
        return {
            "wrong": wrong,
            "leaks": leaks,
            "seconds": round(done.clock, 2),
            "processor": round(done.processor, 2),
            "lines": self._lines(),
        }

    def _lines(self):
        """{file: [line]}, as gcov tells them."""
        counts = [str(path) for path in self.workshop.reach.rglob("*.gcda")]
        if not counts:
            return {}
        words = ["gcov", "--json-format", "--stdout", *counts]
        done = subprocess.run(words, capture_output=True, text=True, cwd=self.workshop.reach)
        found = {}
        for row in filter(None, done.stdout.split("\n")):
            for file in json.loads(row)["files"]:
                path = Path(os.path.normpath(self.workshop.reach / file["file"]))
                if self.workshop.tree / "src" in path.parents:
                    lines = {line["line_number"] for line in file["lines"] if line["count"]}
                    name = str(path.relative_to(self.workshop.tree))
                    found[name] = sorted(lines.union(found.get(name, ())))
        return {name: lines for name, lines in found.items() if lines}

    def _save(self):
        REACH.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps(self.known))
        os.replace(fresh, self.path)

    def of(self, change, trials):
        """The tests that come by, in the order in which they are to be run. Of a plan first those
        of plans; of the others the cheapest, and those that hardly do anything else. At last what
        else the programs that come by have."""
        plans = [trial for trial in trials if not trial.case]
        programs_found = [trial for trial in trials if trial.case]
        first = []
        if change.room.split("/")[0] in ("plan", "study", "base"):
            self.learn(plans)
            first = self._of(change, plans)
            yield from first
            trials = programs_found
        self.learn(trials)
        found = self._of(change, trials)
        yield from found
        for trial, known in found or self._of(change, trials, whole_file=True):
            if trial.case:
                for line in lines_of(self.workshop.mpi)[trial.case.program][1:]:
                    yield line, known

    def _of(self, change, trials, whole_file=False):
        """Of what stands outside of functions, those that come into the file."""
        found, outside = [], []
        for trial in trials:
            known = self.known.get(trial.name, {"wrong": "not run"})
            here = set() if known["wrong"] else set(known["lines"].get(change.file, ()))
            if here:
                share = len(here) / sum(map(len, known["lines"].values()))
                row = (known["processor"] / share, trial, known)
                outside.append(row)
                if here & set(range(change.first, change.last + 1)):
                    found.append(row)
        chosen = found or (outside if whole_file or not self._is_code(change) else [])
        return [(trial, known) for _, trial, known in sorted(chosen, key=lambda row: row[0])]

    def is_sound(self, trial, leaks, limit):
        """Learned is what passes as it is; further lines were not tried."""
        return trial.name in self.known or self.baseline.passes(trial, leaks, limit)

    def _is_code(self, change):
        source = (ROOT / change.file).read_text().split("\n")
        statement = source[change.first - 1]
        return statement.startswith(" ") and not statement.lstrip().startswith("{")


class Baseline:
    """Whether tests that were not learned pass as it is, with the libraries that count lines."""

    def __init__(self, workshop):
        self.workshop, self.known = workshop, {}

    def passes(self, trial, leaks, limit):
        if trial.name not in self.known:
            _, wrong = trial.run(self.workshop.mpi, self.workshop.reach, limit, leaks)
            self.known[trial.name] = not wrong
        return self.known[trial.name]


def digest(paths):
    whole = hashlib.sha256()
    for path in paths:
        whole.update(path.name.encode() + path.read_bytes())
    return whole.hexdigest()[:16]
