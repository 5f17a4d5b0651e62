# SPDX-License-Identifier: BSD-3-Clause
"""Where the parts play: the build of one MPI, virtual nodes where they can be had, and a folder for
what is made."""

import contextlib
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional

import mpi_launch
from caucus import launch, linked, start
from caucus.errors import CaucusError
from lab import Lab


class DemoError(CaucusError):
    """One sentence on what went wrong."""


@dataclass
class Ran:
    stdout: str
    seconds: float
    card_bytes: Optional[int]  # that all cards sent; None without virtual nodes


@dataclass
class Stage:
    mpi: str
    build: Path
    folder: Path
    nodes: int
    ppn: int
    rate: str
    say: Callable[[str], None]
    lab: Optional[Lab] = None
    why_no_lab: str = ""

    @property
    def ranks(self):
        return self.nodes * self.ppn

    @property
    def dropin(self):
        return self.build / "lib" / "libcaucus_dropin.so"

    def program(self, name):
        path = self.build / "bin" / name
        for wanted in (path, self.dropin):
            if not wanted.exists():
                raise DemoError(f"there is no {wanted}: run 'make build MPI={self.mpi}'.")
        return str(path)

    def check(self):
        """Refuses a drop-in and an mpiexec of two MPIs, as caucus run does."""
        own = linked.of_file(self.dropin, os.environ)
        mpiexec = str(launch.mpiexec_of(self.mpi))
        kind = launch.kind_of(self.mpi)
        start.check_mpiexec(mpiexec, kind, [own] if own else [], str(self.dropin))

    def run(self, words, placement, report=None):
        """Runs a program, under the drop-in if it is to write a report, across the virtual nodes;
        without these on this machine, which CAUCUS_NODES then makes look like several nodes."""
        env = {}
        if report is not None:
            with contextlib.suppress(FileNotFoundError):
                report.unlink()
            env["CAUCUS_REPORT"] = report
        if self.lab is not None:
            if report is not None:
                env["LD_PRELOAD"] = self.dropin
            ran = self.lab.run(words, self.mpi, self.ppn, placement, env=env, timeout=120)
            return Ran(ran.stdout, ran.seconds, sum(card.sent_bytes for card in ran.cards))
        env["CAUCUS_NODES"] = machine(self.nodes, self.ppn, placement)
        preload = [self.dropin] if report is not None else []
        command, outer = mpi_launch.command(self.mpi, self.ranks, words, env, preload)
        return here(command, outer)


def machine(nodes, ppn, placement):
    """The nodes in the words of CAUCUS_NODES and of the planner."""
    return f"cyclic:{nodes}" if placement == "cyclic" else f"{nodes}x{ppn}"


def here(command, env):
    begun = time.monotonic()
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        raise DemoError(f"{os.path.basename(command[0])} did not end within 120 s.") from None
    if done.returncode != 0:
        told = (done.stderr.strip() or done.stdout.strip())[-1500:]
        raise DemoError(f"{' '.join(command)} ended with {done.returncode}: {told}")
    return Ran(done.stdout, time.monotonic() - begun, None)
