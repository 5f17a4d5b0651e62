# SPDX-License-Identifier: BSD-3-Clause
"""Allgather between two groups as it is planned: what is measured, and the page about it."""
