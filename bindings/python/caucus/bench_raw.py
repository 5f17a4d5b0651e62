# SPDX-License-Identifier: BSD-3-Clause
"""The raw figures that an experiment of the source tree keeps, as a result that can be compared:
every list of times in them is a cell, told apart by the words and numbers that stand around it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .bench_figures import FORMAT, OWN, Cell, Result, results
from .errors import Failure

EXPERIMENT = "experiment"
SIZES = ("bytes", "members", "N")
NO_TIMES = ("in", "busiest", "stream", "streams", "card_bytes", "card_worst", "casts", "batch")
NO_NAMES = (
    "samples",
    "conditions",
    "lab_conditions",
    "date",
    "command",
    "commit",
    "iterations",
    "algorithm",
)
RATES = ("all", "fixed", "varied")  # patterns of casts that are counted in a second
THEIRS = ("native", "cart", "alltoallw", "messages", "coordinator", "loop of sends", "root")
Around = dict[str, Any]


def _times(value: Any) -> bool:
    """A list of numbers that are measured, not counted."""
    if not isinstance(value, list) or not value:
        return False
    numbers = all(isinstance(entry, (int, float)) and entry > 0 for entry in value)
    return numbers and any(isinstance(entry, float) for entry in value)


def _way(name: str, around: str) -> str:
    """Of a list in "cart": {"seconds": …} the way is the cart."""
    way = f"{around} {name}" if name.endswith("seconds") and around else name
    return f"{OWN}, {way}" if way.startswith(THEIRS) else way


def _cell(names: Around, way: str, samples: list[float]) -> Cell:
    size = next((names[key] for key in SIZES if isinstance(names.get(key), int)), 0)
    words = [
        value if isinstance(value, str) else f"{key} {value}"
        for key, value in names.items()
        if key not in SIZES
    ]
    unit = "casts/s" if names.get("pattern") in RATES else "time"
    return Cell(", ".join(words) or "figures", size, way, unit, samples)


def _walk(node: Any, names: Around, around: str) -> Iterator[Cell]:
    if isinstance(node, list):
        for entry in node:
            yield from _walk(entry, names, around)
    if not isinstance(node, dict):
        return
    named = {
        key: value
        for key, value in node.items()
        if isinstance(value, (str, int)) and key not in NO_NAMES
    }
    below = {**names, **named} if around not in ("cart", "caucus") else names
    for key, value in node.items():
        if key in NO_TIMES:
            continue
        if _times(value):
            yield _cell(below, _way(key, around if around in ("cart", "caucus") else ""), value)
        else:
            yield from _walk(value, below, key)


def result(raw: Any, name: str) -> Result:
    """Without cells where these are no raw figures."""
    cells = {cell.key: cell for cell in _walk(raw, {}, "")}
    return {
        "format": FORMAT,
        "benchmark": name,
        "mpi": "",
        "ranks": 0,
        "quick": False,
        "load": 0.0,
        "cores": 1,
        "cells": [cell._asdict() for cell in cells.values()],
    }


def read_any(path: Path) -> dict[str, Result]:
    """Results of benchmarks, or the raw figures of an experiment, under the name of theirs."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise Failure(f"{path} is no JSON") from None
    first = raw[0] if isinstance(raw, list) and raw else raw
    if isinstance(first, dict) and "format" in first:
        return results(raw, path)
    found = result(raw, EXPERIMENT)
    if not found["cells"]:
        raise Failure(f"{path} has no figures of a benchmark or an experiment")
    return {EXPERIMENT: found}
