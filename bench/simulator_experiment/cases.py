# SPDX-License-Identifier: BSD-3-Clause
"""What is played and run."""

from dataclasses import dataclass


@dataclass
class Case:
    collective: str
    algorithm: str
    ranks: int
    bytes: int

    @property
    def words(self):
        """Of caucus schedule."""
        size = ["--ranks", str(self.ranks), "--bytes", str(self.bytes)]
        return [self.collective, "--algorithm", self.algorithm, *size]

    def __str__(self):
        return f"{self.collective} {self.algorithm}, {self.ranks} × {self.bytes:,}"


# What the rule of the processor that is held while a message comes in says most about, and others.
PLAYED = [
    Case("reduce_scatter_block", "circulant", 4, 8192),
    Case("reduce_scatter_block", "circulant", 27, 8192),
    Case("allreduce", "recursive_halving", 37, 65536),
    Case("allreduce", "recursive_halving", 5, 65536),
    Case("bcast", "circulant", 33, 262144),
    Case("scan", "recursive_doubling", 45, 1024),
    Case("allreduce", "circulant", 60, 1024),
    Case("allgather", "ring", 8, 8192),
    Case("allgather", "circulant", 13, 8192),
    Case("bcast", "binomial", 16, 65536),
    Case("reduce", "binomial", 21, 4096),
    Case("gather", "binomial", 13, 1000),
]

# Few enough ranks, and long enough, for the cards of virtual nodes to decide and not the
# processors that all share.
RUN = [
    Case("reduce_scatter_block", "circulant", 4, 8192),
    Case("reduce_scatter_block", "circulant", 9, 8192),
    Case("allreduce", "recursive_halving", 5, 65536),
    Case("allreduce", "recursive_halving", 9, 65536),
    Case("bcast", "circulant", 9, 65536),
    Case("bcast", "binomial", 9, 65536),
    Case("allgather", "ring", 8, 8192),
    Case("allgather", "circulant", 8, 8192),
]
