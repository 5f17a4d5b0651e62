# SPDX-License-Identifier: BSD-3-Clause
"""Programs that need not run again in the shorter run: those of one thread, without MPI, that read
nothing but their own fixed seeds and saved inputs. While the program, our libraries that it loads,
its inputs and all settings are byte for byte what they were when it passed, it passes. A full run,
and one with TEST_AGAIN=1, runs them all."""

import hashlib
import json
import os
import re

from provision.paths import CACHE

from .queue import Outcome

RECORD = CACHE / "passed.json"
READS_THE_TREE = "CAUCUS_SOURCE_DIR"
HAS_THREADS = "<thread>"
OURS = re.compile(r"^lib\w+\.so[.\d]*$")
SETTINGS = re.compile(r"^(CAUCUS|TEST)_")


def may_be_left_out(run, sources):
    """Whether a program made of these sources always does the same."""
    if run.full or os.environ.get("TEST_AGAIN"):
        return False
    texts = [path.read_text() for path in sources]
    return not any(word in text for text in texts for word in (READS_THE_TREE, HAS_THREADS))


def key(program, inputs=()):
    """A hash over a built program, the libraries of its build, what it reads, and settings."""
    settings = sorted(item for item in os.environ.items() if SETTINGS.match(item[0]))
    digest = hashlib.sha256(repr(settings).encode())
    build = next(folder for folder in program.parents if (folder / "CMakeCache.txt").is_file())
    libraries = sorted(path for path in (build / "lib").iterdir() if OURS.match(path.name))
    for path in (program, *libraries, *sorted(inputs)):
        digest.update(f"{path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()


class Passed:
    """What passed in this tree, by name: the key it had, and how many tests it is."""

    def __init__(self):
        try:
            self.known = json.loads(RECORD.read_text())
        except (OSError, ValueError):
            self.known = {}

    def before(self, name, found):
        """Its outcome, if it passed as it is; None if it must run."""
        entry = self.known.get(name)
        if not isinstance(entry, dict) or entry.get("key") != found:
            return None
        return Outcome(name, count=entry["count"], before=True)

    def add(self, name, found, outcomes):
        if all(outcome.good for outcome in outcomes):
            self.known[name] = {"key": found, "count": sum(each.count for each in outcomes)}
        else:
            self.known.pop(name, None)

    def save(self):
        RECORD.parent.mkdir(exist_ok=True)
        RECORD.write_text(json.dumps(self.known, indent=1, sort_keys=True) + "\n")


def unless_passed(run, name, program, work, inputs=()):
    """That work, or what is known of it; the program is looked at when it is built, not before."""

    def look():
        found = key(program, inputs)
        known = run.passed.before(name, found)
        if known:
            return [known]
        outcomes = list(work())
        run.passed.add(name, found, outcomes)
        return outcomes

    return look
