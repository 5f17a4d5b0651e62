# SPDX-License-Identifier: BSD-3-Clause
"""Faults that can be seeded into C: small changes of one place, found in the tokens of a file."""

import math
import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass

TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<directive>^[ \t]*#(?:[^\n\\]|\\.|\\\n)*)"
    r'|(?P<text>"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')'
    r"|(?P<number>\.?\d(?:[\w.]|[eEpP][+-])*)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)",
    re.DOTALL | re.MULTILINE,
)
SWAPS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "&&": "||",
    "||": "&&",
    "+": "-",
    "-": "+",
    "+=": "-=",
    "-=": "+=",
}
NO_CALLS = {"if", "for", "while", "switch", "return", "sizeof", "do", "else", "case", "defined"}
PAIRS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    at: int

    @property
    def end(self):
        return self.at + len(self.text)


@dataclass(frozen=True)
class Change:
    file: str
    line: int
    first: int  # of its statement, and the last: where a test may be seen to come by
    last: int
    at: int
    old: str
    new: str
    kind: str
    text: str  # of the line
    turn: int  # of those that say the same in this file

    @property
    def words(self):
        return f"{' '.join(self.old.split())} -> {' '.join(self.new.split())}"

    @property
    def key(self):
        """What it is, wherever its line has moved to."""
        return f"{self.file}|{self.text}|{self.words}|{self.turn}"

    @property
    def room(self):
        parts = self.file.split("/")[1:-1]
        return "/".join(parts[:2])

    def applied(self, source):
        return source[: self.at] + self.new + source[self.at + len(self.old) :]


def tokens(source):
    found = (Token(m.lastgroup, m.group(), m.start()) for m in TOKEN.finditer(source))
    return [token for token in found if token.kind not in ("space", "directive")]


def partners(found):
    """The index of what closes each bracket."""
    opened, closes = [], {}
    for i, token in enumerate(found):
        if token.text in PAIRS:
            opened.append(i)
        elif token.text in PAIRS.values() and opened:
            closes[opened.pop()] = i
    return closes


def is_binary(before):
    return before.kind in ("number", "word") or before.text in (")", "]")


def swapped(found, i):
    token = found[i]
    if token.text not in SWAPS or token.kind != "sign" or not i or not is_binary(found[i - 1]):
        return
    if found[i - 1].text in ("return", "case") or is_choice(found, i):
        return
    yield "operator", token.at, token.text, SWAPS[token.text]


def is_choice(found, i):
    """Whether this compares what is then chosen: in `a < b ? a : b` nobody sees `<=`."""
    texts = [token.text for token in found]
    if texts[i] not in ("<", "<=", ">", ">=") or "?" not in texts[i : i + 12]:
        return False
    question = texts.index("?", i)
    right = texts[i + 1 : question]
    for colon in range(question + 2, min(question + 24, len(texts))):
        if texts[colon] == ":":
            first, size = texts[question + 1 : colon], len(right)
            if first == right:
                left = texts[colon + 1 : colon + 1 + 12]
                ends = [n for n, text in enumerate(left) if text in (";", ",", ")")]
                left = left[: ends[0]] if ends else left
                return bool(left) and texts[i - len(left) : i] == left
            return (
                texts[colon + 1 : colon + 1 + size] == right and texts[i - len(first) : i] == first
            )
    return False


def counted(found, i):
    token = found[i]
    if token.kind == "number" and token.text.isdigit():
        yield "constant", token.at, token.text, str(int(token.text) + 1)


def negated(source, found, closes, i):
    if found[i].text in ("if", "while") and i + 1 in closes:
        inside = source[found[i + 1].end : found[closes[i + 1]].at]
        yield "condition", found[i + 1].end, inside, f"!({inside})"


