# SPDX-License-Identifier: BSD-3-Clause
"""Runs the command line as a user does, and judges a mapping without the library."""

import itertools
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "bindings" / "python"


def caucus(*words, status=0, env=None):
    """Ends as expected, or fails with what was said."""
    environment = {name: v for name, v in os.environ.items() if not name.startswith("CAUCUS_")}
    environment.update({"PYTHONPATH": str(PACKAGE), **(env or {})})
    command = [sys.executable, "-m", "caucus", *(str(word) for word in words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == status, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done


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
