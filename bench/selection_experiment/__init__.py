# SPDX-License-Identifier: BSD-3-Clause
"""The page of bench/selection.py."""
