# SPDX-License-Identifier: BSD-3-Clause
"""The page of the guide about what allgather between two groups is planned to take."""

from collections import Counter

from common_report import missing as left_out
from common_tables import markdown
from planned_experiment import plot
from planned_experiment.grid import COUNTS, MACHINES, Bound, Cell, Load

COMMAND = (
    "make build MPI=mpich && .venv/bin/python bench/intergroup_planned.py --publish docs/results"
)
ASKED = {(100000, 24): 1.06, (10000, 24): 1.18, (100000, 200): 1.16, (10000, 200): 1.52}
HEADLINE = 23.67

PAGE = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/intergroup_planned.py --publish docs/results -->
# Allgather between two groups, as it is planned

One core; {when}.

This repeats it, in some ten minutes on one core:

```console
$ {command}
```

No MPI in it: schedules are made for all ranks and simulated, so the figures are the same on every
machine. What was measured with MPI on real processes is on a page of its own.

{verdicts}

{missing}

## Loads and bounds

Of two groups with M_A and M_B bytes, some port passes max(M_A, M_B) bytes, whatever the algorithm:
that is the bound. The striped ring passes no more, but for ranks with less than a thousandth of it,
which may send their own block besides where that makes all of it faster. Cases are random: sizes
of both groups up to the given one, a quarter of them that one; blocks {patterns};
one group's bytes 0.1 to 1 times the other's. Λ is how many messages' latencies the bytes of the
larger group take; a rank passes one message at a time.

{cases}
## Machines of nodes

Groups on nodes of their own, on the machine of the cost model as it is by default: cards of
200 Gbit/s, of which a process drives half. The bound is what a card needs for the other group's
data, or two processes for theirs. Root gathering is what MPI libraries do: a gather to the lowest
rank of each group, which swap and broadcast. Here it is composed of the fastest gather and
broadcast that Caucus has for one group, node-aware ones among them; and, as in libraries, of a
linear gather and a binomial broadcast of all data at a time. The paper about the algorithms that
ours began with (Kang and others, Parallel Computing 2019) has up to {headline} times over MPI
libraries' root gathering, measured on 256 nodes of Cori with 64 KiB to 8 MiB a node; that is no
measurement of this machine, and stands here for the size of what is there to gain.

![Times over root gathering and over the bound](images/intergroup-planned.png)

{machines}"""


def _size(size):
    unit, name = (1 << 20, "MiB") if size >= 1 << 20 else (1 << 10, "KiB")
    return f"{size // unit} {name}"


def _two(case):
    (p, q), (first, second) = case["ranks"], case["counts"]
    return f"{p} ranks {first}, {q} ranks {second}, {case['algorithm']}"


def _cells(found, machine=None):
    return [
        (key, lines[0])
        for key, lines in found.items()
        if isinstance(key, Cell) and machine in (None, (key.nodes, key.ppn))
    ]


def verdicts(found):
    for key, cases in found.items():
        ratios = sorted(case["ratio"] for case in cases) if not isinstance(key, Cell) else []
        if isinstance(key, Load):
            yield (
                f"- The busiest port passes at most {ratios[-1]:.4f} times the bound by the"
                f" striped ring in {len(cases):,} random cases of up to {key.most} ranks a group."
            )
        elif isinstance(key, Bound):
            worst = max(cases, key=lambda case: case["ratio"])
            yield (
                f"- The algorithm that is chosen takes at most {ratios[-1]:.3f} times the bound at"
                f" Λ = {key.latencies:,} with up to {key.most} ranks a group (asked for:"
                f" {ASKED[key.latencies, key.most]:.2f}); the worst is {_two(worst)}."
            )
    cells = _cells(found)
    if cells:
        gains = {which: [c[which] / c["seconds"] for _, c in cells] for which in GAINS}
        worst_key, worst = max(cells, key=lambda cell: cell[1]["seconds"] / cell[1]["bound"])
        yield (
            f"- On machines of nodes, root gathering of simple parts takes"
            f" {min(gains['simple_roots']):.1f} to {max(gains['simple_roots']):.1f} times as long,"
            f" that of the fastest parts {min(gains['fastest_roots']):.2f} to"
            f" {max(gains['fastest_roots']):.2f} times; the paper's headline is {HEADLINE}. The"
            f" worst cell over the bound is {worst['seconds'] / worst['bound']:.2f} times:"
            f" {_cell(worst_key)}, {worst['algorithm']}."
        )
        told = sorted(c["predicted"] / c["seconds"] for _, c in cells)
        yield (
            f"- The time by which an algorithm is chosen there is {told[0]:.2f} to {told[-1]:.2f}"
            f" times the simulated one, {told[len(told) // 2]:.2f} times in the median of"
            f" {len(told)} cells."
        )


GAINS = ("simple_roots", "fastest_roots")


def _cell(key):
    return (
        f"{key.nodes} nodes of {key.ppn}, {key.sixteenths}:{16 - key.sixteenths},"
        f" {_size(key.bytes)} a node, {key.counts}"
    )


def _case_table(found):
    lines = []
    for key, cases in found.items():
        if isinstance(key, Cell):
            continue
        ratios = sorted(case["ratio"] for case in cases)
        worst = max(cases, key=lambda case: case["ratio"])
        what = f"time at Λ = {key.latencies:,}" if isinstance(key, Bound) else "load of a port"
        lines.append(
            [
                what,
                str(key.most),
                f"{len(cases):,}",
                f"{ratios[len(ratios) // 2]:.3f}",
                f"{ratios[-1]:.3f}",
                _two(worst),
            ]
        )
    columns = ["over the bound", "ranks a group", "cases", "median", "worst", "which"]
    return "Random cases", columns, lines


def _machine_table(found, machine):
    lines = []
    for key, cell in _cells(found, machine):
        lines.append(
            [
                f"{key.sixteenths}:{16 - key.sixteenths}",
                _size(key.bytes),
                key.counts,
                cell["algorithm"],
                f"{1e3 * cell['seconds']:.2f}",
                f"{cell['seconds'] / cell['bound']:.2f}",
                f"{cell['card_bytes']:.2f}",
                f"{cell['fastest_roots'] / cell['seconds']:.2f}",
                f"{cell['simple_roots'] / cell['seconds']:.1f}",
            ]
        )
    columns = ["groups", "a node", "counts", "algorithm", "ms", "over the bound"]
    columns += ["bytes of a card", "root gathering", "of simple parts"]
    return f"{machine[0]} nodes of {machine[1]} ranks", columns, lines


def tables(found):
    if any(not isinstance(key, Cell) for key in found):
        yield _case_table(found)
    for machine in MACHINES:
        if _cells(found, machine):
            yield _machine_table(found, machine)


def _patterns(found):
    names = Counter(
        name
        for key, cases in found.items()
        if not isinstance(key, Cell)
        for case in cases
        for name in case["counts"]
    )
    return ", ".join(sorted(names))


def write(found, measured, missing, folder):
    first, *others = tables(found)
    text = PAGE.format(
        command=COMMAND,
        when=f"measured {'; '.join(dict.fromkeys(measured))}",
        verdicts="\n".join(verdicts(found)),
        missing=left_out(missing),
        patterns=_patterns(found),
        headline=HEADLINE,
        cases=markdown(first),
        machines="\n".join(markdown(table) for table in others),
    )
    (folder / "intergroup-planned.md").write_text(text)
    plot.draw(_cells(found), COUNTS, HEADLINE, folder / "images" / "intergroup-planned.png")
