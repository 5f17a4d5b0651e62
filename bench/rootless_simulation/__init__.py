# SPDX-License-Identifier: BSD-3-Clause
"""What bench/rootless_simulated.py runs, and what is made of it."""
