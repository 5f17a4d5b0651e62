# SPDX-License-Identifier: BSD-3-Clause
"""The command line: caucus COMMAND. Exit status 2 for wrong usage, 1 for failure, 130 for Ctrl-C,
143 for SIGTERM before a program was started; what went wrong is one sentence on standard error."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from typing import NoReturn, Optional

from . import __version__
from .errors import CaucusError, UsageError

try:
    from .commands import COMMANDS
    from .console import leave
    from .processes import Terminated
    from .tables import wrap
except ModuleNotFoundError as missing:
    sys.exit(
        f"caucus: the Python package '{missing.name}' is missing: install it with "
        f"'pip install {missing.name}', or Debian's python3-{missing.name}"
    )


class Help(argparse.RawDescriptionHelpFormatter):
    """Wraps what a command says of itself to the terminal, and leaves its examples as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines: list[str] = []
        for paragraph in text.split("\n\n"):
            is_example = paragraph.startswith("  ")
            words = paragraph if is_example else " ".join(paragraph.split())
            lines += [*wrap(words, width), ""]
        return "\n".join(indent + line for line in lines[:-1])


class Parser(argparse.ArgumentParser):
    """Says what is wrong in a sentence, without the usage in front, and names the help of the very
    command that was given."""

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return options, unknown

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"caucus: {message}; see '{self.prog} --help'\n")


def parser() -> argparse.ArgumentParser:
    """The whole command line; the manual page is made of it too."""
    top = Parser(
        prog="caucus",
        description="Run MPI programs under Caucus, plan grids whose halos stay on the node, look "
        "into collectives, and draw both.",
        epilog="'caucus COMMAND --help' tells more about a command.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"caucus {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for command in COMMANDS:
        sub = commands.add_parser(
            command.NAME,
            help=command.HELP,
            description=command.DESCRIPTION,
            formatter_class=Help,
            allow_abbrev=False,
        )
        command.add_arguments(sub)
        sub.set_defaults(run=command.run, whole_parser=top)
    return top


def _broken_pipe() -> NoReturn:
    """The reader went away (caucus map … | head): go as quietly as the shell's own tools."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    leave(128 + signal.SIGPIPE)


def _complain(text: str, status: int) -> int:
    print(f"caucus: {text}", file=sys.stderr)
    return status


def _print_anything() -> None:
    """Names of files, and what other programs say, need be no text in the encoding at hand. Streams
    that were closed, as a daemon does it, lead nowhere."""
    sys.stdout = sys.stdout or open(os.devnull, "w")
    sys.stderr = sys.stderr or open(os.devnull, "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def main(arguments: Optional[list[str]] = None) -> int:
    _print_anything()
    top = parser()
    try:
        options = top.parse_args(arguments)
        if not options.command:
            raise UsageError("which command? See 'caucus --help'")
        status = options.run(options) or 0
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        leave(128 + signal.SIGINT)
    except Terminated as end:
        return 128 + end.args[0]
    except BrokenPipeError:
        _broken_pipe()
    except CaucusError as error:
        return _complain(" ".join(str(error).split()), error.exit_status)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _complain(f"{place}{error.strerror or error}", 1)
    except MemoryError:
        return _complain("out of memory", 1)
