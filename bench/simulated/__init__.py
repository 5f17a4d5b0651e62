# SPDX-License-Identifier: BSD-3-Clause
"""Programs on machines that are not there: SimGrid's SMPI runs them in one process, and its clock
is simulated."""

from .cluster import Cluster, SimulationError, launch

__all__ = ["Cluster", "SimulationError", "launch"]
