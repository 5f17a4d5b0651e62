# SPDX-License-Identifier: BSD-3-Clause
"""What came of the faults: kept as each is known, and told as a table."""

import fnmatch
import json
from collections import defaultdict

from provision.paths import CACHE, ROOT

EXPLAINED = ROOT / "tests" / "mutation" / "explained.json"
CAUGHT, SURVIVED, UNREACHED, NO_CODE = "caught", "survived", "not reached", "does not compile"
SEEN, EQUAL = 2, 3  # columns of the table


class Results:
    def __init__(self, mpi, seed):
        self.path = CACHE / "mutation" / f"results-{mpi}-{seed}.jsonl"
        self.rows = {}
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                row = json.loads(line)
                self.rows[row["key"]] = row

    def add(self, change, outcome, tests, by=""):
        row = {
            "key": change.key,
            "room": change.room,
            "file": change.file,
            "line": change.line,
            "text": change.text,
            "kind": change.kind,
            "change": change.words,
            "outcome": outcome,
            "tests": tests,
            "by": by,
        }
        self.rows[change.key] = row
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a") as file:
            file.write(json.dumps(row) + "\n")
        return row


def reason(row, explained):
    """(SEEN, by which tests that are not run here), or (EQUAL, why nothing can tell this fault
    from what is right); None if nobody knows."""
    for entry in explained:
        if (
            fnmatch.fnmatchcase(row["file"], entry["file"])
            and (entry["text"] in ("*", row["text"]))
            and fnmatch.fnmatchcase(row["change"], entry["change"])
        ):
            return (SEEN, entry["seen"]) if "seen" in entry else (EQUAL, entry["why"])
    return None


def explanations():
    return json.loads(EXPLAINED.read_text()) if EXPLAINED.exists() else []


def counted(rows):
    """{room: [caught, seeded, seen elsewhere, explained]}, and what survived and nobody has
    explained."""
    table, left, explained = defaultdict(lambda: [0, 0, 0, 0]), [], explanations()
    for row in rows:
        if row["outcome"] == NO_CODE:
            continue
        known = reason(row, explained)
        for room in (row["room"], "all"):
            table[room][1] += 1
            if row["outcome"] == CAUGHT:
                table[room][0] += 1
            elif known:
                table[room][known[0]] += 1
        if row["outcome"] != CAUGHT and not known:
            left.append(row)
    whole = table.pop("all", [0, 0, 0, 0])
    return {**dict(sorted(table.items())), "all": whole}, left


def page(rows):
    """Both as Markdown."""
    table, left = counted(rows)
    lines = [
        "| room | caught | seeded | seen elsewhere | explained | left |",
        "|---|" + 5 * "---:|",
    ]
    for room, (caught, seeded, elsewhere, explained) in table.items():
        rest = seeded - caught - elsewhere - explained
        lines.append(f"| {room} | {caught} | {seeded} | {elsewhere} | {explained} | {rest} |")
    lines += ["", "| survivor | the line | the change | tests |", "|---|---|---|---:|"]
    for row in sorted(left, key=lambda row: (row["file"], row["line"])):
        place = f"{row['file'].removeprefix('src/')}:{row['line']}"
        tests = row["tests"] or "none"
        lines.append(f"| {place} | {code(row['text'])} | {code(row['change'])} | {tests} |")
    return "\n".join(lines) + "\n"


def code(text, most=70):
    text = text.replace("|", "\\|")
    return f"`{text if len(text) <= most else text[: most - 3] + '...'}`"
