# SPDX-License-Identifier: BSD-3-Clause
"""The one place that prints tables. Nothing in them is ever cut: a table that is too wide for the
terminal wraps its words, and where that is not enough it is printed as a block of lines for each
row."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Union

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.text import Text

GAP = "  "  # between columns
INDENT = 4  # of the lines of a block
NARROWEST = 24  # what words are wrapped to, unless they are shorter

Cell = Union[str, Text]


class Column(NamedTuple):
    heading: str  # may have several lines
    justify: str  # left or right
    no_wrap: bool
    long: str  # the heading in blocks, where the columns beside it say nothing


class Row(NamedTuple):
    cells: list[Text]
    style: str


def wrap(words: str, width: int) -> list[str]:
    """Lines of at most that width, unless a single word is longer."""
    lines = []
    for line in words.split("\n"):
        if cell_len(line) <= width:
            lines.append(line)
            continue
        lead = line[: len(line) - len(line.lstrip())]
        lines += textwrap.wrap(
            line,
            max(width, len(lead) + 1),
            subsequent_indent=lead,
            break_long_words=False,
            break_on_hyphens=False,
        )
    return lines


def _width(words: str) -> int:
    return max(cell_len(line) for line in words.split("\n"))


def _longest_word(words: Iterable[str]) -> int:
    return max((cell_len(word) for text in words for word in text.split()), default=0)


def _text(cell: Cell) -> Text:
    return cell if isinstance(cell, Text) else Text(str(cell))


class Table:
    """Something that rich can print."""

    def __init__(self, title: str = "", show_header: bool = True):
        self.title = title
        self.show_header = show_header
        self.columns: list[Column] = []
        self.rows: list[Row] = []

    def add_column(
        self, heading: str = "", justify: str = "left", no_wrap: bool = False, long: str = ""
    ) -> None:
        single = " ".join(heading.split())
        self.columns.append(Column(heading, justify, no_wrap, long or single))

    def add_row(self, *cells: Cell, style: str = "") -> None:
        while len(self.columns) < len(cells):
            self.add_column()
        missing = len(self.columns) - len(cells)
        self.rows.append(Row([_text(cell) for cell in (*cells, *[""] * missing)], style))

    def _words(self, place: int) -> list[str]:
        heading = [self.columns[place].heading] if self.show_header else []
        return heading + [row.cells[place].plain for row in self.rows]

    def _widths(self, most: int) -> list[int]:
        """What every column takes, or nothing if the table does not fit."""
        widths = [
            max((_width(words) for words in self._words(place)), default=0)
            for place in range(len(self.columns))
        ]
        over = sum(widths) + len(GAP) * (len(widths) - 1) - most
        wrapped = [place for place, column in enumerate(self.columns) if not column.no_wrap]
        wrapped = [place for place in wrapped if self.columns[place].justify == "left"]
        if over > 0 and wrapped:
            widest = max(wrapped, key=lambda place: widths[place])
            least = max(_longest_word(self._words(widest)), min(NARROWEST, widths[widest]))
            if widths[widest] - over >= least:
                widths[widest] -= over
                over = 0
        return widths if over <= 0 else []

    def _lines(self, cells: list[Text], widths: list[int], style: str, last: bool) -> Iterator:
        """A row of cells; what has fewer lines than others stands at the top, or at the bottom."""
        columns = [wrap(cell.plain, width) for cell, width in zip(cells, widths)]
        height = max(len(lines) for lines in columns)
        for at in range(height):
            line = Text(no_wrap=True, overflow="ignore", style=style)
            for place, (cell, lines) in enumerate(zip(cells, columns)):
                number = at - (height - len(lines) if last else 0)
                words = lines[number] if 0 <= number < len(lines) else ""
                space = " " * (widths[place] - cell_len(words))
                right = self.columns[place].justify == "right"
                line.append(GAP if place else "")
                line.append(space if right else "")
                line.append(words, cell.style or None)
                line.append("" if right else space)
            line.rstrip()
            yield line

    def _aligned(self, widths: list[int]) -> Iterator[Text]:
        if self.show_header and any(column.heading for column in self.columns):
            headings = [Text(column.heading) for column in self.columns]
            yield from self._lines(headings, widths, "bold", True)
        for row in self.rows:
            yield from self._lines(row.cells, widths, row.style, False)

    def _blocks(self, most: int) -> Iterator[Text]:
        def line(words: str, style) -> Text:
            return Text(words, style=style or "", no_wrap=True, overflow="ignore")

        names = [column.long if self.show_header else "" for column in self.columns]
        room = max((cell_len(name) for name in names[1:]), default=0)
        for row in self.rows:
            first, *others = row.cells
            for words in wrap(first.plain, most):
                yield line(words.rstrip(), first.style or row.style or "bold")
            indented = len(first.plain) - len(first.plain.lstrip())
            margin = " " * max(INDENT, indented + INDENT // 2)
            for name, cell in zip(names[1:], others):
                lead = f"{margin}{name:{room}}{GAP}" if name else margin
                lines = wrap(cell.plain.strip("\n"), max(most - len(lead), NARROWEST))
                for at, words in enumerate(lines if cell.plain.strip() else []):
                    start = lead if at == 0 else " " * len(lead)
                    yield line((start + words).rstrip(), cell.style or row.style)

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> Iterator[Text]:
        if self.title:
            for words in wrap(self.title, options.max_width):
                yield Text(words, style="bold", no_wrap=True, overflow="ignore")
        if not self.columns:
            return
        widths = self._widths(options.max_width)
        yield from self._aligned(widths) if widths else self._blocks(options.max_width)
