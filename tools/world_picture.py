# SPDX-License-Identifier: BSD-3-Clause
"""Draws the end of a run in a seeded world: ranks as lines from the top down, messages as arrows
from where they are sent to where they arrive, and at the end who waits for whom."""

import re
import sys

from provision.paths import ROOT

sys.path.insert(0, str(ROOT / "bindings" / "python"))

from caucus.svg import INK, MARGIN, PALE, Picture  # noqa: E402

EVENTS, MOST_RANKS = 60, 24  # that are drawn
ROW, LANE, TOP, STEPS = 17, 84, 76, 74  # pixels
COLORS = ("#0969da", "#8250df", "#1a7f37", "#9a6700", "#bf3989", "#57606a")  # of communicators
WRONG = "#cf222e"
LEGEND = "Arrows: messages, coloured by communicator; dashed: under way. Red at the end: who waits"
EVENT = re.compile(r"^ *(\d+) [\d.]+ (.*)$")
SENDS = re.compile(r"^rank (\d+) sends to (\d+): (tag -?\d+, comm (\d+))")
ARRIVES = re.compile(r"^message (\d+) -> (\d+) arrives: (tag -?\d+, comm (\d+))(.*)")
WAITS = re.compile(r"^  rank (\d+), thread \d+: (.*)$")
AWAITED = re.compile(r"for rank (\d+)")
OF_RANK = re.compile(r"^rank (\d+)(.*)")


class Scene:
    def __init__(self, said):
        lines = said.splitlines()
        found = [match.groups() for match in map(EVENT.match, lines) if match]
        self.events = [(int(step), text) for step, text in found[-EVENTS:]]
        self.waits = [match.groups() for match in map(WAITS.match, lines) if match]
        ranks = {int(word) for _, text in self.events for word in self._ranks_in(text)}
        ranks |= {int(rank) for rank, _ in self.waits}
        self.ranks = sorted(ranks)[:MOST_RANKS]
        self.picture = Picture()
        self.bottom = TOP + ROW * (len(self.events) + 1)
        self.right = MARGIN + STEPS + LANE * len(self.ranks)

    @staticmethod
    def _ranks_in(text):
        found = SENDS.match(text) or ARRIVES.match(text)
        return found.groups()[:2] if found else OF_RANK.match(text).groups()[:1]

    def x(self, rank):
        return MARGIN + STEPS + LANE * (self.ranks.index(int(rank)) + 0.5)

    def shows(self, *ranks):
        return all(int(rank) in self.ranks for rank in ranks)

    def arrow(self, start, end, color, dashes=""):
        style = f' stroke-dasharray="{dashes}"' if dashes else ""
        (x, y), (to_x, to_y) = start, end
        self.picture.parts.append(
            f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" stroke="{color}" stroke-width="1.4" '
            f'fill="none" marker-end="url(#head{color[1:]})"{style}/>'
        )

    def heads(self):
        for color in (*COLORS, WRONG):
            self.picture.parts.append(
                f'<marker id="head{color[1:]}" markerWidth="7" markerHeight="7" refX="6" refY="3" '
                f'orient="auto"><path d="M0 0L6 3L0 6z" fill="{color}"/></marker>'
            )

    def lanes(self):
        dead = self._deaths()
        for rank in self.ranks:
            x, end = self.x(rank), dead.get(rank, self.bottom)
            self.picture.text(x - 20, TOP - 10, f"rank {rank}")
            self.picture.parts.append(
                f'<path d="M{x:g} {TOP}V{end:g}" stroke="{PALE}" stroke-width="1"/>'
            )

    def _deaths(self):
        return {
            int(text.split()[1]): TOP + ROW * (row + 1)
            for row, (_, text) in enumerate(self.events)
            if text.endswith(" dies")
        }

    def rows(self):
        under_way = {}
        for row, (step, text) in enumerate(self.events):
            y = TOP + ROW * (row + 1)
            self.picture.text(MARGIN, y + 4, str(step), 11, PALE)
            sent, came = SENDS.match(text), ARRIVES.match(text)
            if sent:
                under_way.setdefault(sent.groups()[:3], []).append(y)
            elif came:
                waiting = under_way.get(came.groups()[:3])
                self.message(came, waiting.pop(0) if waiting else TOP, y)
            else:
                self.mark(text, y)
            self.picture.text(self.right + 8, y + 4, text, 11, INK if not sent else PALE)
        for (source, target, _), starts in under_way.items():
            for y in starts if self.shows(source, target) else ():
                end = (self.x(source) + self.x(target)) / 2
                self.arrow((self.x(source), y), (end, y + ROW), WRONG, "3 3")

    def message(self, came, start, end):
        source, target, _, comm, _ = came.groups()
        if self.shows(source, target):
            color = COLORS[int(comm) % len(COLORS)]
            self.arrow((self.x(source), start), (self.x(target), end), color)

    def mark(self, text, y):
        rank = OF_RANK.match(text).group(1)
        if self.shows(rank):
            color = WRONG if "dies" in text or "error" in text else INK
            self.picture.parts.append(
                f'<circle cx="{self.x(rank):g}" cy="{y}" r="4" fill="{color}"/>'
            )

    def ends(self):
        y = self.bottom
        for rank, text in self.waits:
            if not self.shows(rank):
                continue
            y += ROW
            awaited = AWAITED.search(text)
            x = self.x(rank)
            self.picture.parts.append(
                f'<path d="M{x:g} {self.bottom}V{y}" stroke="{WRONG}" stroke-width="1"/>'
                f'<circle cx="{x:g}" cy="{y}" r="4" fill="{WRONG}"/>'
            )
            if awaited and self.shows(awaited.group(1)):
                self.arrow((x, y), (self.x(awaited.group(1)), y), WRONG, "5 3")
            self.picture.text(self.right + 8, y + 4, f"rank {rank} {text}", 11, WRONG)
        self.picture.reserve(self.right, y + ROW)

    def draw(self, title):
        self.heads()
        self.picture.text(MARGIN, 26, title, 15)
        self.picture.text(MARGIN, 46, LEGEND, 11)
        self.lanes()
        self.rows()
        self.ends()
        return self.picture.finish(title)


def draw(said, title, path):
    path.write_text(Scene(said).draw(title))
