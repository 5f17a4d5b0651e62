# SPDX-License-Identifier: BSD-3-Clause
"""Ends processes of a lab, and only these: by a tag in their environment, or by the keeper."""

import os
import signal
import time


def _tagged(tag):
    """Processes that carry the tag of one launch, or whose parents did when they were started."""
    word = f"LAB_TAG={tag}".encode()
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if word in file.read().split(b"\0"):
                    found.append(int(name))
        except OSError:
            pass  # ended meanwhile
    return found


def kill_tagged(tag):
    """Kills them until none is left; those that start more meanwhile are met in the next turn."""
    for _ in range(50):
        found = _tagged(tag)
        if not found:
            return
        for process in found:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.01)


def end(keeper, seconds=10):
    """Asks a keeper that is not our child to end its lab, and waits until it has."""
    try:
        os.kill(keeper, signal.SIGTERM)
        for _ in range(int(seconds / 0.02)):
            time.sleep(0.02)
            os.kill(keeper, 0)
        os.kill(keeper, signal.SIGKILL)
    except ProcessLookupError:
        pass
