# SPDX-License-Identifier: BSD-3-Clause
"""What is measured: grids, placements, message sizes."""

from dataclasses import dataclass

PLACEMENTS = {"blocks": "by blocks", "cyclic": "round-robin"}


@dataclass(frozen=True)
class Case:
    dims: tuple
    periodic: bool

    @property
    def name(self):
        return "x".join(map(str, self.dims)) + (" periodic" if self.periodic else " open")

    @property
    def words(self):
        return ["--dims", "x".join(map(str, self.dims))] + ["--periodic"] * self.periodic


@dataclass(frozen=True)
class Scale:
    """How much is measured."""

    cases: tuple
    sizes: tuple
    meshes: tuple
    repetitions: int
    seconds: float  # for each measurement


FULL = Scale(
    cases=tuple(Case(dims, wrap) for dims in ((8, 4), (4, 4, 2)) for wrap in (False, True)),
    sizes=(128, 1024, 8192, 65536, 262144),
    meshes=(256, 512, 1024, 2048, 4096),
    repetitions=5,
    seconds=0.25,
)
QUICK = Scale(
    cases=(Case((8, 4), False), Case((4, 4, 2), False)),
    sizes=(1024, 65536),
    meshes=(512, 2048),
    repetitions=3,
    seconds=0.15,
)
# From this size of a message on, headers are what they are in a stream, and the bytes are judged.
JUDGED_BYTES = 65536
