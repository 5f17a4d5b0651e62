# SPDX-License-Identifier: BSD-3-Clause
"""Completion for shells, made of the parser as the manual page is: commands, options, words that an
option takes, and files."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator
from typing import NamedTuple, Optional

SHELLS = ("bash", "zsh", "fish")
FILES = ("FILE", "FOLDER", "NODES")  # in the name of what an option takes
PROGRAM = "PROGRAM"
WIDTH = 70  # of what is said of an option


class Option(NamedTuple):
    names: list[str]
    help: str
    value: Optional[str]  # what it takes, by name; None: nothing
    words: list[str]  # what it can take
    files: bool


class Command(NamedTuple):
    path: list[str]  # ["schedule", "draw"]; [] for caucus itself
    commands: dict[str, str]  # those that follow, with their help
    options: list[Option]
    files: bool  # its arguments may be files
    program: bool  # a command line of its own may follow "--"


def _option(action: argparse.Action) -> Option:
    value = None
    if action.nargs != 0:
        value = str(action.metavar or action.dest.upper())
    words = [str(word) for word in action.choices or []]
    text = (action.help or "").replace("%(default)s", str(action.default))
    return Option(
        list(action.option_strings),
        textwrap.shorten(text, WIDTH, placeholder=" …").replace("\\", "/"),
        value,
        words,
        value is not None and any(word in value for word in FILES),
    )


def commands(parser: argparse.ArgumentParser, path: tuple[str, ...] = ()) -> Iterator[Command]:
    """All commands below a parser, itself first."""
    # argparse has no public list of its arguments.
    actions = parser._actions
    subs = [action for action in actions if isinstance(action, argparse._SubParsersAction)]
    helps = {one.dest: one.help or "" for sub in subs for one in sub._choices_actions}
    options = [_option(action) for action in actions if action.option_strings]
    others = [a for a in actions if not a.option_strings and a not in subs]
    names = " ".join(str(action.metavar or action.dest) for action in others)
    files, program = any(word in names for word in FILES), PROGRAM in names
    yield Command(list(path), helps, options, files, program)
    for sub in subs:
        for name, below in sub.choices.items():
            yield from commands(below, (*path, name))


def _head(shell: str) -> str:
    made = f"# Made by: caucus info --completion {shell}\n"
    return f"# SPDX-License-Identifier: BSD-3-Clause\n{made}"


def _bash_case(command: Command) -> str:
    """What can stand in a command: after an option that takes something, and elsewhere."""
    lines = []
    for option in command.options:
        if option.value is None:
            continue
        action = f'words="{" ".join(option.words)}"'
        if option.files:
            action += " files=1"
        lines.append(f"        {'|'.join(option.names)}) {action} ;;")
    names = " ".join([*command.commands, *(name for o in command.options for name in o.names)])
    files = " files=1" if command.files else ""
    lines.append(f'        *) words="{names}"{files} ;;')
    cases = "\n".join(lines)
    return f'    "{" ".join(command.path)}")\n        case $before in\n{cases}\n        esac ;;\n'


def _bash(found: list[Command]) -> str:
    known = "|".join(f'"{" ".join(command.path)}"' for command in found if command.path)
    return f"""\
{_head("bash")}
_caucus() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
    local path="" words="" files="" word i
    COMPREPLY=()
    if [[ $current == "=" ]]; then # bash parts --report=FILE there
        current=""
    elif [[ $before == "=" ]]; then
        before=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    current=${{current#[\\"\\']}} # names as they are, which bash quotes again
    current=${{current//\\\\/}}
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${{COMP_WORDS[i]}}
        if [[ $word == -- ]]; then # a program and its arguments
            [[ $((i + 1)) == "$COMP_CWORD" ]] && words=-c
            mapfile -t COMPREPLY < <(compgen -f $words -- "$current" | sort -u)
            compopt -o filenames 2> /dev/null
            return
        fi
        case "${{path:+$path }}$word" in
        {known}) path="${{path:+$path }}$word" ;;
        esac
    done
    case "$path" in
{"".join(_bash_case(command) for command in found)}    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    if [[ $files ]]; then
        mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$current")
        compopt -o filenames 2> /dev/null
    fi
}}
complete -F _caucus caucus
"""


def _quoted(text: str) -> str:
    """In single quotes, for any of the shells."""
    return "'" + text.replace("'", "'\\''") + "'"


def _zsh_option(option: Option) -> str:
    text = option.help
    for mark in "\\[]:":
        text = text.replace(mark, "\\" + mark)
    value = ""
    if option.value is not None:
        action = f"({' '.join(option.words)})" if option.words else ""
        action = "_files" if option.files else action
        value = f":{option.value.replace(':', '')}:{action}"
    names = option.names[0]
    before = ""
    if len(option.names) > 1:
        before = f"'({' '.join(option.names)})'"
        names = f"{{{','.join(option.names)}}}"
    return f"{before}{names}{_quoted(f'[{text}]{value}')}"


def _zsh_case(command: Command) -> str:
    lines = [_zsh_option(option) for option in command.options]
    if command.commands:
        described = " ".join(
            _quoted(f"{name}:{text.replace(':', ' ')}") for name, text in command.commands.items()
        )
        lines.append("'1: :->command'")
        after = f"\n        known=({described})"
        after += "\n        [[ $state == command ]] && _describe command known"
    else:
        lines += ["'*:file:_files'"] if command.files else []
        lines += ["'*::program: _normal'"] if command.program else []
        after = ""
    joined = " \\\n            ".join(lines)
    return f'    "{" ".join(command.path)}")\n        _arguments -S {joined}{after} ;;\n'


def _zsh(found: list[Command]) -> str:
    known = "|".join(f'"{" ".join(command.path)}"' for command in found if command.path)
    return f"""\
#compdef caucus
{_head("zsh")}
_caucus() {{
    local path_of_commands="" state="" word
    local -a known
    while ((CURRENT > 2)); do # the words of the command are taken away, one after the other
        word="${{path_of_commands:+$path_of_commands }}$words[2]"
        case $word in
        {known}) path_of_commands=$word; shift words; ((CURRENT--)) ;;
        *) break ;;
        esac
    done
    case $path_of_commands in
{"".join(_zsh_case(command) for command in found)}    esac
}}
_caucus "$@"
"""


def _fish_condition(command: Command, found: list[Command]) -> str:
    seen = [f"__fish_seen_subcommand_from {word}" for word in command.path]
    if command.commands:
        seen.append(f"not __fish_seen_subcommand_from {' '.join(command.commands)}")
    return "; and ".join(seen)


def _fish_lines(command: Command, found: list[Command]) -> Iterator[str]:
    start = f"complete -c caucus -n {_quoted(_fish_condition(command, found))}"
    for name, text in command.commands.items():
        yield f"{start} -a {name} -d {_quoted(text)}"
    for option in command.options:
        names = " ".join(
            f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
        )
        value = "" if option.value is None else " -r -F" if option.files else " -x"
        words = f" -a {_quoted(' '.join(option.words))}" if option.words else ""
        yield f"{start} {names}{value}{words} -d {_quoted(option.help)}"
    if command.files or command.program:
        yield f"{start} -F"


def _fish(found: list[Command]) -> str:
    lines = [line for command in found for line in _fish_lines(command, found)]
    return "\n".join([_head("fish") + "complete -c caucus -f", *lines]) + "\n"


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """The file for a shell."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](list(commands(parser)))
