# SPDX-License-Identifier: BSD-3-Clause
"""Runs a benchmark, and tells where and when that was."""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path
from typing import Callable

from . import __version__, benchmarks, launch, library
from .bench_figures import FORMAT, Result


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "unknown"
    found = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    return " ".join(found[1].split()) if found else "unknown"


def _said(words: list[str]) -> str:
    try:
        said = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=30)
        return said.stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def _commit() -> str:
    """Of the source tree; nothing of an installed caucus."""
    root = library.tree()
    return _said(["git", "-C", str(root), "rev-parse", "--short", "HEAD"]).strip() if root else ""


def _mpi(mpi: str) -> str:
    found = re.search(r"\b\d+\.\d+[\w.]*", _said([str(launch.mpiexec_of(mpi)), "--version"]))
    return f"{launch.kind_of(mpi)} {found[0]}" if found else launch.kind_of(mpi)


def alike(name: str, wish: benchmarks.Wish) -> Result:
    """What results must have in common to be compared."""
    mpi = _mpi(wish.mpi)
    return {"benchmark": name, "mpi": mpi, "ranks": wish.ranks, "quick": wish.quick}


def run(name: str, wish: benchmarks.Wish, say: Callable[[str], None]) -> Result:
    """The whole result, as --json prints it."""
    begun, load = time.time(), os.getloadavg()[0]
    cells, left_out = benchmarks.measure(name, wish, say)
    return {
        "format": FORMAT,
        **alike(name, wish),
        "starts": wish.starts,
        "version": __version__,
        "commit": _commit(),
        "date": time.strftime("%Y-%m-%d %H:%M", time.localtime(begun)),
        "seconds": round(time.time() - begun, 1),
        "cores": os.cpu_count() or 1,
        "processor": _processor(),
        "load": round(load, 2),
        "left_out": left_out,
        "cells": [cell._asdict() for cell in cells],
    }


def conditions(result: Result) -> str:
    """A comment on top of the tables."""
    commit = f" ({result['commit']})" if result["commit"] else ""
    words = (
        f"# caucus bench {result['benchmark']}: {result['ranks']} ranks, {result['mpi']}, medians "
        f"of {result['starts']} starts; Caucus {result['version']}{commit}, {result['date']}, "
        f"{result['seconds']:g} s, {result['cores']} cores with a load of {result['load']:g} "
        f"before, {result['processor']}."
    )
    crowded = result["ranks"] > result["cores"]
    words += " More ranks than cores: times are the scheduler's." if crowded else ""
    return words + "".join(f" Left out: {part}." for part in result["left_out"])
