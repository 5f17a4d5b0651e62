# SPDX-License-Identifier: BSD-3-Clause
"""The list of labs: one file each, locked by the lab's keeper for as long as it lives."""

import fcntl
import json
import os
import stat

from .errors import LabError


def directory():
    """Where the files lie; LAB_REGISTRY moves it."""
    path = os.environ.get("LAB_REGISTRY", "/run/caucus-lab")
    os.makedirs(path, mode=0o755, exist_ok=True)
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise LabError(f"{path} is not a directory of this user; set LAB_REGISTRY to one that is")
    return path


def enter(name):
    """Called by the keeper: makes and locks the lab's file; returns its descriptor."""
    path = os.path.join(directory(), name + ".json")
    for _ in range(100):
        entry = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        fcntl.flock(entry, fcntl.LOCK_EX)
        if os.fstat(entry).st_nlink > 0:  # nobody took it for a leftover before it was locked
            return entry
        os.close(entry)
    raise LabError(f"the list of labs in {directory()} does not take a new entry")


def _alive(entry):
    try:
        fcntl.flock(entry, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def labs(clean=False):
    """Descriptions of the living labs, and names of the dead ones, whose entries go if asked."""
    living, dead = [], []
    folder = directory()
    for file in sorted(os.listdir(folder)):
        if not file.endswith(".json"):
            continue
        path = os.path.join(folder, file)
        try:
            entry = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        try:
            name = file[: -len(".json")]
            if _alive(entry):
                text = os.read(entry, 1 << 22).decode()
                living.append(json.loads(text) if text else {"name": name, "nodes": []})
            else:
                dead.append(name)
                if clean:
                    os.unlink(path)
        except FileNotFoundError:
            pass
        finally:
            os.close(entry)
    return living, dead


def find(name=None):
    """The living lab of that name, or the only one there is."""
    living = [lab for lab in labs()[0] if lab["nodes"]]
    if name is not None:
        living = [lab for lab in living if lab["name"] == name]
    if len(living) == 1:
        return living[0]
    if name is not None:
        raise LabError(f"there is no lab called {name}: `lab status` lists those that are up")
    if not living:
        raise LabError("no lab is up: `lab up --nodes 8` brings one up")
    raise LabError("several labs are up, name one: " + ", ".join(lab["name"] for lab in living))
