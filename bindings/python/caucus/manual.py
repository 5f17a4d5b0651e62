# SPDX-License-Identifier: BSD-3-Clause
"""Pages that are made of the tables and of argparse, so that they can't say something else:
docs/reference/settings.md and docs/man/caucus.1."""

from __future__ import annotations

import argparse

from . import __version__
from .plan import mappers, settings

HEAD = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: caucus info --markdown -->
# Settings

Every setting is an environment variable. Six of them are info keys as well, which win over it in
the calls that read them: `caucus_cart_mapper`, `caucus_cart_threshold` and `caucus_cart_rank0` in
`caucus_stencil_create` (the second also in `caucus_dist_graph_create` and
`caucus_dist_graph_create_adjacent`), `caucus_algorithm`, `caucus_shared_memory` and
`caucus_requests` in persistent inits (the last two also in `caucus_redistribute_init`). Other keys
are not looked at.
A `CAUCUS_` variable that is not listed here earns a warning. `caucus info` shows the values in
force.
"""
# Those that calls read; the others are keys by name only.
INFO_KEYS = {
    "caucus_algorithm",
    "caucus_cart_mapper",
    "caucus_cart_rank0",
    "caucus_cart_threshold",
    "caucus_requests",
    "caucus_shared_memory",
}
MAPPERS = """\
## Grid mappers

What `CAUCUS_CART_MAPPER` and `caucus map --mapper` can name besides `best`.
"""


def settings_markdown() -> str:
    """The page of settings and mappers."""
    parts = [HEAD]
    for setting in settings():
        default = f"`{setting.default}`" if setting.default else "not set"
        key = f"- Info key: `{setting.info_key}`\n" if setting.info_key in INFO_KEYS else ""
        parts.append(
            f"## {setting.environment}\n\n{setting.help}\n\n"
            f"- Values: `{setting.syntax}`\n- Default: {default}\n{key}"
        )
    parts.append(MAPPERS)
    parts.append("\n".join(f"- `{name}`: {summary}" for name, summary in mappers()) + "\n")
    return "\n".join(parts)


def _roff(text: str) -> str:
    """Text in which nothing means anything to troff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in text.split("\n"))


def _action(action: argparse.Action) -> str:
    words = ", ".join(f"\\fB{_roff(option)}\\fR" for option in action.option_strings)
    if action.nargs != 0:
        value = str(action.metavar or "|".join(action.choices or []) or action.dest)
        value = f"\\fI{_roff(value)}\\fR"
        words = f"{words} {f'[{value}]' if action.nargs == '?' else value}".strip()
    text = (action.help or "").replace("%(default)s", str(action.default))
    return f".TP\n{words}\n{_roff(text)}\n"


def _arguments(parser: argparse.ArgumentParser) -> list:
    # argparse has no public list of its arguments.
    return [a for a in parser._actions if not isinstance(a, argparse._HelpAction)]


def _described(name: str, parser: argparse.ArgumentParser) -> str:
    """What a command does, then its example lines."""
    text, _, example = (parser.description or "").partition("\n\n")
    example = f".PP\n.nf\n{_roff(example)}\n.fi\n" if example else ""
    return f".SS caucus {name}\n{_roff(text)}\n{example}"


def _commands_of(name: str, subparsers: argparse._SubParsersAction) -> str:
    """The sections of a command's own commands; arguments that one has told are not told again."""
    parts, told = [], {}
    for word, sub in subparsers.choices.items():
        new, known = [], {}
        for action in _arguments(sub):
            key = (tuple(action.option_strings), action.dest, action.help)
            if key in told:
                known[told[key]] = True
            else:
                told[key] = f"{name} {word}"
                new.append(_action(action))
        parts += [_described(f"{name} {word}", sub), *new]
        if known:
            names = " and ".join(f"\\fBcaucus {_roff(other)}\\fR" for other in known)
            parts.append(f".PP\nFurther arguments are as for {names}.\n")
    return "".join(parts)


def _command(name: str, parser: argparse.ArgumentParser) -> str:
    """The section of a command: what it does, then its example lines, then its arguments."""
    parts = [_described(name, parser)]
    for action in _arguments(parser):
        if isinstance(action, argparse._SubParsersAction):
            parts.append(_commands_of(name, action))
        else:
            parts.append(_action(action))
    return "".join(parts)


def man_page(parser: argparse.ArgumentParser) -> str:
    """caucus(1)"""
    subparsers = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    parts = [
        '.\\" SPDX-License-Identifier: BSD-3-Clause\n.\\" Made by: caucus info --man\n',
        f'.TH CAUCUS 1 "" "Caucus {__version__}" "User Commands"\n',
        ".SH NAME\ncaucus \\- run MPI programs under Caucus, plan grids, look into collectives\n",
        ".SH SYNOPSIS\n\\fBcaucus\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n",
        f".SH DESCRIPTION\n{_roff(parser.description or '')}\n",
        ".SH COMMANDS\n",
        *(_command(name, sub) for name, sub in subparsers.choices.items()),
        ".SH ENVIRONMENT\n",
    ]
    for setting in settings():
        default = f" Default: {setting.default}." if setting.default else ""
        words = f"{setting.help} Values: {setting.syntax}.{default}"
        parts.append(f".TP\n.B {_roff(setting.environment)}\n{_roff(words)}\n")
    parts += [
        ".SH EXIT STATUS\n0 is success, 1 a failure, 2 wrong usage, 130 Ctrl\\-C, ",
        "143 SIGTERM; \\fBcaucus run\\fR ends with the status of the program, or with 124 if ",
        "\\-\\-timeout ended it.\n",
    ]
    return "".join(parts)
