# SPDX-License-Identifier: BSD-3-Clause
"""What went through each card, as the kernel counted it."""

import os
from dataclasses import dataclass

from .errors import LabError, NothingCrossed
from .network import CARD


@dataclass(frozen=True)
class Card:
    """Bytes include the headers of Ethernet, IP and TCP (66 of at most 1514 a packet), and the
    acknowledgements (66 each, about one for two packets) of what came the other way."""

    sent_bytes: int
    sent_packets: int
    received_bytes: int
    received_packets: int

    def __sub__(self, before):
        return Card(
            self.sent_bytes - before.sent_bytes,
            self.sent_packets - before.sent_packets,
            self.received_bytes - before.received_bytes,
            self.received_packets - before.received_packets,
        )


def parse(table, card=CARD):
    """Reads the text of /proc/net/dev."""
    for line in table.splitlines():
        name, _, numbers = line.partition(":")
        if name.strip() == card:
            column = [int(word) for word in numbers.split()]
            return Card(column[8], column[9], column[0], column[1])
    raise LabError(f"the node has no card {card}")


def card_here():
    """The card of the node that the caller runs on, so that a rank can bracket its own loop; None
    outside a lab. (A C program includes lab_card.h.)"""
    card = os.environ.get("LAB_CARD")
    if card is None:
        return None
    figures = []
    for name in ("tx_bytes", "tx_packets", "rx_bytes", "rx_packets"):
        with open(f"/sys/class/net/{card}/statistics/{name}") as file:
            figures.append(int(file.read()))
    return Card(*figures)


def verify_crossed(cards, least, most=None):
    """Raises NothingCrossed unless the nodes' cards carried what was expected.

    cards: differences, one per node. least, most: bytes sent per node, one number for all nodes
    together or a list with one per node.
    """
    if isinstance(least, (int, float)):
        found, lows, highs, names = [sum(card.sent_bytes for card in cards)], [least], [most], None
    else:
        found, lows = [card.sent_bytes for card in cards], list(least)
        highs = list(most) if most is not None else [None] * len(lows)
        names = range(len(lows))
        if len(lows) != len(cards) or len(highs) != len(cards):
            raise LabError(f"{len(cards)} cards were counted, but {len(lows)} figures expected")
    for place, (sent, low, high) in enumerate(zip(found, lows, highs)):
        where = "the nodes' cards together" if names is None else f"the card of node {place}"
        if sent < low:
            raise NothingCrossed(
                f"{where} sent {sent:,} bytes, at least {low:,.0f} were expected: the MPI found a "
                "way round the network (shared memory between virtual nodes?) or the program "
                "sent less"
            )
        if high is not None and sent > high:
            raise NothingCrossed(
                f"{where} sent {sent:,} bytes, at most {high:,.0f} were expected: something "
                "else used the network or ranks are not where they were meant to be"
            )
