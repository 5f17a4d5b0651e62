# SPDX-License-Identifier: BSD-3-Clause
"""Functions of libcaucus.so called by name; their errors as exceptions of mpi4py's."""

from __future__ import annotations

from typing import Any

from mpi4py import MPI

from .library import load


class Error(MPI.Exception):
    """What mpi4py raises, with the error code of MPI, and the sentence of Caucus as its text: which
    argument, on which rank, and what was expected."""

    text: str

    def __new__(cls, code: int, text: str) -> Error:
        return super().__new__(cls, code)

    def __init__(self, code: int, text: str) -> None:
        super().__init__(code)
        self.text = text

    def __str__(self) -> str:
        return self.text or super().__str__()

    def __repr__(self) -> str:
        return f"Error({int(self)}, {self.text!r})"

    def __reduce__(self) -> Any:
        return Error, (int(self), self.text)


def failure(code: int) -> Error:
    """The exception for the code that a function has just returned in this thread."""
    return Error(code, load().caucus_error_text().decode(errors="replace"))


def call(function: str, *arguments: Any) -> None:
    """Arguments are instances of types of ctypes, or None for a null pointer."""
    code = getattr(load(), function)(*arguments)
    if code != MPI.SUCCESS:
        raise failure(code)
