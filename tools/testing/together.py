# SPDX-License-Identifier: BSD-3-Clause
"""Which programs share a start of MPI, and what they say of themselves there.

Runs with the same ranks, environment and preload share one (tests/together/call_in_turn.c calls
them in turn), unless a program does something to the process, to settings, before MPI_Init or after
MPI_Finalize, or the run is judged by more than its exit status."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# In a program: what is done to the process or to settings; functions that the library is to find
# before those of MPI or C, which it does in a program and not in what is loaded; insides of the
# library, which such a test may change; memory that is measured. "start: own" in its comment says
# that it needs a fresh MPI for another reason.
ALONE = re.compile(
    r"\b(?:MPI_Init_thread|MPI_Session\w+|MPI_Comm_spawn\w*|MPI_Finalized|setenv|putenv|setrlimit|"
    r"signal|sigaction|raise|p?thread_kill|kill|fork|_exit|PMPI_\w+)\s*\(|"
    r'#include "(?:run|api|\.\./random)/|RTLD_NEXT|'
    r"(?:spawned|resident|alive_kills|schedules|orders)\.h|start: own"
)
# What the ranks write at MPI_Finalize, and limits of time that one program is to run into.
ALONE_SETTINGS = ("CAUCUS_REPORT", "CAUCUS_TIMEOUT", "CAUCUS_SIGNAL")
MOST = 12  # programs in a start


def can_share(path):
    """Whether a program may be called after others, and others after it."""
    return not ALONE.search(Path(path).read_text())


def names(pattern):
    """The programs of such a pattern that can."""
    return [path.stem for path in sorted(ROOT.glob(pattern)) if can_share(path)]


def split(cases, sources):
    """Cases that start alone, and lists of those that share a start; sources: {program: path}."""
    shared, alone = {}, []
    fit = {program: can_share(path) for program, path in sources.items()}
    for case in cases:
        special = case.deaths or case.status != "0" or case.outputs or case.full
        if special or not fit[case.program] or set(ALONE_SETTINGS) & set(case.environment):
            alone.append(case)
        else:
            key = (case.ranks, tuple(sorted(case.environment.items())), case.preload)
            shared.setdefault(key, []).append(case)
    starts = []
    for found in shared.values():
        rounds = _one_of_each(found)
        starts += [part[i : i + MOST] for part in rounds for i in range(0, len(part), MOST)]
    alone += [start[0] for start in starts if len(start) == 1]
    return alone, [start for start in starts if len(start) > 1]


def _one_of_each(cases):
    """Lists in which no program stands twice: its variables keep what the first run left there."""
    rounds = []
    for case in cases:
        for found in rounds:
            if all(other.program != case.program for other in found):
                found.append(case)
                break
        else:
            rounds.append([case])
    return rounds


def write_list(path, folder, cases):
    """The file that says what to call."""
    lines = ("\t".join([str(folder / f"{c.program}.so"), *c.arguments]) for c in cases)
    path.write_text("".join(f"{line}\n" for line in lines))


def furthest(scratch):
    """The number of the program that a rank was at last: between two of them all meet."""
    numbers = [number for number in _said(scratch) if number >= 0]
    return max(numbers, default=0)


def is_complete(scratch):
    """Whether every rank came to the end."""
    said = _said(scratch)
    return bool(said) and all(number == -1 for number in said)


def faults(scratch):
    """What ranks found wrong."""
    return "".join(path.read_text() for path in sorted(Path(scratch).glob("fault.*[0-9]")))


def _said(scratch):
    return [int(path.read_text()) for path in Path(scratch).glob("begun.*[0-9]")]


if __name__ == "__main__":
    print(";".join(names(sys.argv[1])), end="")
