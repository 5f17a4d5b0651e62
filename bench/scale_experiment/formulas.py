# SPDX-License-Identifier: BSD-3-Clause
"""What is predicted of bytes, beside what was measured. Sizes of structures are those of MPICH."""

LINE, ALIGNMENT = 64, 128
CREDITS, SEGMENT = 16, 16384
HEADER, PIECE, SLOT, REQUEST = 48, 24, 80, 4  # of a message, of what a link keeps of it
LINK = 132  # of what a link has besides
CHANNEL = 2780  # bytes of a runner and its state that do not grow
SIMULATED = 49152  # a table of bench/simulated/persistent_receive.h
PER_NODE = 16  # of simulated machines
TABLE_ENTRY, MEMBER, MESSAGE = 32, 12, 112
FIRST = 2304  # of the manager and the group
FLAT = 64  # members that the first one tells by itself


def _aligned(count):
    return -(-count // ALIGNMENT) * ALIGNMENT


def node_memory(ranks):
    """Of the ranks of a node: eight arenas of two slots, and some room beside them."""
    piece = min(max(32768 * ranks, 262144), 4194304)
    lines = _aligned(16 * (1 + ranks) * LINE)
    arena = ALIGNMENT + _aligned(ranks * LINE) + 2 * (lines + _aligned(piece))
    return 8 * arena + 65536 + 2 * ranks * LINE


def links(ranks, per_node):
    """Of a channel, into a rank, where both numbers are powers of two."""
    return (ranks // per_node - 1).bit_length() + (per_node - 1).bit_length()


def channel(ranks, per_node, simulated):
    count = links(ranks, per_node)
    request = 2 * REQUEST if simulated else REQUEST
    slots = count * CREDITS * (HEADER + SEGMENT + PIECE + request)
    state = count * LINK + (count + 1) * CREDITS * SLOT + SEGMENT + CHANNEL + 3 * ranks
    return slots + state + (SIMULATED if simulated else 0)


def group(ranks):
    """A list, its members by rank, a count for each that they have in common, and messages of the
    root that are on their way."""
    room = 8
    while 3 * ranks > 2 * room:
        room *= 2
    told = ranks - 1 if ranks <= FLAT else (ranks - 1).bit_length()
    return FIRST + MEMBER * ranks + TABLE_ENTRY * room + MESSAGE * told


def rows(raw):
    """(what, where, ranks, predicted, measured)"""
    found = []
    for loop in raw["loops"]:
        ranks, simulated = loop["ranks"], loop["where"] == "simulated"
        per_node = PER_NODE if simulated else ranks
        steps = {step["what"]: step for step in loop["steps"]}
        predicted = {
            "attach, shared memory of a node": (node_memory(per_node), steps["attach"]["shared"]),
            "group, a list": (group(ranks), steps.get("group, a list", {}).get("own", 0)),
            "channel": (
                channel(ranks, per_node, simulated),
                steps.get("channel", {}).get("own", 0),
            ),
        }
        found += [
            (what, loop["where"], ranks, *figures)
            for what, figures in predicted.items()
            if figures[1] > 0
        ]
    return sorted(found, key=lambda row: (row[0], row[1], row[2]))
