# SPDX-License-Identifier: BSD-3-Clause
"""Tables of Markdown pages, and figures taken from them.

A figure is asked for in braces: {page | first words of the table's title | cells that a row must
have | value}, for example {grids|Stencil sweep|MPI=mpich; N>=2048|ratio}. The value is a column or
two with a slash between them ("A & B": the lesser of both columns), and what comes of several rows
is the least and the greatest, or with "median:" before it the median; "text:" and a column: the
words of the first row. Columns of the same name are told apart as in "Caucus" and "Caucus#2"."""

import re
import statistics
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "results"
ASKED = re.compile(r"\{([\w-]+)\|([^{}|]+)\|([^{}|]*)\|([^{}|]+)\}")
CONDITION = re.compile(r"(.+?)(>=|<=|=)(.*)")
NUMBER = re.compile(r"[-+]?[\d,]*\.?\d+(?:e[-+]?\d+)?")


class WrongFigure(Exception):
    """One sentence on what is not in the pages."""


def page(name):
    path = FOLDER / f"{name}.md"
    if not path.exists():
        raise WrongFigure(f"there is no {path}")
    return path.read_text(encoding="utf-8")


def _cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _numbered(headings):
    """The second column of a name gets #2."""
    seen, found = {}, []
    for heading in headings:
        seen[heading] = seen.get(heading, 0) + 1
        found.append(heading if seen[heading] == 1 else f"{heading}#{seen[heading]}")
    return found


def tables(text):
    """(title, rows) of each table; the title is the last line in bold or heading above it, a row a
    dictionary."""
    title, lines = "", text.splitlines()
    for at, line in enumerate(lines):
        if line.startswith("#") or re.fullmatch(r"\*\*[^*]+\*\*", line.strip()):
            title = line.strip("#* ")
        if (
            line.startswith("|")
            and at + 1 < len(lines)
            and re.match(r"\|[-:| ]+\|$", lines[at + 1])
        ):
            names, rows = _numbered(_cells(line)), []
            for row in lines[at + 2 :]:
                if not row.startswith("|"):
                    break
                rows.append(dict(zip(names, _cells(row))))
            yield title, rows


def table(name, title):
    """The rows of the table of a page whose title begins so."""
    for found, rows in tables(page(name)):
        if found.startswith(title):
            return rows
    raise WrongFigure(f"{name}.md has no table '{title}'")


def number(text):
    """The first number of a cell; None where there is none. What is wrong is no figure."""
    if "WRONG" in text:
        raise WrongFigure(f"'{text}' is no figure")
    found = NUMBER.search(text)
    return float(found[0].replace(",", "")) if found else None


def _holds(row, condition, where):
    name, relation, wanted = (part.strip() for part in CONDITION.fullmatch(condition).groups())
    if name not in row:
        raise WrongFigure(f"{where} has no column '{name}'")
    if relation == "=":
        return row[name] == wanted
    value = number(row[name])
    return value is not None and (value >= float(wanted)) == (relation == ">=")


def chosen(name, title, conditions):
    """The rows of a table that hold "column=cell; column>=number"."""
    wanted = [part for part in conditions.split(";") if part.strip()]
    where = f"'{title}' of {name}.md"
    rows = [row for row in table(name, title) if all(_holds(row, part, where) for part in wanted)]
    if not rows:
        raise WrongFigure(f"no row of {where} has {conditions}")
    return rows


def said(value):
    """Three digits that mean something."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _least(row, columns, where):
    """The least number of some columns."""
    for column in columns:
        if column not in row:
            raise WrongFigure(f"{where} has no column '{column}'")
    found = [number(row[column]) for column in columns]
    return min((value for value in found if value is not None), default=None)


def _value(row, terms, where):
    parts = [_least(row, term.split(" & "), where) for term in terms]
    if None in parts:
        return None
    return parts[0] / parts[1] if len(parts) == 2 else parts[0]


def figure(name, title, conditions, wanted):
    """What is asked for, in words."""
    where, rows = f"'{title}' of {name}.md", chosen(name, title, conditions)
    kind, colon, rest = wanted.partition(":")
    if kind == "text":
        if rest not in rows[0]:
            raise WrongFigure(f"{where} has no column '{rest}'")
        return rows[0][rest]
    asked = rest if kind == "median" and colon else wanted
    terms = [asked] if asked in rows[0] else asked.split(" / ")
    found = [_value(row, terms, where) for row in rows]
    count, found = len(found), [value for value in found if value is not None]
    if not found:
        raise WrongFigure(f"{where}: no number in {wanted}")
    if kind == "median":
        return said(statistics.median(found))
    least, most = said(min(found)), said(max(found))
    of = f" ({len(found)} of {count} rows)" if len(found) < count else ""
    return (least if least == most else f"{least} to {most}") + of


def filled(text):
    """A text with what it asks for in braces."""
    return ASKED.sub(lambda asked: figure(*(part.strip() for part in asked.groups())), text)
