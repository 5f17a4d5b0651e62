# SPDX-License-Identifier: BSD-3-Clause
"""Faults that are seeded: what is changed in C and what is not, and how they are counted."""

from mutation import changes, results

SOURCE = """/* a + b; */
#define TWICE(x) ((x) + (x))
enum { FEW = 3 };
static const char *const words = "a < b";

int sum(const int *of, int count) {
    int all = 0;
    for (int i = 0; i < count; i++)
        all += of[i];
    if (count > 0 && all == 0)
        note(all,
             count);
    return all;
}
"""


def found():
    rows = changes.of_file("src/plan/grid/sum.c", SOURCE)
    return {(change.line, change.kind, change.words) for change in rows}


def test_every_kind_is_found_in_its_place():
    assert found() == {
        (3, "constant", "3 -> 4"),
        (7, "constant", "0 -> 1"),
        (8, "constant", "0 -> 1"),
        (8, "operator", "< -> <="),
        (9, "operator", "+= -> -="),
        (10, "condition", "count > 0 && all == 0 -> !(count > 0 && all == 0)"),
        (10, "operator", "> -> >="),
        (10, "operator", "&& -> ||"),
        (10, "operator", "== -> !="),
        (10, "constant", "0 -> 1"),
        (11, "call", "note(all, count) -> (void)0"),
        (13, "return", "all -> (all) + 1"),
    }


def test_a_change_is_made_where_it_was_found():
    for change in changes.of_file("src/base/sum.c", SOURCE):
        changed = change.applied(SOURCE)
        assert changed != SOURCE and change.new in changed
        assert changed[: change.at] == SOURCE[: change.at]
        assert len(changed) - len(SOURCE) == len(change.new) - len(change.old)


def test_a_comparison_of_what_is_then_chosen_is_left_alone():
    def compares(expression):
        source = f"int f(void) {{\n    return g({expression});\n}}\n"
        return any(change.kind == "operator" for change in changes.of_file("src/a.c", source))

    assert not compares("a > b ? a : b")
    assert not compares("0, of[i] <= b->c ? b->c : of[i], 0")
    assert compares("a > b ? a : c")
    assert compares("a > b ? c : b")
    assert compares("a > b")


def test_values_that_are_returned():
    values = {}
    for old in ("true", "0", "a < b", "!a", "f(a)"):
        for change in changes.of_file("src/a.c", f"int f(void) {{\n    return {old};\n}}\n"):
            if change.kind == "return":
                values[old] = change.new
    assert values == {
        "true": "false",
        "0": "(0) + 1",
        "a < b": "!(a < b)",
        "!a": "!(!a)",
        "f(a)": "(f(a)) + 1",
    }


def test_the_same_seed_draws_the_same_and_every_beginning_has_all_rooms():
    rooms = {
        room: changes.of_file(f"src/{room}/a.c", SOURCE) for room in ("base", "run", "plan/grid")
    }
    drawn = changes.draw(rooms, 7, 12)
    assert drawn == changes.draw(rooms, 7, 12) != changes.draw(rooms, 8, 12)
    assert {change.room for change in drawn[:3]} == set(rooms)
    assert len({change.key for change in changes.draw(rooms, 7, 1000)}) == 3 * 13


def row(outcome, file="src/base/a.c", change="< -> <="):
    text = "if (a < b)"
    return {"room": "base", "file": file, "text": text, "change": change, "outcome": outcome}


def test_what_does_not_compile_does_not_count(monkeypatch):
    why = [
        {"file": "src/base/a.c", "text": "*", "change": "< -> *", "why": "they are never equal"},
        {"file": "src/base/a.c", "text": "*", "change": "2 -> *", "seen": "a sanitizer's run"},
    ]
    monkeypatch.setattr(results, "explanations", lambda: why)
    left = row("survived", change="1 -> 2")
    rows = [row("caught"), row("does not compile"), row("survived"), left, row("not reached", "b")]
    rows.insert(0, row("survived", change="2 -> 3"))
    table, survivors = results.counted(rows)
    assert table == {"base": [1, 5, 1, 1], "all": [1, 5, 1, 1]}
    assert survivors == [left, rows[-1]]
