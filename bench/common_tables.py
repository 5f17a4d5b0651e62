# SPDX-License-Identifier: BSD-3-Clause
"""Tables of experiments, (title, columns, rows of texts), shown as the command line shows its own,
or as Markdown."""

from caucus.console import show
from caucus.tables import Table


def shown(table):
    title, columns, lines = table
    found = Table(title)
    for number, column in enumerate(columns):
        numeric = lines and lines[0][number][:1].isdigit()
        found.add_column(column, justify="right" if numeric else "left", no_wrap=True)
    for line in lines:
        found.add_row(*line)
    return found


class Output:
    """Where experiments print what they found: nothing is cut, whatever reads it; a line is left
    free above a table."""

    @staticmethod
    def print(*parts):
        for part in parts:
            show(*([""] if isinstance(part, Table) else []), part)


def markdown(table):
    title, columns, lines = table
    parts = [f"**{title}**", "", "| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join(parts + ["| " + " | ".join(line) + " |" for line in lines]) + "\n"
