# SPDX-License-Identifier: BSD-3-Clause
"""What caucus schedule prints where no JSON is wanted."""

from __future__ import annotations

from typing import Union

from rich.console import RenderableType

from .console import duration, number, plain, spoken, table
from .study import Candidate, Listed, Study
from .tables import Table


def heading(study: Study) -> RenderableType:
    asked = study.question
    nodes = f" on {study.nodes} node{'s' * (study.nodes != 1)}" if asked.machine else ""
    size = "" if asked.collective == "barrier" else f", {spoken(asked.bytes)}"
    count = str(study.ranks)
    if asked.first_group:
        count = f"{asked.first_group}+{study.ranks - asked.first_group}"
        if asked.second_bytes != asked.bytes and size:
            size += f" + {spoken(asked.second_bytes)}"
    size += f" {asked.counts}" if asked.counts else ""
    ranks = f"{count} rank{'s' * (study.ranks != 1)}"
    return plain(f"{asked.collective}{size}, {ranks}{nodes}\n", "bold")


def time(seconds: float) -> str:
    """Three digits, and a unit."""
    if 0 < seconds < 9.995e-4:
        return f"{seconds * 1e6:.3g} µs" if seconds < 9.995e-5 else f"{seconds * 1e6:.0f} µs"
    return duration(seconds)


def _columns(*names: Union[str, tuple[str, str]]) -> Table:
    """The first is of words, the others of numbers; a second name is what it is called in full."""
    rows = table()
    for place, name in enumerate(names):
        short, long = (name, "") if isinstance(name, str) else name
        rows.add_column(short, justify="right" if place else "left", no_wrap=True, long=long)
    return rows


def listing(found: list[Listed]) -> list[RenderableType]:
    parts: list[RenderableType] = []
    for collective in dict.fromkeys(entry.collective for entry in found):
        parts += ([plain("")] if parts else []) + [plain(collective, "bold")]
        rows = table()
        rows.show_header = False
        for entry in found:
            if entry.collective == collective:
                needs = f"\nNeeds {' and '.join(entry.needs)}." if entry.needs else ""
                rows.add_row(plain("  " + entry.name, "bold cyan"), plain(entry.summary + needs))
        parts.append(rows)
    return parts


def explanation(study: Study, found: list[Candidate]) -> list[RenderableType]:
    rows = table()
    for name, side in (("  algorithm", "left"), ("predicted", "right")):
        rows.add_column(name, justify=side, no_wrap=True)
    rows.add_column("")
    serving = [entry for entry in found if entry.seconds is not None]
    for entry in sorted(serving, key=lambda entry: entry.seconds):
        best = entry.name == study.algorithm
        style = "bold green" if best else ""
        name = plain(("* " if best else "  ") + entry.name)
        rows.add_row(name, time(entry.seconds), plain(entry.summary), style=style)
    parts = [heading(study), rows]
    for entry in found:
        if entry.seconds is None:
            parts.append(plain(f"  {entry.why}", "dim"))
    forced = " (as asked for)" if study.question.algorithm else ""
    return [*parts, plain(f"\n* {study.algorithm} is chosen{forced}.")]


def simulation(study: Study, chosen: str, found: list[dict]) -> list[RenderableType]:
    rows = _columns(
        "  algorithm",
        "simulated",
        "predicted",
        "messages",
        ("out", "messages to other nodes"),
        ("bytes out", "bytes to other nodes"),
        ("card", "bytes of the busiest card"),
    )
    for row in found:
        best = row["algorithm"] == chosen
        predicted = "-" if row["predicted"] is None else time(row["predicted"])
        rows.add_row(
            plain(("* " if best else "  ") + row["algorithm"]),
            time(row["seconds"]),
            predicted,
            number(row["messages_within"] + row["messages_between"]),
            number(row["messages_between"]),
            spoken(row["bytes_between"]),
            spoken(row["card_bytes"]),
            style="bold green" if best and len(found) > 1 else "",
        )
    parts = [heading(study), rows]
    if len(found) > 1:
        best = next(row for row in found if row["algorithm"] == chosen)
        over = best["seconds"] / found[0]["seconds"] if found[0]["seconds"] else 1
        words = "the fastest" if over == 1 else f"{over:.2f} times the fastest"
        parts.append(plain(f"\n* {chosen} is chosen: {words}."))
    parts.append(plain("\nOut: to other nodes. Card: the bytes of the busiest one.", "dim"))
    return parts


def verdicts(found: list[dict]) -> list[RenderableType]:
    rows = table()
    for name in ("collective", "algorithm"):
        rows.add_column(name, no_wrap=True)
    for name in ("cases", "operations", "time"):
        rows.add_column(name, justify="right", no_wrap=True)
    for row in found:
        rows.add_row(
            row["collective"],
            row["name"],
            number(row["cases"]),
            number(row["operations"]),
            duration(row["seconds"]) if row["cases"] else "-",
            style="bold red" if row["failure"] else "",
        )
    return [rows]
