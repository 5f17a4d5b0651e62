# SPDX-License-Identifier: BSD-3-Clause
"""A sample of collectives on virtual nodes: what is chosen beside the best that could be."""
