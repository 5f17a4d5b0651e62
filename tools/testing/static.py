# SPDX-License-Identifier: BSD-3-Clause
"""Formatting and static checks: clang-format, clang-tidy, ruff."""

import hashlib
import json
import os
from concurrent.futures import ThreadPoolExecutor

from provision import shell
from provision.paths import CACHE, ROOT, VENV

C_FOLDERS = ("include", "src", "tests", "examples", "bench")
PYTHON_FOLDERS = ("bench", "bindings", "docs", "examples", "tests", "tools")
TIDY = CACHE / "clang-tidy"


def sources(suffixes, folders=C_FOLDERS):
    found = []
    for folder in folders:
        found += [p for p in (ROOT / folder).rglob("*") if p.suffix in suffixes and p.is_file()]
    return sorted(found)


def formatting(fix=False):
    """Yields (name, good, output) for each kind of file."""
    files = sources({".c", ".h", ".cpp", ".hpp"})
    folders = [folder for folder in PYTHON_FOLDERS if (ROOT / folder).is_dir()]
    if files:
        option = ["-i"] if fix else ["--dry-run", "--Werror"]
        yield _check("clang-format", [VENV / "bin" / "clang-format", *option, *files])
    option = [] if fix else ["--check", "--diff"]
    yield _check("ruff format", [VENV / "bin" / "ruff", "format", *option, *folders])


def lint(build):
    """Yields (name, good, output) of the linters; `build` has the compile commands."""
    folders = [folder for folder in PYTHON_FOLDERS if (ROOT / folder).is_dir()]
    yield _check("ruff check", [VENV / "bin" / "ruff", "check", *folders])
    commands = build / "compile_commands.json"
    listed = json.loads(commands.read_text()) if commands.exists() else []
    ours = [entry for entry in listed if entry["file"].endswith(".c")]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        yield from pool.map(lambda entry: _tidy(build, entry["file"], _common_key(ours)), ours)


def _check(name, command):
    finished = shell.run(command, limit=300, cwd=ROOT)
    return name, finished.good, finished.output


def _common_key(entries):
    """Changes with anything that all files depend on: headers, flags, the checks themselves."""
    digest = hashlib.sha256(
        json.dumps(sorted({e["command"].split(" -o ")[0] for e in entries})).encode()
    )
    for path in [ROOT / ".clang-tidy", *sources({".h"})]:
        digest.update(path.read_bytes())
    return digest


def _tidy(build, path, common):
    """Checks one file, unless it was found good before."""
    key = common.copy()
    with open(path, "rb") as source:
        key.update(source.read())
    known = TIDY / key.hexdigest()
    name = f"clang-tidy {os.path.relpath(path, ROOT)}"
    if known.exists():
        return name, True, ""
    command = [VENV / "bin" / "clang-tidy", "-p", build, "--quiet", path]
    finished = shell.run(command, limit=300, cwd=ROOT)
    if finished.good:
        TIDY.mkdir(parents=True, exist_ok=True)
        known.touch()
    return name, finished.good, finished.output
