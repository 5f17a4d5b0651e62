# SPDX-License-Identifier: BSD-3-Clause
"""Tables of experiments, (title, columns, rows of texts), shown by rich or as Markdown."""

from rich import box
from rich.table import Table


def shown(table):
    title, columns, lines = table
    found = Table(title=title, title_justify="left", box=box.SIMPLE, pad_edge=False)
    for number, column in enumerate(columns):
        numeric = lines and lines[0][number][:1].isdigit()
        found.add_column(column, justify="right" if numeric else "left", no_wrap=True)
    for line in lines:
        found.add_row(*line)
    return found


def markdown(table):
    title, columns, lines = table
    parts = [f"**{title}**", "", "| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join(parts + ["| " + " | ".join(line) + " |" for line in lines]) + "\n"
