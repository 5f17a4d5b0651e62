# SPDX-License-Identifier: BSD-3-Clause
"""A failure that the user can do something about: one sentence, no traceback."""

import sys


class Problem(Exception):
    """Its text is the sentence that the user reads."""


def run_main(function):
    """Calls function(), and turns a Problem or Ctrl-C into one sentence and an exit status."""
    try:
        status = function()
    except Problem as problem:
        sys.stdout.flush()
        sys.exit(f"caucus: {problem}")
    except KeyboardInterrupt:
        sys.exit("caucus: interrupted; run it again to go on where it stopped.")
    sys.exit(status or 0)
