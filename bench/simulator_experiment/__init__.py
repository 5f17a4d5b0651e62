# SPDX-License-Identifier: BSD-3-Clause
"""How near the simulator is to virtual nodes, and to another simulator's rules."""
