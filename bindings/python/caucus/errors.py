# SPDX-License-Identifier: BSD-3-Clause
"""What can go wrong, by whose fault it is. The text is one sentence for the user."""


class CaucusError(Exception):
    """The base of all of them; exit_status is what the command line ends with."""

    exit_status = 1


class UsageError(CaucusError):
    """What was asked for makes no sense: arguments, or a file that they name."""

    exit_status = 2


class NotApplicable(CaucusError):
    """The mapper does not serve this case."""


class Failure(CaucusError):
    """Nothing wrong with the question, but there is no answer."""
