# SPDX-License-Identifier: BSD-3-Clause
"""The blocks of code in README, guide and problems, and what is to be done with each.

A comment above a block, on lines of its own, says what is not plain from its language:

<!-- not run: REASON -->    it is for the reader alone
<!-- long: REASON -->       it is run in some full runs only
<!-- needs: openmpi -->     it is run if that was built
<!-- from: FILE -->         its lines stand in that file, in this order, as do those after each
                            line of "..."

Otherwise c and cpp are compiled: a whole program by itself, anything else within a function
(context.h declares what is in the air). Blocks of console run the lines that begin with "$ " and
compare what follows, but for numbers, their units, folders, lines of "..." and ends of "…"; those
without a language, of sh and of python run whole. Others (text, json, cmake, fortran) show what is
read or written."""

import re
import textwrap
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("problems/*.md"))]
FENCE = re.compile(r"^```(\S*)$\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"<!-- ([a-z ]+): (.*?) -->")
COMPILED, SHOWN = ("c", "cpp"), ("text", "json", "cmake", "fortran")
COMMANDS = ("", "sh", "console", "python")


class Block(NamedTuple):
    page: str
    line: int
    language: str
    text: str
    marks: dict

    @property
    def name(self):
        return f"{self.page}:{self.line}"

    @property
    def runs(self):
        return self.language in COMMANDS and "not run" not in self.marks

    @property
    def compiles(self):
        return self.language in COMPILED and not {"not run", "from"} & set(self.marks)


def _marks(above):
    """The comments that end the text above a block."""
    found = {}
    for line in reversed(above.rstrip().splitlines()):
        mark = MARK.fullmatch(line.strip())
        if not mark:
            break
        found[mark[1]] = mark[2]
    return found


def of_page(path):
    text = path.read_text()
    for fence in FENCE.finditer(text):
        language = fence[1]
        if language.startswith("{"):  # of Sphinx
            continue
        line = text.count("\n", 0, fence.start()) + 1
        yield Block(
            str(path.relative_to(ROOT)), line, language, fence[2], _marks(text[: fence.start()])
        )


def every():
    return [block for page in PAGES for block in of_page(page)]


def parts(text):
    """What stands between lines of "...", without the common indentation."""
    found, part = [], []
    for line in [*text.splitlines(), "..."]:
        if line.strip() == "...":
            found.append(textwrap.dedent("\n".join(part)).strip("\n"))
            part = []
        else:
            part.append(line)
    return [part for part in found if part]


def missing_in(text, file):
    """The first part of a text that does not stand in a file behind the others, at whatever
    indentation; None if all do."""
    lines = [line.strip() for line in file.read_text().splitlines()]
    begin = 0
    for part in parts(text):
        wanted = [line.strip() for line in part.splitlines()]
        places = range(begin, len(lines) - len(wanted) + 1)
        place = next((at for at in places if lines[at : at + len(wanted)] == wanted), None)
        if place is None:
            return part
        begin = place + len(wanted)
    return None


def commands(block):
    """(command, the lines that it should print) of each of a block."""
    if block.language == "python":
        return [(f"python3 - <<'PAGE'\n{block.text}PAGE", None)]
    if block.language != "console":
        return [(block.text, None)]
    found = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and not found[-1][1] and found[-1][0].endswith("\\"):
            found[-1] = (f"{found[-1][0]}\n{line}", [])
        elif found:
            found[-1][1].append(line)
    return found
