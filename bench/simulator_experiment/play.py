# SPDX-License-Identifier: BSD-3-Clause
"""Cases by the simulator of caucus schedule, and by the rules of LogGOPS."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from . import loggops

COMMAND = [sys.executable, "-m", "caucus", "schedule"]


@dataclass
class Network:
    """Seconds: of a message, of a processor for it, of a byte."""

    L: float
    o: float
    G: float

    def write(self, path):
        """For CAUCUS_MODEL: what this has no parameter for costs nothing."""
        told = {"latency_between": self.L, "overhead_between": self.o, "byte_between": self.G}
        told.update(card_byte=self.G, ports=1, operation=0, copy_byte=0, reduce_byte=0)
        Path(path).write_text("".join(f"{name} {value!r}\n" for name, value in told.items()))


def said(words):
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"caucus schedule {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def simulated(case, model):
    """Seconds, with the model in a file."""
    found = json.loads(said(["simulate", *case.words, "--model", str(model), "--json"]))
    return found["simulated"][0]["seconds"]


def by_loggops(case, model, network, **rules):
    """Seconds, by rules of loggops.py."""
    ranks = loggops.read(said(["export", *case.words, "--model", str(model)]))
    given = (network.L, network.o, network.G)
    return loggops.Machine(ranks, *given, nanosecond=0, **rules).play()
