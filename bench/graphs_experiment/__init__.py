# SPDX-License-Identifier: BSD-3-Clause
"""The parts of bench/graphs.py: what makes the graphs."""
