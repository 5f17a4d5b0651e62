# SPDX-License-Identifier: BSD-3-Clause
"""Caucus at run time, on communicators and buffers of mpi4py.

import numpy
from mpi4py import MPI
from caucus.mpi import Allreduce_init, Channel, Grid, Group

with Allreduce_init(MPI.COMM_WORLD, numpy.ones(4), result := numpy.empty(4)) as total:
    for step in range(1000):
        total.Start().Wait()

Functions and methods have the names, arguments and defaults of mpi4py where MPI has them; they take
buffers as mpi4py's do. Errors are exceptions of mpi4py, with the text of Caucus.
"""

try:
    import mpi4py  # noqa: F401
except ImportError:
    raise ImportError("caucus.mpi works on mpi4py: pip install mpi4py") from None

try:
    from mpi4py import MPI  # noqa: F401
except (ImportError, RuntimeError) as problem:
    raise ImportError(
        f"mpi4py finds no MPI that it was compiled for ({problem}); compile it for yours: "
        "pip install --force-reinstall --no-cache-dir --no-binary mpi4py mpi4py (needs mpicc and "
        "Python's headers; docs/python.md, 'mpi4py for your MPI')"
    ) from None

from .balances import Balance, BalanceStatistics, News, Place
from .channels import QUORUM_ALL, QUORUM_MAJORITY, QUORUM_SOLO, Channel
from .collectives import *  # noqa: F403
from .collectives import __all__ as _collectives
from .deliveries import Delivery, Statistics
from .errors import Error
from .grids import Cart_map, Compute_dims, Grid, Report, Traffic
from .group_messages import Message
from .groups import Answer, Group, attach, create_comm
from .library import load
from .pools import Pool, PoolStatistics
from .redistribution import Redistribute_init
from .requests import PersistentRequest, Request

__all__ = [
    "QUORUM_ALL",
    "QUORUM_MAJORITY",
    "QUORUM_SOLO",
    "Answer",
    "Balance",
    "BalanceStatistics",
    "Cart_map",
    "Channel",
    "Compute_dims",
    "Delivery",
    "Error",
    "Grid",
    "Group",
    "Message",
    "News",
    "PersistentRequest",
    "Place",
    "Pool",
    "PoolStatistics",
    "Redistribute_init",
    "Report",
    "Request",
    "Statistics",
    "Traffic",
    "attach",
    "create_comm",
]
__all__ += _collectives

load()  # so that a library that is missing, or for another MPI, is told at once
