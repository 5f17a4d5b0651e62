# SPDX-License-Identifier: BSD-3-Clause
"""A report as one page of HTML that needs no other file: the tables of report, and a picture of
each grid before and after."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from html import escape

from . import report as reports
from .errors import CaucusError
from .plan import mappers
from .report_grids import planned
from .report_times import comparison, spread
from .survey import BEST, survey
from .svg import draw

MOST_PICTURES = 6
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #24292f; max-width: 60rem; margin: 0 auto;
       padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: 0.3rem 1rem 0.3rem 0; border-bottom: 1px solid #d0d7de;
         vertical-align: top; }
th { color: #57606a; font-weight: 600; }
.number { text-align: right; white-space: nowrap; }
.remark { color: #57606a; }
.bar { display: flex; align-items: center; gap: 0.5rem; margin: 0.2rem 0; }
.bar span { width: 9rem; flex: none; } .bar i { background: #8c959f; height: 1.1rem; flex: none; }
.bar i.ours { background: #1a7f37; } .bar b { font-weight: 400; white-space: nowrap; }
svg { max-width: 100%; height: auto; }
figure { margin: 1rem 0; } figcaption { color: #57606a; }
@media (max-width: 40rem) {
  thead { display: none; } tr { display: block; margin-bottom: 0.8rem; }
  td, td.number { display: block; text-align: left; border: 0; padding: 0 0 0 1rem; }
  td:first-child { padding: 0; font-weight: 600; }
  td:not(:first-child)::before { content: attr(data-name) ": "; color: #57606a; }
  .bar { flex-wrap: wrap; } .bar span { width: 100%; }
}
"""


def _table(section: reports.Section) -> Iterator[str]:
    def cell(tag: str, words: str, column: tuple[str, bool]) -> str:
        heading, is_number = column
        number = " class=number" if is_number else ""
        name = f' data-name="{escape(heading)}"' if tag == "td" else ""
        return f"<{tag}{number}{name}>{escape(words)}</{tag}>"

    yield f"<h2>{escape(section.title)}</h2>\n<div class=wide><table>\n<thead><tr>"
    yield "".join(cell("th", column[0], column) for column in section.columns)
    yield "</tr></thead>\n<tbody>"
    for row in section.rows:
        cells = (cell("td", words, column) for words, column in zip(row, section.columns))
        yield "<tr>" + "".join(cells) + "</tr>\n"
    yield "</tbody></table></div>\n"
    if section.remark:
        yield f"<p class=remark>{escape(section.remark)}</p>\n"


def _bars(title: str, pairs: list[tuple[str, float, str]], better: bool) -> Iterator[str]:
    """pairs: whose, how much, and that in words; the last one is ours, green if it is better."""
    most = max((value for _, value, _ in pairs), default=0)
    if most <= 0:
        return
    yield f"<h2>{escape(title)}</h2>\n"
    for place, (name, value, words) in enumerate(pairs):
        ours = " class=ours" if better and place == len(pairs) - 1 else ""
        yield (
            f'<div class=bar><span>{escape(name)}</span><i{ours} style="width:'
            f'{60 * value / most:.1f}%"></i><b>{escape(words)}</b></div>\n'
        )


def _times(report: dict) -> Iterator[str]:
    found = comparison(report)
    if found:
        named = (("without Caucus", found.native), ("with Caucus", found.ours))
        pairs = [
            (name, median, spread(all_of)) for (name, all_of), median in zip(named, found.medians)
        ]
        yield from _bars("Time of the whole run", pairs, found.is_faster)


def _messages(made: dict) -> Iterator[str]:
    moved = made.get("off_node")
    if moved:
        named = (("without Caucus", moved["before"]), ("with Caucus", moved["after"]))
        pairs = [(name, value, reports.number(value)) for name, value in named]
        title = f"{reports.grid_words(made)}: messages between nodes in an exchange"
        yield from _bars(title, pairs, moved["after"] < moved["before"])


def _picture(report: dict, made: dict) -> str:
    """Empty where the grid can't be drawn."""
    mapper = made.get("mapper") if made.get("mapper") in dict(mappers()) else BEST
    try:
        with planned(report, made) as plan:
            if plan is None or len([size for size in plan.dims if size > 1]) > 3:
                return ""
            found = draw(plan, survey(plan, mapper))
    except (CaucusError, KeyError, TypeError, ValueError):
        return ""
    return found[found.index("<svg") :]


def _figures(report: dict) -> Iterator[str]:
    """One for each grid that differs from the others."""
    shown: set[str] = set()
    if reports.on_one_node(report):
        return
    for kind, caption in (
        ("communicators", "Which node has which cells, without Caucus and with it."),
        ("left_grids", "Which node has which cells, and as Caucus would have placed them."),
    ):
        for made in report.get(kind) or []:
            key = json.dumps([made.get(name) for name in ("dims", "periodic", "mapper")])
            if key in shown or len(shown) >= MOST_PICTURES:
                continue
            shown.add(key)
            yield from _messages(made)
            picture = _picture(report, made)
            if picture:
                words = f"{reports.grid_words(made)}. {caption}"
                yield f"<figure>{picture}<figcaption>{escape(words)}</figcaption></figure>\n"


def _circumstances(report: dict) -> Iterator[str]:
    """The program, when it ran, under which MPI, and with which settings."""
    run = report.get("run") or {}
    if run.get("program"):
        yield f"<p><code>{escape(shlex.join(run['program']))}</code></p>\n"
    facts = [run[key] for key in ("date", "mpi_version") if run.get(key)]
    facts += [f"{name}={value}" for name, value in (run.get("settings") or {}).items()]
    if run.get("nodes"):
        facts.append(f"nodes only described: {run['nodes']}")
    if facts:
        yield f"<p class=remark>{escape('; '.join(facts))}.</p>\n"


def page(report: dict) -> str:
    """The whole file."""
    title = reports.heading(report)
    parts = [
        "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
        '<meta name=viewport content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
        f"<h1>{escape(title)}</h1>\n",
    ]
    parts += _circumstances(report)
    if report.get("left_to_mpi"):
        parts.append(f"<p>{escape(report['left_to_mpi'])}</p>\n")
    if not report["calls"]:
        parts.append("<p>The program made none of the calls that are taken over.</p>\n")
    for section in reports.sections(report):
        parts += _table(section)
    parts += [f"<p class=remark>{escape(words)}</p>\n" for words in reports.remarks(report)]
    parts += _times(report)
    parts += _figures(report)
    return "".join(parts) + "</body>\n</html>\n"
