# SPDX-License-Identifier: BSD-3-Clause
"""What is opened and closed by all ranks, in a with statement."""

from __future__ import annotations

from types import TracebackType
from typing import Optional, TypeVar

Opened = TypeVar("Opened", bound="Closing")


class Closing:
    """Has a close."""

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self: Opened) -> Opened:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        problem: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        """Closing is by all ranks, and an exception may be on this one alone."""
        if problem is None:
            self.close()
