# SPDX-License-Identifier: BSD-3-Clause
"""What is made of the figures of bench/create_group.py."""
