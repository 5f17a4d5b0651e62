# SPDX-License-Identifier: BSD-3-Clause
"""Runs the command line as a user does, and judges a mapping without the library."""

import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from collections import defaultdict
from pathlib import Path

from caucus import cli

PACKAGE = Path(__file__).resolve().parents[2] / "bindings" / "python"


def caucus(*words, status=0, env=None):
    """Ends as expected, or fails with what was said."""
    words = [str(word) for word in words]
    env = env or {}
    at_its_start = set(env) - {"COLUMNS"}  # what the interpreter or the library reads only then
    done = _started(words, env) if at_its_start else _forked(words, env)
    assert done.returncode == status, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def _started(words, env):
    """In an interpreter of its own, as a user's shell does it."""
    environment = {name: v for name, v in os.environ.items() if not name.startswith("CAUCUS_")}
    environment.update({"PYTHONPATH": str(PACKAGE), **env})
    command = [sys.executable, "-m", "caucus", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)


def _forked(words, env):
    """In a copy of this process, which has everything imported: a tenth of the time of a start."""
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as complained:
        child = os.fork()
        if child == 0:
            _become(words, env, said.fileno(), complained.fileno())
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        complained.seek(0)
        return subprocess.CompletedProcess(words, status, said.read(), complained.read())


def _become(words, env, out, err):
    """Ends this process, which is the copy, as the command ends."""
    status = 1
    try:
        for name in [name for name in os.environ if name.startswith("CAUCUS_")]:
            del os.environ[name]
        os.environ.update(env)
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdout = open(1, "w", closefd=False)
        sys.stderr = open(2, "w", errors="backslashreplace", closefd=False)
        signal.alarm(300)
        status = cli.main(words)
    except SystemExit as end:
        status = end.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def refused(*words):
    """What is said, in one line, of words that are wrong."""
    done = caucus(*words, status=2)
    assert done.stdout == ""
    assert done.stderr.startswith("caucus: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def caucus_json(*words):
    return json.loads(caucus(*words, "--json").stdout)


def star(ndims):
    """The offsets of a star stencil."""
    for axis in range(ndims):
        for step in (-1, 1):
            yield tuple(step if a == axis else 0 for a in range(ndims))


def neighbors(dims, periods, cell, offsets):
    """The cells that a cell sends to, never itself."""
    for offset in offsets:
        other = []
        for at, step, size, wraps in zip(cell, offset, dims, periods):
            to = at + step
            if not 0 <= to < size and not wraps:
                break
            other.append(to % size)
        else:
            if tuple(other) != cell:
                yield tuple(other)


def judge(dims, periods, part_of_cell, offsets=None):
    """(jsum, jmax, on-node counts, off-node counts) of a mapping, by walking all edges."""
    offsets = list(offsets or star(len(dims)))
    cells = list(itertools.product(*(range(size) for size in dims)))
    part = dict(zip(cells, part_of_cell))
    leaving, on, off = defaultdict(int), [], []
    for cell in cells:
        others = [part[other] for other in neighbors(dims, periods, cell, offsets)]
        on.append(sum(other == part[cell] for other in others))
        off.append(len(others) - on[-1])
        leaving[part[cell]] += off[-1]
    return sum(leaving.values()), max(leaving.values()), on, off
