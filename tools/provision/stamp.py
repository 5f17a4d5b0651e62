# SPDX-License-Identifier: BSD-3-Clause
"""Stamps remember what was brought, so that the next run starts at once."""

import contextlib
import fcntl
import json

from .paths import CACHE
from .problem import Problem

STAMPS = CACHE / "stamps"


def fresh(name, contents):
    """Whether the stamp `name` was written with just these contents."""
    return read(name) == contents


def read(name):
    """What the stamp `name` says; nothing if there is none."""
    try:
        return json.loads((STAMPS / f"{name}.json").read_text())
    except (OSError, ValueError):
        return {}


def write(name, contents):
    STAMPS.mkdir(parents=True, exist_ok=True)
    (STAMPS / f"{name}.json").write_text(json.dumps(contents, indent=1) + "\n")


@contextlib.contextmanager
def one_at_a_time():
    """Two runs of make in one tree must not install into the same folder at once."""
    try:
        CACHE.mkdir(exist_ok=True)
        lock = open(CACHE / "setup.lock", "w")
    except OSError as error:
        raise Problem(
            f"{CACHE} cannot be written ({error.strerror}): use a tree of your own."
        ) from None
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
