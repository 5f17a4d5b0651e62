# SPDX-License-Identifier: BSD-3-Clause
"""The tests that a fault is shown to where there is no time to learn which lines each of them
reaches: by the words that they share with the file. What fails as it is, is found out when it
fails."""

import json
import math
import re
from collections import Counter

from provision.paths import ROOT

from . import trials

WORD = re.compile(r"[a-z]{3,}")
MOST = 10  # of one kind
GENERAL = ("figures_test", "out_of_memory_test")  # go through all algorithms and mappers


class Guess:
    def __init__(self, workshop, tests):
        self.workshop = workshop
        self.words = {trial.name: Counter(WORD.findall(text_of(trial))) for trial in tests}
        self.baseline = trials.Baseline(workshop)
        self.durations = json.loads((ROOT / "tests" / "durations.json").read_text())

    def of(self, change, tests):
        """Of plans tests of plans first; then programs, then the further lines of these."""
        plans = [trial for trial in tests if not trial.case]
        programs = [trial for trial in tests if trial.case]
        if change.room.split("/")[0] in ("plan", "study", "base"):
            general = [trial for trial in plans if trial.name in GENERAL]
            likely = [trial for trial in self._likely(change, plans) if trial not in general]
            for trial in likely[: MOST // 2] + general + likely[MOST // 2 :]:
                yield trial, self._costs(f"plans: {trial.name}")
        likely = self._likely(change, programs)
        further = [trials.lines_of(self.workshop.mpi)[trial.case.program][1:] for trial in likely]
        for trial in likely + [line for lines in further for line in lines]:
            yield trial, self._costs(f"programs on {self.workshop.mpi}: {trial.name}")

    def _costs(self, name):
        seconds = self.durations.get(name, [0.5])[0]
        return {"processor": seconds, "seconds": 4 + 2 * seconds, "leaks": True}

    def _likely(self, change, tests):
        asked = Counter(WORD.findall(change.file.removeprefix("src/").removesuffix(".c")))
        rarity = {
            word: math.log(len(tests) / (1 + sum(word in self.words[t.name] for t in tests)))
            for word in asked
        }

        def score(trial):
            words = self.words[trial.name]
            return sum(
                max(rarity[word], 0.1) * math.log1p(words[word]) for word in asked
            ) / math.log(20 + words.total())

        return sorted(tests, key=score, reverse=True)[:MOST]

    def is_sound(self, trial, leaks, limit):
        return self.baseline.passes(trial, leaks, limit)


def text_of(trial):
    """Its name counts most."""
    return f"{trial.source.read_text()} {f'{trial.source.stem} ' * 30}".lower()
