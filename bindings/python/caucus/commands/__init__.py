# SPDX-License-Identifier: BSD-3-Clause
"""One module per command: NAME, HELP, DESCRIPTION, add_arguments(parser), run(options)."""

from . import bench, check, dims, info, map, report, run, schedule, tune

COMMANDS = (map, dims, run, report, schedule, tune, bench, check, info)
