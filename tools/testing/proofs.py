# SPDX-License-Identifier: BSD-3-Clause
"""Proofs for all process counts: the programs of tests/plan that do more when TEST_FULL is set.

docs/results/proofs.json says for which sources they were seen to hold, by a hash over all that a
program is made of. While that is so, a full run proves a share of the longest again, another one
every day, and of the others each on every fourth day; what has changed it proves whole.
`make prove` proves all and writes the record."""

import hashlib
import json
import re

from provision.paths import ROOT

from . import turn

RECORD = ROOT / "docs" / "results" / "proofs.json"
FOLDERS = (ROOT / "src", ROOT / "include", ROOT / "tests", ROOT / "tests" / "plan")
WHOLE = (ROOT / "src" / "plan", ROOT / "src" / "study")
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([\w./]+)[">]', re.MULTILINE)
LONGEST = ("collectives_test", "intergroup_test")  # which can do a share of it
SHARES = 80
DAYS = 4  # until the others are proved again


def programs():
    """Those that have a longer form."""
    found = sorted((ROOT / "tests" / "plan").glob("*_test.cpp"))
    return [path.stem for path in found if "full_run()" in path.read_text()]


def environment(name):
    """With what a full run starts a program of tests/plan."""
    if name not in programs():
        return {}
    if name in LONGEST and recorded(name):
        return {"TEST_FULL": "1", "TEST_SHARE": f"{turn.today() % SHARES}/{SHARES}"}
    if recorded(name) and not turn.has(name, DAYS):
        return {}
    return {"TEST_FULL": "1"}


def seconds(environment):
    """About how long a program takes with that; 0 if it is no proof."""
    if "TEST_SHARE" in environment:
        return 60
    return 900 if environment else 0


def recorded(name):
    """Whether the record has the sources as they are."""
    try:
        return json.loads(RECORD.read_text())["proofs"][name]["sources"] == sources_of(name)
    except (OSError, ValueError, KeyError):
        return False


def sources_of(name):
    """A hash over everything of ours that a program of tests/plan is made of."""
    digest = hashlib.sha256()
    for path in sources(name):
        digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def sources(name):
    """All these files."""
    return sorted(_reached(ROOT / "tests" / "plan" / f"{name}.cpp"))


def _reached(first):
    """What a source includes, the sources that go with these headers, and so on. With a header
    of src/plan or src/study go all sources of its folder, with another one that of its name."""
    found, waiting = set(), [first]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        for word in INCLUDE.findall(path.read_text()):
            header = next((f / word for f in (path.parent, *FOLDERS) if (f / word).is_file()), None)
            if not header:
                continue
            waiting.append(header.resolve())
            if not set(WHOLE).isdisjoint(header.parents):
                waiting += sorted(header.parent.glob("*.c"))
            waiting += [p for p in map(header.with_suffix, (".c", ".cpp")) if p.is_file()]
    return found
