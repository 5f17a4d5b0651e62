# SPDX-License-Identifier: BSD-3-Clause
"""From cells to tables of rates and ratios."""

from rootless_experiments.figures import ALONE, CHANNEL, COORDINATOR, FLOOR, LOOP

from .runs import FINGER, FINGER_TOGETHER

WAYS = (FLOOR, COORDINATOR, LOOP, ALONE, FINGER, CHANNEL, FINGER_TOGETHER)
TITLES = {
    "all": "All ranks cast at once: casts a second",
    "fixed": "One rank casts, one message after the other: casts a second",
    "varied": "Ranks cast by turns, each when it has heard the cast before: casts a second",
}
AIM, AIM_RANKS = 5, 512


def rows(cells):
    """One for each (pattern, ranks, bytes): the rate and the casts of each way; of several runs of
    the same, that with most casts, the last of these."""
    found = {}
    for cell in cells:
        key = (cell["pattern"], cell["ranks"], cell["bytes"])
        row = found.setdefault(
            key, {"pattern": key[0], "ranks": key[1], "bytes": key[2], "rates": {}, "casts": {}}
        )
        row.setdefault("wrong", set()).update(cell["wrong"])
        for way, samples in cell["samples"].items():
            if cell["casts"][way] >= row["casts"].get(way, 0):
                row["rates"][way], row["casts"][way] = samples[-1], cell["casts"][way]
    return [found[key] for key in sorted(found, key=lambda key: (key[0], key[1], key[2]))]


def steady(cells):
    """Of each way that was run with several numbers of casts: the rates of the two largest."""
    by_way = {}
    for cell in cells:
        for way, samples in cell["samples"].items():
            key = (cell["pattern"], cell["ranks"], cell["bytes"], way)
            by_way.setdefault(key, {})[cell["casts"][way]] = samples[-1]
    found = []
    for (pattern, ranks, size, way), rates in sorted(by_way.items()):
        if len(rates) > 1:
            few, many = sorted(rates)[-2:]
            found.append((pattern, ranks, size, way, few, rates[few], many, rates[many]))
    return found


def ratio(row, way, other=COORDINATOR):
    """None where one of them is not there, or the other one is wrong; 0 where the way is."""
    rates = row["rates"]
    if way in row["wrong"]:
        return 0
    if other in row["wrong"]:
        return None
    return rates[way] / rates[other] if way in rates and other in rates else None


def judged(all_rows):
    """(bytes, way, its rate by the coordinator's) where all of the largest machine cast."""
    chosen = [row for row in all_rows if row["pattern"] == "all" and row["ranks"] == AIM_RANKS]
    return [
        (row["bytes"], way, ratio(row, way))
        for row in chosen
        for way in (ALONE, CHANNEL)
        if ratio(row, way) is not None
    ]


def _number(value):
    return "–" if value is None else f"{value:,.0f}"


def _ratio(value):
    return "–" if value is None else f"{value:.2f}"


def _casts(row):
    """Of all ways; of those in company if they differ."""
    counts = sorted(set(row["casts"].values()))
    return " / ".join(f"{count:,}" for count in counts)


def of_pattern(all_rows, pattern):
    chosen = [row for row in all_rows if row["pattern"] == pattern]
    ways = [way for way in WAYS if any(way in row["rates"] for row in chosen)]
    columns = ["ranks", "bytes", "casts", *ways, "alone / coord."]
    columns += ["channel / coord."] if CHANNEL in ways else []
    lines = []
    for row in chosen:
        line = [str(row["ranks"]), f"{row['bytes']:,}", _casts(row)]
        for way in ways:
            line.append(_number(row["rates"].get(way)) + " WRONG" * (way in row["wrong"]))
        line.append(_ratio(ratio(row, ALONE)))
        line += [_ratio(ratio(row, CHANNEL))] if CHANNEL in ways else []
        lines.append(line)
    return TITLES[pattern], columns, lines


def tables(cells):
    all_rows = rows(cells)
    found = [of_pattern(all_rows, name) for name in TITLES if any_of(all_rows, name)]
    compared = steady(cells)
    if compared:
        lines = [
            [pattern, str(ranks), f"{size:,}", way, f"{few:,}", _number(rate), f"{many:,}"]
            + [_number(other), f"{other / rate:.2f}"]
            for pattern, ranks, size, way, few, rate, many, other in compared
        ]
        columns = ["pattern", "ranks", "bytes", "way", "casts", "casts a second", "more casts"]
        found.append(
            ("Rates of fewer and of more casts", [*columns, "casts a second", "ratio"], lines)
        )
    return found


def any_of(all_rows, pattern):
    return any(row["pattern"] == pattern for row in all_rows)
