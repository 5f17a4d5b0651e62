#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the pictures of docs/problems, all in one manner: the problem above, below it what
Caucus makes of it; narrow, so that they can be read on a phone. Needs matplotlib, and the planner
of a build for the grids.

.venv/bin/python docs/pictures.py [FOLDER]        (docs/images/problems)
"""

import sys
from pathlib import Path

import matplotlib

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bindings" / "python"))
matplotlib.use("svg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.patches import FancyArrowPatch, Rectangle  # noqa: E402

from caucus.plan import Plan  # noqa: E402

BLUE, ORANGE, GREEN, VIOLET = "#8ecae6", "#ffb703", "#95d5b2", "#cdb4db"
RED, INK, PALE = "#d00000", "#24292f", "#d0d7de"
NODES = (BLUE, ORANGE, GREEN, VIOLET)
STYLE = {
    "svg.hashsalt": "caucus",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 11,
    "text.color": INK,
}


def panel(axes, title, words):
    axes.set_title(title, fontsize=12, fontweight="bold", loc="left")
    axes.text(0, -0.04, words, transform=axes.transAxes, va="top", fontsize=10.5)
    axes.set_axis_off()


def limits(axes, width, height, low=0):
    axes.set_xlim(0, width)
    axes.set_ylim(height, low)


def box(axes, x, y, width, height, color, words="", **more):
    axes.add_patch(Rectangle((x, y), width, height, fc=color, ec=INK, lw=0.8, **more))
    axes.text(x + width / 2, y + height / 2, words, ha="center", va="center", fontsize=10)


def arrow(axes, begin, end, color=INK, bend=0.0, width=1.4):
    axes.add_patch(
        FancyArrowPatch(
            begin,
            end,
            arrowstyle="-|>",
            mutation_scale=9,
            shrinkA=0,
            shrinkB=0,
            lw=width,
            color=color,
            connectionstyle=f"arc3,rad={bend}",
        )
    )


def rank(axes, x, y, number, color=BLUE, radius=0.3, edge=INK):
    axes.add_patch(plt.Circle((x, y), radius, fc=color, ec=edge, lw=1, zorder=3))
    axes.text(x, y + 0.01, str(number), ha="center", va="center", fontsize=10, zorder=4)


# ---- my halos leave the node ----
def grid(axes, node_of_cell, rows, columns):
    """Cells in the colours of their nodes; pairs of neighbours on two nodes in red."""
    limits(axes, columns, rows)
    axes.set_aspect("equal")
    crossing = 0
    for cell, node in enumerate(node_of_cell):
        y, x = divmod(cell, columns)
        box(axes, x + 0.12, y + 0.12, 0.76, 0.76, NODES[node])
        for right, down in ((1, 0), (0, 1)):
            if x + right >= columns or y + down >= rows:
                continue
            if node_of_cell[cell + right + down * columns] != node:
                crossing += 2
                xs, ys = (x + 0.5, x + 0.5 + right), (y + 0.5, y + 0.5 + down)
                axes.plot(xs, ys, color=RED, lw=2.2)
    return crossing


def halos(above, below):
    rows, columns = 4, 8
    with Plan((rows, columns), "cyclic:4", ranks=0) as plan:
        given, before = plan.node_of_cell(), plan.measure().jsum
        plan.map("best")
        chosen, after = plan.node_of_cell(), plan.measure().jsum
    drawn = grid(above, given, rows, columns), grid(below, chosen, rows, columns)
    if drawn != (before, after):
        raise SystemExit(f"pictures: {drawn} messages are drawn, and {before}, {after} planned")
    panel(above, "Ranks dealt to nodes in turn", f"{before:.0f} messages leave their node")
    panel(below, "The same ranks, placed by Caucus", f"{after:.0f} messages do; fewer can't")


# ---- two codes exchange fields ----
def codes(axes):
    limits(axes, 16, 9.3, -0.9)
    axes.set_aspect("equal")
    axes.text(2, -0.3, "ocean", ha="center")
    axes.text(14, -0.3, "atmosphere", ha="center")
    left = [(2, 1 + 2.2 * i) for i in range(4)]
    right = [(14, 0.7 + 1.5 * i) for i in range(6)]
    for i, (x, y) in enumerate(left):
        rank(axes, x, y, i, BLUE, 0.5)
    for i, (x, y) in enumerate(right):
        rank(axes, x, y, i, ORANGE, 0.5)
    return left, right


def coupled(above, below):
    froms, tos = codes(above)
    for x, y in froms[1:]:
        arrow(above, (x + 0.5, y), (froms[0][0] + 0.55, froms[0][1] + 0.25), bend=0.35)
    arrow(above, (2.6, 1), (13.4, 0.7), RED, width=5)
    for x, y in tos[1:]:
        arrow(above, (tos[0][0] - 0.45, tos[0][1] + 0.25), (x - 0.55, y), bend=0.35)
    panel(above, "Through one rank of each", "everything waits for one link")
    froms, tos = codes(below)
    for i, (x, y) in enumerate(froms):
        for j, (u, v) in enumerate(tos):
            if i / 4 < (j + 1) / 6 and j / 6 < (i + 1) / 4:  # rows that both have
                arrow(below, (x + 0.55, y), (u - 0.55, v), GREEN if (i + j) % 2 else INK)
    panel(below, "Each piece straight to its place", "a plan made once, then started each step")


# ---- some ranks are idle ----
def bars(axes, rows, length):
    limits(axes, length + 0.2, len(rows) + 0.2, -0.2)
    for y, row in enumerate(rows):
        begin = 0.0
        for color, end in row:
            hatch = {"hatch": "///"} if color == "white" else {}
            box(axes, begin, y + 0.1, end - begin, 0.8, color, **hatch)
            begin = end


def idle(above, below):
    long, short = 8, 2
    bars(above, [[(BLUE, long)]] * 2 + [[(ORANGE, short), ("white", long)]] * 2, long)
    panel(above, "Group B is done early", "two ranks wait (hatched) until A ends")
    ends = short + (long - short) / 2
    helped = [[(ORANGE, short), (BLUE, ends)]] * 2
    bars(below, [[(BLUE, ends)]] * 2 + helped, long)
    below.axvline(ends, color=GREEN, lw=3)
    panel(below, "Its ranks join group A", "all end together; nobody else is asked")


# ---- I want MPI_Start to cost nothing ----
def starts(above, below):
    parts = (("check", VIOLET, 0.7), ("choose", ORANGE, 0.9), ("plan", GREEN, 0.9))
    for axes in (above, below):
        limits(axes, 12, 4.3, -0.2)
    for y in range(4):
        x = 0.0
        for words, color, width in (*parts, ("move data", BLUE, 1.5)):
            box(above, x, y + 0.1, width * 2, 0.8, color, words)
            x += width * 2
    panel(above, "Every call begins from nothing", "all of this in each step")
    x = 0.0
    for words, color, width in parts:
        box(below, x, 0.1, width * 2, 0.8, color, words)
        x += width * 2
    below.text(x + 0.3, 0.5, "init, once", va="center")
    for y in range(1, 4):
        box(below, 0, y + 0.1, 3, 0.8, BLUE, "move data")
        below.text(3.3, y + 0.5, "start, wait", va="center")
    panel(below, "Set up once", "then a start has only the data to move")


# ---- a process died ----
RING = [(2, 0.6), (4, 0.6), (6, 0.6), (8, 0.6), (8, 3.0), (6, 3.0), (4, 3.0), (2, 3.0)]


def died(above, below):
    for axes in (above, below):
        limits(axes, 10, 3.8, -0.2)
        axes.set_aspect("equal")
        for number, (x, y) in enumerate(RING):
            dead = number == 5
            color = "white" if dead else GREEN if axes is below and number in (1, 2, 6) else BLUE
            rank(axes, x, y, number, color, 0.5, RED if dead else INK)
            if dead:
                for sign in (1, -1):
                    axes.plot((x - 0.5, x + 0.5), (y - 0.5 * sign, y + 0.5 * sign), color=RED, lw=2)
    for number, (x, y) in enumerate(RING):
        if number != 5:
            end = (5.4 + (x - 5) * 0.12, 1.8 + (y - 1.8) * 0.3)
            arrow(above, (x, y + (0.55 if y < 1 else -0.55)), end, PALE)
    above.text(5, 1.8, "MPI_Comm_shrink: all must call", ha="center", va="center", color=RED)
    panel(above, "Rank 5 died", "nobody goes on before everybody has come")
    chain = [RING[number] for number in (1, 2, 6, 1)]
    for (x, y), (u, v) in zip(chain, chain[1:]):
        below.plot((x, u), (y, v), color=GREEN, lw=3, zorder=1)
    panel(below, "Those who worked with it: 1, 2, 6", "find each other; the others go on computing")


# ---- anyone may have news ----
FROM_3 = {3: (2, 7), 2: (1,), 7: (6,), 1: (0,), 6: (5,), 5: (4,)}
FROM_4 = {4: (5, 0), 5: (6,), 0: (1,), 6: (7,), 1: (2,), 2: (3,)}


def heard(axes, edges, places, color, shift=0.0):
    for parent, children in edges.items():
        for child in children:
            (x, y), (u, v) = places[parent], places[child]
            length = ((u - x) ** 2 + (v - y) ** 2) ** 0.5
            dx, dy = (u - x) / length * 0.55, (v - y) / length * 0.55
            arrow(axes, (x + dx, y + dy + shift), (u - dx, v - dy + shift), color, width=2)


def news(above, below):
    places = {i: (1 + 2.6 * (i % 4), 0.7 + 2.4 * (i // 4)) for i in range(8)}
    for axes in (above, below):
        limits(axes, 10, 3.9, -0.2)
        axes.set_aspect("equal")
        for number, (x, y) in places.items():
            rank(axes, x, y, number, ORANGE if number in (3, 4) else BLUE, 0.5)
    for x, y in places.values():
        above.text(x, y - 0.62, "root?", ha="center", fontsize=9, color=RED)
    panel(above, "A broadcast needs a root", "all must know who speaks, and stop to listen")
    heard(below, FROM_3, places, INK, -0.12)
    heard(below, FROM_4, places, RED, 0.12)
    panel(below, "Ranks 3 and 4 cast, unannounced", "the others pass on and hear each once")


PICTURES = {
    "halos": halos,
    "coupled": coupled,
    "idle": idle,
    "starts": starts,
    "died": died,
    "news": news,
}


def draw(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with plt.rc_context(STYLE):
        for name, picture in PICTURES.items():
            figure, axes = plt.subplots(2, 1, figsize=(4.8, 6.2))
            picture(*axes)
            figure.subplots_adjust(left=0.03, right=0.97, top=0.94, bottom=0.06, hspace=0.36)
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None}, facecolor="white")
            plt.close(figure)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images" / "problems")