def left_out(source, found, closes, i):
    """A call whose result nobody takes."""
    if found[i].kind != "word" or found[i].text in NO_CALLS or not i or i + 1 not in closes:
        return
    before, end = found[i - 1], closes[i + 1]
    begins = before.text in (";", "{", "}", "else") or (before.text == ")" and i > 1)
    if begins and found[i + 1].text == "(" and found[end + 1 : end + 2]:
        if found[end + 1].text == ";":
            old = source[found[i].at : found[end].end]
            yield "call", found[i].at, old, "(void)0"


def returned(source, found, i):
    if found[i].text != "return" or found[i + 1].text == ";":
        return
    end = i + 1
    while found[end].text != ";":
        end += 1
    old = source[found[i + 1].at : found[end - 1].end]
    yield "return", found[i + 1].at, old, other_value(old, found[i + 1 : end])


def other_value(old, inside):
    if old in ("true", "false"):
        return "false" if old == "true" else "true"
    logical = {"<", "<=", ">", ">=", "==", "!=", "&&", "||", "!"}
    if any(token.text in logical for token in inside):
        return f"!({old})"
    return f"({old}) + 1"


def spans(source, found):
    """For each token the first and the last offset of its statement."""
    begin, ends, first = [], {}, 0
    for i, token in enumerate(found):
        begin.append(found[first].at)
        if token.text in (";", "{", "}"):
            for k in range(first, i + 1):
                ends[k] = token.at
            first = min(i + 1, len(found) - 1)
    return [(start, ends.get(i, found[-1].at)) for i, start in enumerate(begin)]


def of_file(name, source):
    """All changes of a file."""
    found, depth, said = tokens(source), 0, Counter()
    closes, where, lines = partners(found), spans(source, found), source.split("\n")

    def line_of(at):
        return source.count("\n", 0, at) + 1

    changes = []
    for i, token in enumerate(found):
        depth += {"{": 1, "}": -1}.get(token.text, 0)
        if not depth or i + 1 == len(found):
            continue
        possible = [*swapped(found, i), *counted(found, i), *negated(source, found, closes, i)]
        possible += [*left_out(source, found, closes, i), *returned(source, found, i)]
        for kind, at, old, new in possible:
            line = line_of(at)
            text = " ".join(lines[line - 1].split())
            turn = said[text, old, new]
            said[text, old, new] += 1
            first, last = (line_of(place) for place in where[i])
            changes.append(Change(name, line, first, last, at, old, new, kind, text, turn))
    return changes


NOT_BUILT = ("src/fortran/",)  # takes a compiler and an MPI for Fortran


def of_tree(tree, rooms):
    """All changes of the sources of a tree, by room."""
    found = defaultdict(list)
    for path in sorted((tree / "src").rglob("*.c")):
        name = str(path.relative_to(tree))
        if name.startswith(NOT_BUILT):
            continue
        for change in of_file(name, path.read_text()):
            if not rooms or any(change.room.startswith(room) for room in rooms):
                found[change.room].append(change)
    return dict(found)


def draw(found, seed, count):
    """So many, in an order whose every beginning has its share of all rooms and kinds."""
    order = {}
    for room, changes in sorted(found.items()):
        chance = random.Random(f"{seed} {room}")  # whichever rooms are asked for
        kinds = defaultdict(list)
        for change in changes:
            kinds[change.kind].append(change)
        for some in kinds.values():
            chance.shuffle(some)
        order[room] = []
        while kinds:
            kind = chance.choice(sorted(kinds))
            order[room].append(kinds[kind].pop())
            if not kinds[kind]:
                del kinds[kind]
    weight = {room: math.sqrt(len(changes)) for room, changes in order.items()}
    taken, drawn = Counter(), []
    while len(drawn) < count and any(taken[room] < len(order[room]) for room in order):
        room = min(
            (room for room in order if taken[room] < len(order[room])),
            key=lambda room: ((taken[room] + 0.5) / weight[room], room),
        )
        drawn.append(order[room][taken[room]])
        taken[room] += 1
    return drawn
