# SPDX-License-Identifier: BSD-3-Clause
"""caucus info: what is installed, and the settings."""

from __future__ import annotations

import argparse
import sys

from .. import __version__, library
from ..builds import known_builds
from ..completion import SHELLS, completion
from ..console import plain, print_json, show, table
from ..manual import man_page, settings_markdown
from ..plan import Setting, mappers, settings, version, warn_unknown_settings
from ..study import model_fault
from ..tables import Table

NAME = "info"
HELP = "show the version, the settings, the mappers and the MPI builds"
DESCRIPTION = (
    "Shows what is installed where, all settings with the values in force, and the mappers."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument(
        "--markdown", action="store_true", help="print the page docs/reference/settings.md"
    )
    form.add_argument("--man", action="store_true", help="print the manual page caucus(1)")
    parser.add_argument(  # not in the group, whose usage nothing breaks into lines
        "--completion",
        choices=SHELLS,
        metavar="SHELL",
        help=f"print what completes words in a shell: {', '.join(SHELLS)}",
    )


def _summary() -> dict:
    return {
        "version": version(),
        "command_line": __version__,
        "library": library.load().path,
        "settings": [{**vars(setting), "wrong": _fault(setting)} for setting in settings()],
        "mappers": [{"name": name, "summary": summary} for name, summary in mappers()],
        "builds": [build._asdict() for build in known_builds()],
    }


def _pairs(pairs: list) -> Table:
    rows = table()
    rows.show_header = False
    rows.add_column(no_wrap=True)
    rows.add_column()
    for name, text in pairs:
        rows.add_row(plain("  " + name, "bold cyan"), plain(text))
    return rows


def _places() -> list:
    """Which MPI they are for comes first: it is what users must know."""
    for build in known_builds():
        libraries = ", ".join(build.libraries) or "neither library nor drop-in"
        place = f"{build.folder}: {libraries}"
        yield build.mpi, f"for {build.built_for}\n{place}" if build.built_for else place
    yield "library", library.load().path


def _fault(setting: Setting) -> str:
    """What is wrong with a value that names a file which is read."""
    return model_fault(setting.value) if setting.environment == "CAUCUS_MODEL" else ""


def _setting(setting: Setting) -> tuple:
    value, fault = setting.value or "not set", _fault(setting)
    if setting.value != setting.default:
        value += f" (default: {setting.default or 'not set'})"
    if fault:
        value += f"\nWRONG: {fault}"
    return setting.environment, f"{value}\n{setting.help}\nValues: {setting.syntax}\n"


def _print() -> None:
    show(
        plain(f"Caucus {version()}\n", "bold"),
        _pairs(list(_places())),
        plain("\nSettings (some are info keys too: docs/reference/settings.md)", "bold"),
        _pairs([_setting(setting) for setting in settings()]),
        plain("Mappers", "bold"),
        _pairs(mappers()),
    )


def run(options: argparse.Namespace) -> None:
    warn_unknown_settings()
    if options.json:
        print_json(_summary())
    elif options.markdown:
        sys.stdout.write(settings_markdown())
    elif options.man:
        sys.stdout.write(man_page(options.whole_parser))
    elif options.completion:
        sys.stdout.write(completion(options.whole_parser, options.completion))
    else:
        _print()
