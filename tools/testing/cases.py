# SPDX-License-Identifier: BSD-3-Clause
"""How a test program says how it is to be run: lines in the comment at its head,

    run: ranks=1,2,4,8
    run: ranks=8 env=CAUCUS_NODES=cyclic:4 mpi=mpich,openmpi
    run: ranks=2 args="bad input" exit=error output="dims[0] is -1"
    run: ranks=16 preload full
    run: ranks=4 deaths mpi=openmpi output="3 are left"
         env=CAUCUS_TIMEOUT=20

A line that is indented by four blanks or more goes on with the one before.

ranks   how many processes, one run for each number
args    its arguments; env may stand several times; mpi keeps it to some MPIs
exit    the exit status it must have: a number, or `error` for any but 0
output  words that must be in its output; may stand several times
preload runs it under the drop-in; full leaves it to make test FULL=1
deaths  ranks of it die, and the others go on: it is judged by its output alone, whatever status
        mpiexec makes of the dead ones; no check may have failed there (tests/mpi/check.h)

In args {day} stands for today's number (turn.py): a seed, so that every day brings other inputs.
Words with spaces are quoted as in a shell. A program without such a line runs on 1, 2, 4 and 8.
"""

import re
import shlex
from dataclasses import dataclass, field

from provision.problem import Problem

from . import turn

# What a program returns that can't test what it is for (tests/mpi/skip.h), and says why.
SKIPPED = 77
REASON = re.compile(r"^skipped: (.+)$", re.MULTILINE)
FAILED_CHECK = re.compile(r": rank -?\d+: failed: .*")  # what tests/mpi/check.h writes
LINE = re.compile(r"^[ */]*run:\s*(.*?)\s*(?:\*/)?$")
MORE = re.compile(r"^ \*\s{4,}(\S.*?)\s*(?:\*/)?$")
HEAD = 60


@dataclass
class Case:
    program: str
    ranks: int
    arguments: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)
    mpis: tuple = ()
    status: str = "0"
    outputs: list = field(default_factory=list)
    preload: bool = False
    full: bool = False
    deaths: bool = False

    @property
    def words(self):
        """All but the number of ranks."""
        settings = [f"{name}={value}" for name, value in self.environment.items()]
        words = [self.program, *self.arguments, *settings]
        return " ".join(words + (["under the drop-in"] if self.preload else []))

    @property
    def has_threads(self):
        """Whether the program makes threads, or has Caucus make one."""
        return "threads" in self.program or "multiple" in self.arguments

    @property
    def name(self):
        """Enough to run a failure again by hand."""
        return f"-n {self.ranks} {self.words}"

    def skipped(self, finished):
        """Why it was skipped; None if it was not, or doesn't say why."""
        if finished.status != SKIPPED or FAILED_CHECK.search(finished.output):
            return None
        reason = REASON.search(finished.output)
        return reason.group(1).strip() if reason else None

    def judge(self, finished):
        """Why a run that has ended by itself is a failure; None if it is not."""
        if self.deaths:
            if failed := FAILED_CHECK.search(finished.output):
                return failed.group().lstrip(": ")
        elif self.status == "error":
            if finished.good:
                return "exit status 0, but an error was expected"
        elif finished.status != int(self.status):
            return f"exit status {finished.status}, but {self.status} was expected"
        for text in self.outputs:
            if text not in finished.output:
                return f"its output lacks: {text}"
        return None


def read(path, preload=False):
    """The cases that a source file declares."""
    with open(path, errors="replace") as source:
        head = [line.rstrip("\n") for _, line in zip(range(HEAD), source)]
    cases = []
    for line in _lines(path, head) or ["ranks=1,2,4,8" + (" preload" if preload else "")]:
        cases += parse(path, line)
    return cases


def _lines(path, head):
    """What follows `run:`, with the lines that go on with it, which are indented."""
    found, goes_on = [], False
    for text in head:
        match, more = LINE.match(text), MORE.match(text)
        if not match and "run: ranks=" in text:
            raise Problem(f"{path}: 'run:' is not where its line begins: {text.strip()}")
        if match:
            found.append(match.group(1))
        elif goes_on and more:
            found[-1] += " " + more.group(1)
        goes_on = bool(match or (goes_on and more)) and not text.endswith("*/")
    return found


def parse(path, line):
    """The cases of one line, a program's own or a list's."""
    ranks, case = [], Case(path.stem, 0)
    try:
        for word in shlex.split(line):
            key, _, value = word.partition("=")
            if key == "ranks":
                ranks = [int(number) for number in value.split(",")]
            elif key == "args":
                case.arguments = shlex.split(value.replace("{day}", str(turn.today())))
            elif key == "env":
                name, _, setting = value.partition("=")
                case.environment[name] = setting
            elif key == "mpi":
                case.mpis = tuple(value.split(","))
            elif key == "exit":
                case.status = value if value == "error" else str(int(value))
            elif key == "output":
                case.outputs.append(value)
            elif word in ("preload", "full", "deaths"):
                setattr(case, word, True)
            else:
                raise ValueError(f"'{word}' is unknown")
        if not ranks:
            raise ValueError("ranks= is missing")
        if case.deaths and not case.outputs:
            raise ValueError("deaths needs output=")
    except ValueError as error:
        raise Problem(f"{path}: in 'run: {line}': {error}.") from None
    return [Case(**{**vars(case), "ranks": count}) for count in ranks]
