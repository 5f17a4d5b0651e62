# SPDX-License-Identifier: BSD-3-Clause
"""Formatting and static checks: clang-format, clang-tidy, ruff. A full run of the tests gives a
sixteenth of the files to clang-tidy, another one every day; `make lint` all."""

import hashlib
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from provision.paths import CACHE, ROOT, VENV
from provision.problem import Problem

from . import builds as all_builds
from . import measured, turn
from .queue import Job, Outcome

SECTION = "static checks"
TOGETHER = 8  # files for one start of clang-tidy
PARTS = 16  # of all files, one a day
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


def lint(builds):
    """Yields (name, good, output) of the linters; the builds have the compile commands."""
    yield ruff_check()
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for findings in pool.map(lambda group: list(tidy(*group)), groups(builds)):
            yield from findings


def ruff_check():
    folders = [folder for folder in PYTHON_FOLDERS if (ROOT / folder).is_dir()]
    return _check("ruff check", [VENV / "bin" / "ruff", "check", *folders])


def groups(builds):
    """Every C file of ours once, some at a time: (build, files, key)."""
    seen = set()
    for build in builds:
        commands = build / "compile_commands.json"
        listed = json.loads(commands.read_text()) if commands.exists() else []
        ours = [entry for entry in listed if entry["file"].endswith(".c")]
        key = _common_key(ours)
        files = [e["file"] for e in ours if e["file"] not in seen]
        seen.update(files)
        for i in range(0, len(files), TOGETHER):
            yield build, files[i : i + TOGETHER], key


def tidy(build, files, key):
    """Yields (name, good, output) for each file; those found good before are not looked at."""
    command = [VENV / "bin" / "clang-tidy", "-p", build, "--quiet"]
    new = [file for file in files if not _known(file, key).exists()]
    found = [(file, True, "") for file in files]
    if new and not measured.run([*command, *new], cwd=ROOT).good:
        found = [(file, True, "") for file in files if file not in new]
        for file in new:
            done = measured.run([*command, file], cwd=ROOT)
            found.append((file, done.good, done.output))
    for file, good, output in found:
        if good:
            TIDY.mkdir(parents=True, exist_ok=True)
            _known(file, key).touch()
        yield f"clang-tidy {os.path.relpath(file, ROOT)}", good, output


def jobs(run, built):
    """Formatting at once; in a full run clang-tidy, when the builds have told how they compile."""
    yield Job(SECTION, "formatting", lambda: _outcomes([*formatting(), ruff_check()]))
    names = [all_builds.name_of(what) for what in built]
    folders = [all_builds.folder_of(what) for what in built]
    if run.full:
        part = turn.today() % PARTS
        yield Job(SECTION, f"clang-tidy {part + 1}/{PARTS}", _part(folders, part), tuple(names))


def _outcomes(findings):
    return [Outcome(name, good, "" if good else output) for name, good, output in findings]


def _part(folders, part):
    def work():
        outcomes, found = [], list(groups(folders))
        if not found:
            raise Problem("no build says how it compiles: there is no compile_commands.json.")
        for group in found[part::PARTS]:
            outcomes += _outcomes(tidy(*group))
        return outcomes

    return work


def _check(name, command):
    finished = measured.run(command, cwd=ROOT)
    return name, finished.good, finished.output


def _common_key(entries):
    """Changes with anything that all files depend on: headers, flags, the checks themselves."""
    digest = hashlib.sha256(
        json.dumps(sorted({e["command"].split(" -o ")[0] for e in entries})).encode()
    )
    for path in [ROOT / ".clang-tidy", *sources({".h"})]:
        digest.update(path.read_bytes())
    return digest


def _known(path, common):
    """What is there if a file was found good before."""
    key = common.copy()
    key.update(Path(path).read_bytes())
    return TIDY / key.hexdigest()
