# SPDX-License-Identifier: BSD-3-Clause
"""The experiments of W. Gropp, Using Node Information to Implement MPI Cartesian Topologies,
EuroMPI 2018, on virtual nodes. What runs is bench/halo_exchange, bench/stencil_sweep and
bench/plan_on_off_table; this package starts them, draws figures from what they say, and judges."""
