# SPDX-License-Identifier: BSD-3-Clause
"""How long every job took, from one run to the next: what the queue is sorted by, and the limits.

A tree begins with tests/durations.json, which is committed, and goes on with its own;
`python3 tools/test.py --keep-durations` writes the first from the second."""

import json

from provision.paths import CACHE, ROOT
from provision.problem import Problem

from . import turn
from .measured import Limit

COMMITTED = ROOT / "tests" / "durations.json"
OWN = CACHE / "durations.json"
WORTH_KEEPING = 2.0  # seconds; below, a section's mean says as much
UNKNOWN = (2.0, 2.0)
UNKNOWN_LIMIT = Limit(600.0, 1200.0)
TIMES, LEAST_PROCESSOR, LEAST_CLOCK = 10, 120.0, 300.0  # of limits


class Durations:
    def __init__(self):
        self.known = {**_read(COMMITTED), **_read(OWN)}
        self.now = {}

    def expected(self, section, name):
        """(processor seconds, seconds) that a job will take."""
        found = self.known.get(_key(section, name)) or self.known.get(f"{section}: *")
        return tuple(found or UNKNOWN)

    def limit(self, section, name):
        """Ten times what it took, and never below two minutes of the processor or five of the
        clock; what was never seen gets ten minutes of the processor."""
        found = self.known.get(_key(section, name))
        if not found:
            return UNKNOWN_LIMIT
        processor, clock = found
        return Limit(LEAST_PROCESSOR + TIMES * processor, LEAST_CLOCK + TIMES * clock)

    def add(self, section, name, processor, clock):
        self.now[_key(section, name)] = [round(processor, 2), round(clock, 2)]

    def save(self):
        OWN.parent.mkdir(exist_ok=True)
        OWN.write_text(_text({**_read(OWN), **self.now}))


def _key(section, name):
    """A seed that is today's is another one tomorrow, and takes as long."""
    return turn.any_day(f"{section}: {name}")


def shortened(known):
    """The long ones, and for all others of a section their mean."""
    kept, short = {}, {}
    for key, times in known.items():
        if times[0] >= WORTH_KEEPING and not key.endswith(": *"):
            kept[key] = times
        else:
            short.setdefault(key.partition(": ")[0], []).append(times)
    for section, all_times in short.items():
        means = [round(sum(column) / len(all_times), 2) for column in zip(*all_times)]
        kept[f"{section}: *"] = means
    return kept


def _read(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return {}


def _text(known):
    lines = (f"{json.dumps(key)}: {json.dumps(times)}" for key, times in sorted(known.items()))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def keep():
    """Writes what is committed from what this tree has recorded."""
    known = shortened(_read(OWN))
    if not known:
        raise Problem("no durations are recorded here: run 'make test FULL=1' first.")
    COMMITTED.write_text(_text(known))
