# SPDX-License-Identifier: BSD-3-Clause
"""What stands on README, guide and pages of problems works: pieces of C compile, commands run and
print what they are said to print. blocks.py says how blocks are marked that don't."""

import ast
import json
import os
import re
import shutil
import subprocess

import blocks
import place
import pytest

from testing import turn

EVERY = blocks.every()
BUILT = blocks.ROOT / "build" / "mpich" / "lib" / "libcaucus_dropin.so"
HERE = os.path.dirname(os.path.abspath(__file__))
ONE_IN = 4  # commands: of the shorter run
CHANGES_THE_MACHINE = re.compile(r"\b(pip|apt|apt-get|make|cmake|dpkg\S*|spack|sudo)\b")
USES_PROGRAM = re.compile(r"\./(?:your_)?(?:program|solver)\b")


def chosen(test):
    """The blocks of which something is true, as parameters."""
    found = [block for block in EVERY if test(block)]
    return pytest.mark.parametrize("block", found, ids=[block.name for block in found])


def test_marks_are_known_and_give_reasons():
    marks = {mark for block in EVERY for mark in block.marks}
    assert marks <= {"not run", "from", "needs", "long"}
    for block in EVERY:
        assert block.language in (*blocks.COMPILED, *blocks.COMMANDS, *blocks.SHOWN), block.name
        assert len(block.marks.get("not run", "a reason").split()) > 1, block.name


@chosen(lambda block: "from" in block.marks)
def test_it_stands_in_the_file(block):
    lost = blocks.missing_in(block.text, blocks.ROOT / block.marks["from"])
    assert lost is None, f"{block.name}: this is not in {block.marks['from']}:\n{lost}"


def compilers():
    folder = place.tools_of_mpi()
    headers = [blocks.ROOT / "include", *blocks.ROOT.glob("build/mpich/**/include")]
    return {"c": folder / "mpicc", "cpp": folder / "mpicxx"}, [f"-I{path}" for path in headers]


@chosen(lambda block: block.compiles)
@pytest.mark.skipif(not BUILT.exists(), reason="MPICH's libraries are not built")
def test_it_compiles(block, tmp_path):
    commands, headers = compilers()
    lines = ["" if line.startswith("#include") else line for line in block.text.splitlines()]
    body = "\n".join(lines).replace("...", "")
    source = f'#include "context.h{"pp" * (block.language == "cpp")}"\nvoid piece(void);\n'
    source += f'void piece(void)\n{{\n#line {block.line + 1} "{block.page}"\n{body}\n}}\n'
    if "int main(" in body:
        source = block.text
    path = tmp_path / f"piece.{block.language}"
    path.write_text(source)
    flags = ["-std=gnu17", "-Wimplicit-function-declaration", "-Wincompatible-pointer-types"]
    flags = flags if block.language == "c" else ["-std=c++17"]
    words = [commands[block.language], "-fsyntax-only", "-w", *flags, f"-I{HERE}", *headers, path]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def is_due(block):
    """Of commands a share in each run, all in a full one but what takes long."""
    if os.environ.get("TEST_FULL") and "long" not in block.marks:
        return True
    may = os.environ.get("TEST_FULL") or "long" not in block.marks
    return bool(may) and turn.has(block.name, ONE_IN)


def fails(command, expected):
    """Whether the page shows how something goes wrong."""
    shown = [line for line in expected or () if line.startswith("caucus: ")]
    return "--timeout" in command or bool(shown)


def test_nothing_that_runs_changes_the_machine():
    found = [block.name for block in EVERY if block.runs and CHANGES_THE_MACHINE.search(block.text)]
    assert found == [], "say above them why they are not run"


@chosen(lambda block: block.runs and is_due(block))
@pytest.mark.skipif(not BUILT.exists(), reason="MPICH's libraries are not built")
def test_it_runs(block, tmp_path):
    needed = block.marks.get("needs")
    if needed and not (blocks.ROOT / "build" / needed / "bin").exists():
        pytest.skip(f"{needed} is not built")
    folder = place.make(tmp_path)
    if USES_PROGRAM.search(block.text):
        place.compile_program(folder)
    for command, expected in blocks.commands(block):
        done = place.run(command, folder)
        said = f"{block.name}: {command}\n{done.output}"
        assert done.status is not None, f"it takes too long: {said}"
        assert done.good != fails(command, expected), f"exit status {done.status}: {said}"
        if expected:
            lost = place.difference(expected, done.output.splitlines())
            assert lost is None, f"not said, or not there: {lost!r}\n{said}"


@chosen(lambda block: block.language == "python")
def test_it_is_python(block):
    ast.parse(block.text)


@chosen(lambda block: block.language == "json" and "…" not in block.text)
def test_it_is_json(block):
    json.loads(block.text)


def test_the_page_as_a_stranger_reads_it(tmp_path):
    """A block that is wrong is seen: the comparison of what is told."""
    told = ["begin", "", "12 ranks  4.5 ms", "end"]
    assert place.difference(["begin", "3 ranks 900 µs", "end"], told) is None
    assert place.difference(["...", "end"], told) is None
    assert place.difference(["begin", "..."], told) is None
    assert place.difference(["begin", "7 ranks…", "end"], told) is None
    assert place.difference(["begin", "7 rings…", "end"], told) == "7 rings…"
    assert place.difference(["begin", "end"], told) == "end"
    assert place.difference(["begin", "3 ranks 900 µs"], told) == "end"
    page = tmp_path / "file.c"
    page.write_text("int a;\nint b;\n  int c;\n")
    assert blocks.missing_in("int a;\n...\nint c;\n", page) is None
    assert blocks.missing_in("int c;\n...\nint a;\n", page) == "int a;"
    assert shutil.which("bash")
