# SPDX-License-Identifier: BSD-3-Clause
"""Brings what Caucus needs into the tree: MPI, Python packages, Debian packages, build tools.

Standard library only, because it runs before any package is there.
"""
