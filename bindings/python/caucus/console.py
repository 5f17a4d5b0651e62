# SPDX-License-Identifier: BSD-3-Clause
"""What commands print: tables, JSON, and progress on a terminal."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from typing import Any, Callable, NoReturn, Optional, TextIO

from rich.console import Console, Group, RenderableType
from rich.text import Text

from .tables import Table, wrap

WIDTH = 80  # where the output is no terminal and COLUMNS says nothing
UNITS = ("B", "KiB", "MiB", "GiB", "TiB")  # of bytes
LARGE = 1e15  # beyond, the last digits of a double mean nothing


def _width() -> int:
    columns = os.environ.get("COLUMNS", "")
    return int(columns) if re.fullmatch("0*[1-9][0-9]{0,5}", columns) else WIDTH


def _pieces(parts: Iterable[RenderableType], width: int) -> Iterator[RenderableType]:
    """The parts, with words wrapped between words only."""
    for part in parts:
        if isinstance(part, Group):
            yield from _pieces(part.renderables, width)
        elif isinstance(part, (str, Text)):
            words = part if isinstance(part, str) else part.plain
            style = "" if isinstance(part, str) else part.style
            for line in wrap(words, width):
                yield Text(line, style=style)
        else:
            yield part


def _print(console: Console, parts: Iterable[RenderableType]) -> None:
    pieces = _pieces(parts, console.width)
    console.print(*pieces, sep="\n", crop=False, no_wrap=True, overflow="ignore")


def show(*parts: RenderableType, to: Optional[TextIO] = None) -> None:
    """Prints to standard output, or to: with colours on a terminal, as plain lines elsewhere.
    Nothing is cut; what is longer than a line and has no space in it stays whole."""
    to = to or sys.stdout
    if to.isatty():
        console = Console(file=to, highlight=False)
        _print(console, parts)
        return
    text, width = io.StringIO(), _width()
    # Without a height, too, rich reads COLUMNS in its own way.
    console = Console(file=text, width=width, height=1, highlight=False, color_system=None)
    _print(console, parts)
    for line in text.getvalue().splitlines():
        print(line.rstrip(), file=to)


def table(title: Optional[str] = None) -> Table:
    return Table(title or "")


def plain(words: str, style: str = "") -> Text:
    """Text in which brackets are just brackets."""
    return Text(words, style=style)


def _whole(value: Any) -> Any:
    """A float that is a whole number as such."""
    exact = isinstance(value, float) and value.is_integer() and abs(value) < LARGE
    return int(value) if exact else value


def number(value: float, digits: int = 6) -> str:
    """34,816 rather than 34816.0, 3,140 rather than 3.14e+03; a fraction has no more than so many
    digits that mean something."""
    value = _whole(value)
    if isinstance(value, int):
        return f"{value:,}"
    if not math.isfinite(value) or not 1e-5 <= abs(value) < LARGE:
        return f"{value:.{digits}g}"
    places = digits - 1 - math.floor(math.log10(abs(value)))
    words = f"{round(value, places):,.{max(places, 0)}f}"
    return words.rstrip("0").rstrip(".") if "." in words else words


def spoken(count: float) -> str:
    """65536 bytes as 64 KiB."""
    for unit in UNITS:
        if count < 1024 or unit == UNITS[-1]:
            return f"{count:.4g} {unit}"
        count /= 1024
    return ""


def duration(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"


def print_json(value: Any) -> None:
    print(json.dumps(_tidy(value), indent=2, allow_nan=False))


def _tidy(value: Any) -> Any:
    """Whole numbers as such; JSON has no infinite ones."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _tidy(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_tidy(entry) for entry in value]
    return _whole(value)


@contextlib.contextmanager
def progress(title: str) -> Iterator[Callable[[str], None]]:
    """Shows on a terminal what is being done; says nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    with Console(file=sys.stderr).status(title) as status:
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
