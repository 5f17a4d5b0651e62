# SPDX-License-Identifier: BSD-3-Clause
"""The parts of bench/persistent.py: what is measured, figures, tables, plots, the guide's page."""
