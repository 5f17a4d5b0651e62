#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What make bench does: the quick benchmarks one after the other, one benchmark or experiment by
its name, or all of them; each is ended when its time is over."""

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
import time

import common_environment

ROOT = common_environment.ROOT

from caucus.benchmarks import BENCHMARKS  # noqa: E402

OUTPUT = ROOT / "results" / "bench"
INDEX = ROOT / "docs" / "results" / "index.json"
MPIS = ("mpich", "openmpi")  # that experiments compare
GRACE = 30  # seconds in which a program that is interrupted takes down what it has set up
LATITUDE = 2  # a benchmark's last program may end later than its time


class Job:
    """A benchmark or an experiment: its command, seconds, and the file of its result if it has
    one."""

    def __init__(self, name, words, seconds, result=None):
        self.name, self.words, self.seconds, self.result = name, words, seconds, result

    def run(self):
        """The words of what went wrong, or nothing."""
        output = open(self.result, "w") if self.result else None
        process = subprocess.Popen(self.words, cwd=ROOT, stdout=output, start_new_session=True)
        try:
            status = process.wait(self.seconds)
        except (subprocess.TimeoutExpired, KeyboardInterrupt) as why:
            _end(process)
            if isinstance(why, KeyboardInterrupt):
                raise
            return f"ended after {self.seconds:.0f} s"
        return f"exit status {status}" if status else ""


def _end(process):
    """Ends all that it has started, too."""
    for how in (signal.SIGINT, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
            process.wait(GRACE)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def caucus(*words):
    return [sys.executable, "-m", "caucus", "bench", *words]


def benchmarks(mpi, quick):
    for name, benchmark in BENCHMARKS.items():
        words = caucus(name, "--json", "--mpi", mpi, *(["--quick"] if quick else []))
        seconds = benchmark.seconds[0 if quick else 1]
        yield Job(name, words, LATITUDE * seconds + GRACE, OUTPUT / f"{name}.json")


def experiments():
    """Those of the page of results; they compare all MPIs that are built."""
    built = [mpi for mpi in MPIS if (ROOT / "build" / mpi / "bin" / "persistent_loop").exists()]
    for entry in json.loads(INDEX.read_text())["experiments"]:
        program, *words = shlex.split(entry["command"])
        words += ["--mpi", ",".join(built)] if entry["mpis"] else []
        python = [sys.executable] if program.endswith(".py") else []
        yield Job(entry["name"], [*python, str(ROOT / program), *words], 60 * entry["minutes"])


def chosen(options):
    quick = list(benchmarks(options.mpi, True))
    whole = [*benchmarks(options.mpi, False), *experiments()]
    if options.full:
        return whole
    if not options.only:
        return quick
    found = [job for job in whole if job.name == options.only]
    if not found:
        names = ", ".join(job.name for job in whole)
        sys.exit(f"bench: there is no benchmark '{options.only}': {names}")
    return found


def spoken(seconds):
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"


def report(jobs, against):
    """Shows the results of the benchmarks among the jobs, or compares them with earlier ones."""
    files = [job.result for job in jobs if job.result and job.result.stat().st_size]
    if not files:
        return 0
    kept, page = files[0], OUTPUT / "index.html"
    if len(files) > 1:
        kept = OUTPUT / "all.json"
        results = [json.loads(file.read_text()) for file in files]
        kept.write_text(json.dumps(results, indent=1) + "\n")
    words = caucus("all", "--again", str(kept), "--html", str(page))
    status = subprocess.run([*words, *(["--against", against] if against else [])]).returncode
    print(f"\nOne page with plots: {page}\nTo compare with later: {kept} (make bench AGAINST=FILE)")
    return status


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default="mpich", help="that benchmarks measure")
    parser.add_argument("--only", default="", metavar="NAME", help="one benchmark or experiment")
    parser.add_argument("--full", action="store_true", help="all benchmarks and experiments, whole")
    parser.add_argument("--against", metavar="FILE", help="compare with an earlier all.json")
    options = parser.parse_args()
    jobs, done, failed, begun = chosen(options), [], [], time.monotonic()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    most = spoken(sum(job.seconds for job in jobs))
    about = "" if options.only or options.full else "a minute or two, "
    print(f"{len(jobs)} to run: {about}at most {most}.", flush=True)
    for at, job in enumerate(jobs):
        print(f"[{at + 1}/{len(jobs)}] {job.name}: at most {spoken(job.seconds)}", flush=True)
        why = job.run()
        if why:
            failed.append(f"{job.name} ({why})")
        else:
            done.append(job)
    status = report(done, options.against)
    print(f"It took {spoken(time.monotonic() - begun)}.")
    return f"failed: {', '.join(failed)}" if failed else status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("bench: stopped.")
