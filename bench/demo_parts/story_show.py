# SPDX-License-Identifier: BSD-3-Clause
"""Prints the story: lines of at most 76 columns, which nothing has to wrap."""

import string

from caucus.console import number, plain

BAR, NAME = 24, 15  # columns of the longest bar, and of a name
RATE = "megabytes_per_second_and_process"
NODE_NAMES = string.ascii_uppercase

NEXT = """\
Next, if you
  have a program     .venv/bin/caucus run -n 8 -- ./your_program
                     tells what Caucus would change in it: docs/run.md
  develop one        docs/problems/index.md begins with your problem;
                     examples/ has whole programs, docs/reference/c.md functions
  administer         docs/administrators.md: for all users of a machine;
                     docs/install.md: several MPIs, modules, Debian, Spack;
                     docs/limits.md: who sees what; docs/cluster.md
More of this: make demo PART=grids (or persistent, intergroup, groups, balance,
rootless, or all)."""


def _bars(values, unit, names):
    """A line for each value, the longest bar for the largest."""
    most = max(values) or 1
    wide = max(NAME, *map(len, names))
    lines = []
    for name, value in zip(names, values):
        drawn = "█" * max(1, round(BAR * value / most))
        lines.append(f"    {name:<{wide}} {drawn:<{BAR}} {number(value, 3)} {unit}")
    return lines


def _grids(result):
    """Before and after side by side, a letter for each node."""
    width = len(result["before"]) // result["rows"]
    lines = [f"    {'without':<{2 * width + 8}}with Caucus"]
    for row in range(result["rows"]):
        cells = [result[when][row * width : (row + 1) * width] for when in ("before", "after")]
        before, after = (" ".join(NODE_NAMES[node] for node in nodes) for nodes in cells)
        lines.append(f"    {before:<{2 * width + 8}}{after}")
    return lines


def _problem(result):
    scene = result["scene"]
    before = scene["off_node"].get("before", 0)
    return [
        plain("1. A heat solver that knows nothing of Caucus", "bold"),
        f"{result['ranks']} ranks on {result['nodes']} nodes exchange borders with their neighbours"
        f" in a grid of {scene['grid']}.",
        "The machine dealt them to its nodes in turn, so each neighbour is on another",
        f"node: {number(before)} messages go through the network in every step.",
    ]


def _solution(result):
    scene = result["scene"]
    after, bound = scene["off_node"].get("after", 0), scene["bound"]
    fewest = "and fewer can't" if after == bound else f"of {number(bound)} that are the fewest"
    return [
        "",
        plain("2. The same program, started by caucus run", "bold"),
        "Nothing is recompiled. MPI_Cart_create now places ranks (letters are nodes):",
        *_grids(result),
        f"{number(after)} messages go through the network, {fewest}.",
    ]


def _gained(result):
    scene = result["scene"]
    before, after = scene["without"], scene["with"]
    names = ("without", "with Caucus")
    lines = ["", plain("3. What it gained", "bold")]
    if result["rate"]:
        bytes_of = [run["card_bytes"] / 1e6 for run in (before, after)]
        seconds = [run["exchange_seconds"] for run in (before, after)]
        lines.append(
            f"  Through the cards of {result['nodes']} virtual nodes, the start of MPI too:"
        )
        lines += _bars(bytes_of, "MB", names)
        lines.append(f"  Time in exchanges: {seconds[0] / seconds[1]:.1f} times as fast")
        lines += _bars(seconds, "s", names)
    else:
        counts = [scene["off_node"].get(when, 0) for when in ("before", "after")]
        lines.append("  Messages between nodes in each step:")
        lines += _bars(counts, "", names)
        lines.append(f"  No network was there to be timed: {result['why_no_virtual_nodes']}")
    same = scene["same_bits"] and scene["same_picture"]
    lines.append(
        "  The temperatures are the same to the last bit."
        if same
        else "  The temperatures DIFFER, which must not be."
    )
    lines.append(f"  Pictures: {result['mapping']} (the grids), {result['heat']} (the heat)")
    return lines


def _others(result):
    lines = ["", plain("And if grids are not your problem", "bold")]
    for gain in result["gains"]:
        slower = "" if gain["factor"] >= 1 else " (slower here)"
        lines.append(f"  {gain['what']}: {number(gain['factor'], 2)} ×{slower}")
        values = gain["values"]
        lines += _bars(list(values.values()), gain["unit"], list(values))
        lines.append(f"    {gain['picture']}; {gain['page']}")
    return lines


def show(result):
    lines = _problem(result) + _solution(result) + _gained(result) + _others(result)
    return [
        *lines,
        "×: times as fast. What else this machine does meanwhile is in these times.",
        "",
        *NEXT.splitlines(),
        "",
    ]
