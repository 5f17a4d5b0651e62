# SPDX-License-Identifier: BSD-3-Clause
"""Files that commands write: an old one stays until a new one is whole."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

from .errors import Failure


def _beside(target: Path) -> bool:
    """Whether a new file may take its place. Devices, pipes and links stay what they are."""
    is_plain = target.is_file() or not target.exists()
    return is_plain and not target.is_symlink() and os.access(target.parent, os.W_OK)


def _new(target: Path) -> Path:
    """Not longer than a name may be, however long the target's is."""
    return target.parent / f".caucus-{os.getpid()}-{target.name[-50:]}"


def place(target: Path, done: Path) -> None:
    """Puts a file that is whole where it is wanted."""
    if _beside(target):
        if target.exists():
            shutil.copymode(target, done)
        os.replace(done, target)
    else:
        target.write_bytes(done.read_bytes())


def _spawned(new: Path) -> dict[str, Path]:
    """The reports that processes which the program has spawned wrote beside the new one, by what
    their names have behind its: a dot and the number of a process."""
    form = re.compile(re.escape(new.name) + r"(\.\d+)")
    found = ((form.fullmatch(path.name), path) for path in new.parent.iterdir())
    return {match.group(1): path for match, path in found if match}


def place_spawned(target: Path, new: Path) -> list[Path]:
    """Puts them beside the report, with names like its own: these. None beside a device or pipe."""
    target = Path(os.path.realpath(target))
    if target.exists() and not target.is_file():
        return []
    placed = []
    for end, path in sorted(_spawned(new).items()):
        placed.append(target.with_name(target.name + end))
        shutil.move(path, placed[-1])
    return placed


@contextlib.contextmanager
def new_file(target: Path, folder: Path) -> Iterator[Path]:
    """Where another program writes: beside the target, where all nodes can write as far as the
    user knows, else in the folder. What is not placed is taken away."""
    new = _new(target) if _beside(target) else folder / "new"
    _take_away(new)  # of a process before this one, with the same number, as containers have it
    try:
        yield new
    finally:
        _take_away(new)


def _take_away(new: Path) -> None:
    for path in (new, *_spawned(new).values()):
        path.unlink(missing_ok=True)


def nameless(path: str) -> BinaryIO:
    """A file that nobody finds, however this process ends, for what is to go to the path: on the
    same disk, if it may be, as it may be long."""
    target = Path(os.path.abspath(path))
    is_near = path != "-" and _beside(target)
    return tempfile.TemporaryFile(dir=target.parent if is_near else None)


def _fill(target: Path, whole: BinaryIO) -> None:
    with target.open("wb") as out:
        shutil.copyfileobj(whole, out)


def put(whole: BinaryIO, path: str) -> None:
    """Copies it into a file, which stays what it was where that fails; "-" is standard output."""
    target = Path(os.path.abspath(path))
    if path == "-":
        sys.stdout.flush()
        with open(1, "wb", closefd=False) as out:
            shutil.copyfileobj(whole, out)
    elif _beside(target):
        new = _new(target)
        try:
            _fill(new, whole)
            place(target, new)
        finally:
            new.unlink(missing_ok=True)
    else:
        _fill(target, whole)


@contextlib.contextmanager
def new_text(target: Path) -> Iterator[TextIO]:
    """What is written here is put into the file when it is whole. Names of files need be no text:
    a byte that is none is written as \\udcff."""
    text = io.StringIO()
    yield text
    put(io.BytesIO(text.getvalue().encode("utf-8", "backslashreplace")), str(target))


def _check_opens(path: str) -> None:
    """A pipe is not opened: its reader would take that for all that comes."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return
    with open(path, "a", encoding="utf-8"):
        pass


def check_writable(path: str, what: str) -> None:
    """Said before the work, and not after it."""
    existed = os.path.exists(path)
    real = path if existed else os.path.realpath(path)  # a link to what is not there yet stays
    try:
        _check_opens(real)
    except OSError as error:
        raise Failure(f"{what} can't be written to {path}: {error.strerror}") from None
    if not existed:
        os.unlink(real)
