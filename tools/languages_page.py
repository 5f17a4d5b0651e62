#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/languages.md, which test shows each capability in each language on each MPI, or why
there is none, from docs/languages.json; with --check, says whether the page is as it would be
written.

languages.json has "cells": each stands for all combinations of its faces, languages, mpis and
capabilities, and has "tests" (a file, or a file and a function after two colons) or "why" (one of
the "reasons"). Every combination must be in one of them, every test must be there, and a program
of tests/mpi or tests/dropin must run on the MPIs that it is named for."""

import itertools
import json
import re
import string
import sys
from pathlib import Path

from testing import cases

ROOT = Path(__file__).resolve().parents[1]
DATA, PAGE = ROOT / "docs" / "languages.json", ROOT / "docs" / "languages.md"
HEAD = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: python3 tools/languages_page.py -->
# Which language, on which MPI

What works in which language on which MPI: ✓ with the letter of [the test that shows it](#tests), or
the number of [a reason](#why-there-is-none). `make test` runs the tests on MPICH and Open MPI,
`make test FULL=1` on the others too, some by turns. Guides: [C](reference/c.md), [C++](cpp.md),
[Fortran](fortran.md), [Python](python.md), [the drop-in](dropin.md).
"""


class WrongCell(Exception):
    """One sentence on what is wrong in languages.json."""


def read():
    return json.loads(DATA.read_text(encoding="utf-8"))


def keys(data):
    """All combinations, in the order of the page."""
    return list(
        itertools.product(data["faces"], data["languages"], data["mpis"], data["capabilities"])
    )


def by_key(data):
    """{(face, language, mpi, capability): cell}."""
    found = {}
    for cell in data["cells"]:
        wanted = itertools.product(
            [cell["face"]], cell["languages"], cell["mpis"], cell["capabilities"]
        )
        for key in wanted:
            if key in found:
                raise WrongCell(f"two cells are for {', '.join(key)}")
            found[key] = cell
    wanted = set(keys(data))
    for words, some in (("no cell is", wanted - set(found)), ("a cell is", set(found) - wanted)):
        if some:
            raise WrongCell(f"{words} for {', '.join(sorted(some)[0])}")
    return found


def check_test(test, mpi):
    """Raises WrongCell unless the test is there and runs on the MPI."""
    name, _, function = test.partition("::")
    path = ROOT / name
    if not path.is_file():
        raise WrongCell(f"there is no {name}")
    text = path.read_text(encoding="utf-8")
    if function and not re.search(rf"^def {re.escape(function)}\(", text, re.MULTILINE):
        raise WrongCell(f"{name} has no {function}")
    if path.suffix == ".c" and not any(
        not case.mpis or mpi in case.mpis for case in cases.read(path)
    ):
        raise WrongCell(f"{name} does not run on {mpi}")


def link(test):
    return f"[{test}](../{test.partition('::')[0]})"


def shown(cell, mpi, marks):
    if "why" in cell:
        return f"({marks[cell['why']]})"
    for test in cell["tests"]:
        check_test(test, mpi)
    return f"✓ {marks[tuple(cell['tests'])]}"


def table(data, face, found, marks):
    columns = ["language", "MPI", *data["capabilities"]]
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for language, (mpi, name) in itertools.product(data["languages"], data["mpis"].items()):
        row = [found[face, language, mpi, what] for what in data["capabilities"]]
        words = [shown(cell, mpi, marks) for cell in row]
        lines.append("| " + " | ".join([language, name, *words]) + " |")
    return "\n".join(lines)


def written():
    data = read()
    found = by_key(data)
    used = {cell["why"] for cell in data["cells"] if "why" in cell}
    if used != set(data["reasons"]):
        raise WrongCell(f"reasons without a cell, or without words: {used ^ set(data['reasons'])}")
    tests = list(dict.fromkeys(tuple(cell["tests"]) for cell in data["cells"] if "tests" in cell))
    marks = dict(zip(tests, string.ascii_lowercase, strict=False))
    marks.update({name: number for number, name in enumerate(data["reasons"], 1)})
    parts = [HEAD]
    for face, title in data["faces"].items():
        parts.append(f"## {title}\n{table(data, face, found, marks)}\n")
    lines = [f"- {marks[some]}: {', '.join(link(test) for test in some)}" for some in tests]
    parts.append("## Tests\n" + "\n".join(lines) + "\n")
    lines = [f"- ({marks[name]}) {words}" for name, words in data["reasons"].items()]
    parts.append("## Why there is none\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def main():
    made = written()
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(made, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != made:
        sys.exit("docs/languages.md is not as it would be made: python3 tools/languages_page.py")


if __name__ == "__main__":
    main()
