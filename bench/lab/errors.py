# SPDX-License-Identifier: BSD-3-Clause
"""What can go wrong in a lab; every text is one that a user can act on."""


class LabError(RuntimeError):
    """The lab could not do what it was asked to."""


class LabTimeout(LabError):
    """A program ran longer than it may; its output up to then is in `stdout` and `stderr`."""

    def __init__(self, text, stdout="", stderr=""):
        super().__init__(text)
        self.stdout = stdout
        self.stderr = stderr


class NothingCrossed(LabError):
    """The cards did not carry the traffic that was expected of them."""
