# SPDX-License-Identifier: BSD-3-Clause
"""How a program under the drop-in ended, from the exit status of its launcher."""

from __future__ import annotations

import signal

OF_SHELLS = 128  # and the signal
SPOKEN = {
    signal.SIGILL: "illegal instruction",
    signal.SIGABRT: "aborted",
    signal.SIGBUS: "bus error",
    signal.SIGFPE: "arithmetic error",
    signal.SIGKILL: "killed, perhaps for want of memory",
    signal.SIGSEGV: "segmentation fault",
    signal.SIGTERM: "told to end",
}


def _signal(number: int) -> str:
    """signal 11 (segmentation fault)"""
    try:
        return f"signal {number} ({SPOKEN.get(signal.Signals(number)) or signal.strsignal(number)})"
    except ValueError:
        return ""


def is_signal(status: int) -> bool:
    """Whether a signal ended it, or may have: MPICH's mpiexec ends with the signal's number alone,
    which a program may return as well."""
    return bool(_signal(status - OF_SHELLS)) or status in SPOKEN


def ended(status: int) -> str:
    """ended by signal 11 (segmentation fault)"""
    if _signal(status - OF_SHELLS):
        return f"ended by {_signal(status - OF_SHELLS)}"
    words = f"ended with status {status}"
    return f"{words}, as mpiexec says {_signal(status)}" if status in SPOKEN else words


def crash(status: int) -> str:
    """What to say of a program that a signal ended before it wrote a report."""
    return (
        f"{ended(status)}: no report; to see whether it also crashes without Caucus: "
        "CAUCUS_DISABLE=all"
    )
