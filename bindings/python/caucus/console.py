# SPDX-License-Identifier: BSD-3-Clause
"""What commands print: tables, JSON, and progress on a terminal."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any, Callable, NoReturn, Optional, TextIO

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

WIDTH = 80  # where the output is no terminal
LARGE = 1e15  # beyond, the last digits of a double mean nothing


def show(*parts: RenderableType, to: Optional[TextIO] = None) -> None:
    """Prints to standard output, or to: with colours on a terminal, as plain lines elsewhere."""
    to = to or sys.stdout
    if to.isatty():
        Console(file=to, highlight=False).print(*parts, sep="\n")
        return
    console = Console(file=io.StringIO(), width=WIDTH, highlight=False, color_system=None)
    console.print(*parts, sep="\n")
    for line in console.file.getvalue().splitlines():
        print(line.rstrip(), file=to)


def table(title: Optional[str] = None) -> Table:
    return Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")


def plain(words: str, style: str = "") -> Text:
    """Text in which brackets are just brackets."""
    return Text(words, style=style)


def _whole(value: Any) -> Any:
    """A float that is a whole number as such."""
    exact = isinstance(value, float) and value.is_integer() and abs(value) < LARGE
    return int(value) if exact else value


def number(value: float) -> str:
    """34816 rather than 34816.0, and not too many digits."""
    value = _whole(value)
    return f"{value}" if isinstance(value, int) else f"{value:.6g}"


def duration(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} us"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"


def print_json(value: Any) -> None:
    print(json.dumps(_tidy(value), indent=2))


def _tidy(value: Any) -> Any:
    """Whole numbers as such."""
    if isinstance(value, dict):
        return {key: _tidy(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_tidy(entry) for entry in value]
    return _whole(value)


@contextlib.contextmanager
def progress(title: str) -> Iterator[Callable[[str], None]]:
    """Shows on a terminal what is being done; says nothing elsewhere."""
    console = Console(file=sys.stderr)
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    with console.status(title) as status:
        yield lambda step: status.update(f"{title}: {step}")


def leave(status: int) -> NoReturn:
    """Leaves at once: a thread may still be at work in the library."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            pass
    os._exit(status)


def interruptible(work: Callable[[], Any]) -> Any:
    """Runs work in a thread, because Ctrl-C does not get through to a thread that is in C. It ends
    the program before the caller frees what the thread works on."""
    outcome = {}

    def run() -> None:
        try:
            outcome["value"] = work()
        except BaseException as error:  # handed over to the caller
            outcome["error"] = error

    thread = threading.Thread(target=run, daemon=True)
    try:
        thread.start()
        while thread.is_alive():
            thread.join(0.2)
    except KeyboardInterrupt:
        Console(file=sys.stderr).show_cursor(True)
        leave(128 + signal.SIGINT)
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]
