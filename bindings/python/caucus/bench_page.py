# SPDX-License-Identifier: BSD-3-Clause
"""Results of benchmarks as one page of HTML that needs no other file, or as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from .bench_figures import Result, cells_of, tables
from .bench_plot import Panel, plot, plots
from .bench_run import conditions
from .benchmarks import BENCHMARKS
from .console import number
from .report_page import STYLE

MORE_STYLE = "h3 { font-size: 1rem; margin-bottom: 0; } td:first-child { white-space: nowrap; }"


def _panels(result: Result) -> Iterator[Panel]:
    size = BENCHMARKS[result["benchmark"]].size
    for title, unit, ways, lines in tables(cells_of(result)):
        yield Panel(title, unit, size, ways, lines)


def picture(results: list[Result]) -> str:
    """An SVG file of all tables."""
    found = []
    for result in results:
        name = result["benchmark"]
        found += [panel._replace(title=f"{name}: {panel.title}") for panel in _panels(result)]
    return plots(found)


def _table(panel: Panel) -> Iterator[str]:
    yield "<div class=wide><table>\n<thead><tr>"
    yield "".join(f"<th class=number>{escape(name)}</th>" for name in [panel.size, *panel.ways])
    yield "</tr></thead>\n<tbody>"
    for size, values in panel.lines:
        words = ["–" if value is None else number(value, 3) for value in values]
        cells = [f'<td data-name="{escape(panel.size)}">{number(size)} {escape(panel.size)}</td>']
        cells += [
            f'<td class=number data-name="{escape(way)}">{word}</td>'
            for way, word in zip(panel.ways, words)
        ]
        yield f"<tr>{''.join(cells)}</tr>\n"
    yield "</tbody></table></div>\n"


def page(results: list[Result]) -> str:
    """The whole file."""
    title = "Benchmarks of Caucus"
    parts = [
        "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
        '<meta name=viewport content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}{MORE_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    ]
    for result in results:
        name = result["benchmark"]
        parts.append(f"<h2>{escape(name)}: {escape(BENCHMARKS[name].summary)}</h2>\n")
        parts.append(f"<p class=remark>{escape(conditions(result).lstrip('# '))}</p>\n")
        for panel in _panels(result):
            parts.append(f"<h3>{escape(panel.title)}, {escape(panel.unit)}</h3>\n")
            parts.append(f"<figure>{plot(panel._replace(title=''))}</figure>\n")
            parts += _table(panel)
    return "".join(parts) + "</body>\n</html>\n"
