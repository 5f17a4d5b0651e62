# SPDX-License-Identifier: BSD-3-Clause
"""Which node each rank lives on."""

from .errors import LabError


def sizes_of(nodes, ppn):
    """Ranks of each node, from one number for all or a list."""
    sizes = [ppn] * nodes if isinstance(ppn, int) else [int(size) for size in ppn]
    if len(sizes) != nodes or min(sizes) < 0 or sum(sizes) < 1:
        raise LabError(f"ranks per node {ppn} do not fit {nodes} nodes: give one number or {nodes}")
    return sizes


def place(sizes, how="blocks"):
    """The node of each rank.

    how: "blocks" fills node after node; "cyclic" deals ranks round, leaving out full nodes; a list
    of nodes, one per rank, is taken as it is after a check against the sizes.
    """
    if how == "blocks":
        return [node for node, size in enumerate(sizes) for _ in range(size)]
    if how == "cyclic":
        return [
            node for turn in range(max(sizes)) for node, size in enumerate(sizes) if turn < size
        ]
    if isinstance(how, str):
        raise LabError(f"placement {how!r} is not known: blocks, cyclic or a list of nodes")
    nodes = [int(node) for node in how]
    if not nodes or min(nodes) < 0 or max(nodes) >= len(sizes):
        raise LabError(f"a placement names nodes 0 to {len(sizes) - 1} only")
    return nodes
