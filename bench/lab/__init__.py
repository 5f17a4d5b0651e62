# SPDX-License-Identifier: BSD-3-Clause
"""Virtual nodes on one machine: real MPI over a real network with real bandwidth limits.

    from lab import Lab
    with Lab(nodes=8, rate="200mbit") as lab:
        run = lab.run(["./program"], mpi="mpich", ppn=4, placement="cyclic")
        print(run.stdout, [card.sent_bytes for card in run.cards])

Everything a lab makes lives in kernel namespaces held by one process, the keeper. When the keeper
ends, the kernel takes every process, card and mount of the lab down with it, so that nothing is
left behind whatever happens to the owner.
"""

from .cards import Card, card_here, verify_crossed
from .errors import LabError, LabTimeout, NothingCrossed
from .lab import Lab, Run, available
from .placement import place

__all__ = [
    "Card",
    "Lab",
    "LabError",
    "LabTimeout",
    "NothingCrossed",
    "Run",
    "available",
    "card_here",
    "place",
    "verify_crossed",
]
