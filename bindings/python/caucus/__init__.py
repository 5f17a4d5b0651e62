# SPDX-License-Identifier: BSD-3-Clause
"""Caucus: run MPI programs under it, plan grids whose halos stay on the node.

from caucus import Plan
with Plan((50, 48), machine="ppn:48") as plan:
    plan.map("best")
    print(plan.mapper, plan.measure().jsum, plan.bound())
"""

from .errors import CaucusError, Failure, NotApplicable, UsageError
from .plan import Plan, Traffic, dims_create, mappers, settings, version

__all__ = [
    "CaucusError",
    "Failure",
    "NotApplicable",
    "Plan",
    "Traffic",
    "UsageError",
    "dims_create",
    "mappers",
    "settings",
    "version",
]
__version__ = "0.1.0"
