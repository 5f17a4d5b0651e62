#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random programs over everything (tests/random) on an MPI of this machine: many seeds in launches
of some each, ranks frozen for a time if asked, and what fails made small.

  bench/random_everything.py --mpi mpich --ranks 4 --programs 1000
  bench/random_everything.py --mpi openmpi --nodes 4 --ranks 8 --cut 2    # on virtual nodes
  bench/random_everything.py --ranks 5 --vary --each 5 --programs 500
  bench/random_everything.py --dropin --shrink 17 --words=--matched"""

import argparse
import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from lab import Lab, LabError

# Of a model (caucus tune --help).
TIMES = (
    *("latency_within", "latency_between", "overhead_within", "overhead_between"),
    *("signal", "operation", "latency_lone", "overhead_lone"),
)
RATES = ("byte_within", "byte_between", "card_byte", "copy_byte", "reduce_byte")
UP = 3  # seconds of a run that no card is off in: UCX starts only where it reaches everybody
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import mpi_launch  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpi", default="mpich")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--each", type=int, default=20, help="programs of a launch (20)")
    parser.add_argument("--seed", type=int, default=0, help="of the first program (0)")
    parser.add_argument("--limit", type=int, default=60, help="seconds for a program (60)")
    parser.add_argument("--native", action="store_true", help="plain MPI, without Caucus")
    parser.add_argument("--dropin", action="store_true", help="plain MPI under the drop-in")
    parser.add_argument("--bypass", action="store_true", help="some calls by MPI's other names")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument(
        "--vary", action="store_true", help="nodes, and a machine that any algorithm may be best on"
    )
    parser.add_argument("--freeze", type=float, default=0, help="seconds that a rank is stopped")
    parser.add_argument("--nodes", type=int, help="virtual nodes that the ranks are dealt to")
    parser.add_argument("--cut", type=float, default=0, help="seconds that a node's card is off")
    parser.add_argument("--shrink", type=int, metavar="SEED", help="make this program small")
    parser.add_argument("--words", default="", help="arguments for the test program")
    options = parser.parse_args()
    if options.nodes and (options.ranks % options.nodes or options.freeze or options.shrink):
        parser.error("--nodes divides --ranks, and goes without --freeze and --shrink")
    return options


def program_of(options):
    if options.bypass:
        return "dropin_random_bypass"
    plain = options.native or options.dropin
    return "dropin_random_everything" if plain else "random_everything"


def words_of(options, seed, programs, more=()):
    program = ROOT / "build" / options.mpi / "tests" / program_of(options)
    words = [program, "--seed", seed, "--programs", programs, "--limit", options.limit]
    return [str(word) for word in words + options.words.split() + list(more)]


def nodes_of(ranks, draws):
    """CAUCUS_NODES: blocks of any size, ranks by turns, or one node."""
    way = draws.randrange(4)
    if way == 0:
        return f"cyclic:{draws.randint(1, ranks)}"
    if way == 1:
        return str(ranks)
    sizes = []
    while sum(sizes) < ranks:
        sizes.append(draws.randint(1, ranks - sum(sizes)))
    return ",".join(map(str, sizes))


@contextlib.contextmanager
def varied(options, seed):
    """Settings by which other algorithms are chosen than those of this machine, from the seed."""
    if not options.vary:
        yield {}
        return
    draws = random.Random(seed)
    times = [f"{name} {10 ** draws.uniform(-8, -3)}" for name in TIMES]
    rates = [f"{name} {10 ** draws.uniform(-11, -7)}" for name in RATES]
    shared = {} if draws.randrange(4) else {"CAUCUS_SHARED_MEMORY": "0"}
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join([*times, *rates, ""]))
        file.flush()
        yield {"CAUCUS_NODES": nodes_of(options.ranks, draws), "CAUCUS_MODEL": file.name, **shared}


def launch(options, seed, programs, settings, more=()):
    words = words_of(options, seed, programs, more)
    told = {} if options.native else {"CAUCUS_SIGNAL": "USR2"}
    env = {**told, **settings, **dict(setting.partition("=")[::2] for setting in options.env)}
    preload = [mpi_launch.dropin(options.mpi)] if options.dropin or options.bypass else []
    command, outer = mpi_launch.command(options.mpi, options.ranks, words, env, preload)
    return subprocess.Popen(
        [str(word) for word in command],
        env=outer,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def ranks_of(launcher, program):
    """The processes of the program that descend from the launcher."""
    parents, names = {}, {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            text = (entry / "stat").read_text()
        except OSError:
            continue
        number, name = int(entry.name), text[text.index("(") + 1 : text.rindex(")")]
        parents[number] = int(text[text.rindex(")") + 2 :].split()[1])
        names[number] = name
    found = []
    for number, name in names.items():
        above = number
        while above in parents and above != launcher:
            above = parents[above]
        if above == launcher and program.startswith(name):
            found.append(number)
    return found


def freeze_one(running, options):
    """Stops one rank for a time; it goes on whatever happens."""
    ranks = ranks_of(running.pid, program_of(options))
    if not ranks:
        return
    rank = random.choice(ranks)
    try:
        os.kill(rank, signal.SIGSTOP)
        time.sleep(options.freeze)
        os.kill(rank, signal.SIGCONT)
    except ProcessLookupError:
        pass


def result(running, options):
    """Whether it was right, and what it said."""
    end = time.monotonic() + options.limit * options.each
    while True:
        try:
            output, _ = running.communicate(timeout=1)
            break
        except subprocess.TimeoutExpired:
            if time.monotonic() > end:
                os.killpg(running.pid, signal.SIGKILL)
            elif options.freeze > 0:
                freeze_one(running, options)
    text = output.decode(errors="replace")
    return running.returncode == 0 and ": right" in text, text


def run(options, seed, programs, more=()):
    with varied(options, seed) as settings:
        good, text = result(launch(options, seed, programs, settings, more), options)
    told = " ".join(f"{name}={value}" for name, value in settings.items())
    return good, f"{told}\n{text}" if told and not good else text


def fails(options, seed, skipped):
    more = ["--skip", ",".join(map(str, sorted(skipped)))] if skipped else []
    good, text = run(options, seed, 1, more)
    return not good, text


def shrink(options):
    """Leaves out ever smaller parts of the program, as long as it fails in one of three runs."""

    def still(skipped):
        return any(fails(options, options.shrink, skipped)[0] for _ in range(3))

    _, listing = run(options, options.shrink, 1, ["--print"])
    actions = [int(number) for number in re.findall(r"^ *(\d+) \w", listing, re.MULTILINE)]
    skipped, size = set(), max(1, len(actions) // 2)
    while size >= 1:
        for at in range(0, len(actions), size):
            part = set(actions[at : at + size]) - skipped
            if part and still(skipped | part):
                skipped |= part
        size //= 2
    words = ",".join(map(str, sorted(skipped)))
    _, text = fails(options, options.shrink, skipped)
    _, listing = run(options, options.shrink, 1, ["--print", "--skip", words])
    print(f"--seed {options.shrink} --programs 1 --skip {words}\n{listing}\n{text}")


@contextlib.contextmanager
def cables_cut(lab, seconds):
    """One card after the other is off for so long; its node comes back with what it held."""
    ended = threading.Event()

    def cut():
        if ended.wait(UP):
            return
        while not ended.wait(random.uniform(0.2, 2)):
            port = f"port{random.randrange(lab.nodes)}"
            lab.execute(["ip", "link", "set", port, "down"])
            ended.wait(seconds)
            lab.execute(["ip", "link", "set", port, "up"])

    cutter = threading.Thread(target=cut)
    if seconds > 0:
        cutter.start()
    try:
        yield
    finally:
        ended.set()
        if seconds > 0:
            cutter.join()


def result_on_nodes(options, lab, seed):
    """Whether programs on virtual nodes were right, and what they said."""
    env = dict(setting.partition("=")[::2] for setting in options.env)
    if options.dropin or options.bypass:
        env["LD_PRELOAD"] = str(mpi_launch.dropin(options.mpi))
    try:
        with cables_cut(lab, options.cut):
            ran = lab.run(
                words_of(options, seed, options.each),
                options.mpi,
                options.ranks // options.nodes,
                env=env,
                timeout=options.limit * options.each,
            )
    except LabError as error:
        return False, str(error)
    return ": right" in ran.stdout, ran.stdout + ran.stderr


def main():
    options = arguments()
    if options.shrink is not None:
        return shrink(options)
    done, failed = 0, 0
    with contextlib.ExitStack() as stack:
        lab = stack.enter_context(Lab(options.nodes, "1gbit")) if options.nodes else None
        while done < options.programs:
            seed = options.seed + done
            if lab:
                good, text = result_on_nodes(options, lab, seed)
            else:
                good, text = run(options, seed, options.each)
            done += options.each
            if not good:
                failed += 1
                print(f"seeds from {seed}:\n{text}", flush=True)
    print(f"{done} programs of {options.ranks} ranks on {options.mpi}, {failed} launches failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("random_everything: stopped.")
