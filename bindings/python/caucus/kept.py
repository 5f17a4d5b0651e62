# SPDX-License-Identifier: BSD-3-Clause
"""The file that caucus run --report names: an old report stays until a new one is whole."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


def _beside(target: Path) -> bool:
    """Whether a new file may take its place. Devices, pipes and links stay what they are."""
    is_plain = target.is_file() or not target.exists()
    return is_plain and not target.is_symlink() and os.access(target.parent, os.W_OK)


def place(target: Path, done: Path) -> None:
    """Puts a report that is whole where it is wanted."""
    if _beside(target):
        os.replace(done, target)
    else:
        target.write_bytes(done.read_bytes())


@contextlib.contextmanager
def new_report(target: Path, folder: Path) -> Iterator[Path]:
    """Where the drop-in writes: beside the target, where all nodes can write as far as the user
    knows, else in the folder. What is not placed is taken away."""
    new = target.parent / f".caucus-{os.getpid()}-{target.name}"
    new = new if _beside(target) else folder / "report.json"
    try:
        yield new
    finally:
        with contextlib.suppress(FileNotFoundError):
            new.unlink()
