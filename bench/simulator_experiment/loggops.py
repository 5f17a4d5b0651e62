# SPDX-License-Identifier: BSD-3-Clause
"""The time that schedules in GOAL text take by the rules of LogGOPS (Hoefler, Schneider and
Lumsdaine, LogGOPSim, LSAP 2010), written from these rules alone, so that it shares nothing with the
simulator that it checks. A send holds its processor for o and its card for its bytes; the first
byte is at the receiver L later; the receiver's card takes bytes in one message after the other.

Two rules are open. `held`: while a message comes in, its receiver's processor does nothing else,
not even sending, as in the program LogGOPSim 1.1, where it costs o and the time of the bytes.
`buffered`: a send is complete when its processor is free, and not when its bytes have left."""

import heapq
import re
from dataclasses import dataclass, field

RANK = re.compile(r"rank (\d+) \{")
MESSAGE = re.compile(r"(l\d+): (send|recv) (\d+)b (?:to|from) (\d+)(?: tag (\d+))?")
CALC = re.compile(r"(l\d+): calc (\d+)")
REQUIRES = re.compile(r"(l\d+) requires (l\d+)")


@dataclass
class Operation:
    kind: str
    size: int  # bytes, or nanoseconds of calc
    peer: int = 0
    tag: int = 0
    missing: int = 0
    users: list = field(default_factory=list)


def read(text):
    """Of each rank: {label: Operation}."""
    ranks = []
    for line in text.splitlines():
        if RANK.search(line):
            ranks.append({})
        elif found := MESSAGE.search(line):
            label, kind, size, peer, tag = found.groups()
            ranks[-1][label] = Operation(kind, int(size), int(peer), int(tag or 0))
        elif found := CALC.search(line):
            ranks[-1][found[1]] = Operation("calc", int(found[2]))
        elif found := REQUIRES.search(line):
            ranks[-1][found[1]].missing += 1
            ranks[-1][found[2]].users.append(found[1])
    return ranks


class Machine:
    """Plays what was read, once. L, o and G in seconds, G of a byte; nanosecond: what
    one of calc takes."""

    def __init__(self, ranks, L, o, G, held=False, buffered=False, nanosecond=1e-9):
        self.ranks, self.L, self.o, self.G, self.nanosecond = ranks, L, o, G, nanosecond
        self.held, self.buffered = held, buffered
        count = len(ranks)
        self.processor, self.out, self.into = [0.0] * count, [0.0] * count, [0.0] * count
        self.posted, self.early = [[] for _ in ranks], [[] for _ in ranks]
        self.events, self.number, self.end, self.done = [], 0, 0.0, 0

    def play(self):
        turn = {"calc": self.calculate, "send": self.send, "recv": self.receive}
        turn["message"] = self.arrive
        for rank, operations in enumerate(self.ranks):
            for label, operation in operations.items():
                if operation.missing == 0:
                    self.push(0.0, operation.kind, rank, label)
        while self.events:
            time, _, kind, rank, what = heapq.heappop(self.events)
            turn[kind](time, rank, what)
        if self.done != sum(map(len, self.ranks)):
            raise ValueError("ranks wait for each other")
        return self.end

    def push(self, time, kind, rank, what):
        self.number += 1
        heapq.heappush(self.events, (time, self.number, kind, rank, what))

    def finish(self, rank, label, time):
        self.end, self.done = max(self.end, time), self.done + 1
        for user in self.ranks[rank][label].users:
            operation = self.ranks[rank][user]
            operation.missing -= 1
            if operation.missing == 0:
                self.push(time, operation.kind, rank, user)

    def busy(self, time, free, *event):
        """Puts an event off until what it needs is free."""
        if free > time:
            self.push(free, *event)
        return free > time

    def calculate(self, time, rank, label):
        if not self.busy(time, self.processor[rank], "calc", rank, label):
            self.processor[rank] = time + self.ranks[rank][label].size * self.nanosecond
            self.finish(rank, label, self.processor[rank])

    def send(self, time, rank, label):
        free = max(self.processor[rank], self.out[rank])
        if self.busy(time, free, "send", rank, label):
            return
        operation = self.ranks[rank][label]
        self.processor[rank] = time + self.o
        self.out[rank] = time + operation.size * self.G
        message = (rank, operation.tag, operation.size)
        self.push(time + self.o + self.L, "message", operation.peer, message)
        left = time + self.o + (0 if self.buffered else operation.size * self.G)
        self.finish(rank, label, left)

    def receive(self, time, rank, label):
        operation = self.ranks[rank][label]
        for message in self.early[rank]:
            if message[:2] == (operation.peer, operation.tag):
                self.early[rank].remove(message)
                self.finish(rank, label, max(time, message[2]))
                return
        self.posted[rank].append((operation.peer, operation.tag, label))

    def arrive(self, time, rank, message):
        free = max(self.processor[rank] if self.held else 0.0, self.into[rank])
        if self.busy(time, free, "message", rank, message):
            return
        source, tag, size = message
        self.into[rank] = time + size * self.G
        there = self.into[rank] + self.o
        if self.held:
            self.processor[rank] = there
        for receive in self.posted[rank]:
            if receive[:2] == (source, tag):
                self.posted[rank].remove(receive)
                self.finish(rank, receive[2], there)
                return
        self.early[rank].append((source, tag, there))
