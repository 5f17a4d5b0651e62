# SPDX-License-Identifier: BSD-3-Clause
"""Walkers with chains of very different length: runs, figures, pictures, the guide's page."""
