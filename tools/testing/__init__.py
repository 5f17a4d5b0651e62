# SPDX-License-Identifier: BSD-3-Clause
"""What `make test` runs, one kind of test a file."""
