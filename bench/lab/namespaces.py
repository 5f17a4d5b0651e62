# SPDX-License-Identifier: BSD-3-Clause
"""The few system calls of Linux that Python 3.9 lacks: namespaces, mounts, death signals."""

import ctypes
import fcntl
import os
import socket
import struct

NEW_MOUNTS = 0x00020000
NEW_HOSTNAME = 0x04000000
NEW_IPC = 0x08000000
NEW_PROCESSES = 0x20000000
NEW_NETWORK = 0x40000000
NEW_EVERYTHING = NEW_MOUNTS | NEW_HOSTNAME | NEW_IPC | NEW_PROCESSES | NEW_NETWORK

PLAIN = 2 | 4 | 8  # MS_NOSUID, MS_NODEV, MS_NOEXEC
BIND = 4096 | 16384  # MS_BIND, MS_REC
SLAVE = (1 << 19) | 16384  # MS_SLAVE, MS_REC
PR_SET_PDEATHSIG = 1
SIGKILL = 9
SIOCETHTOOL = 0x8946
ETHTOOL_SET_TSO = 0x1F
ETHTOOL_SET_GSO = 0x24

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(flags):
    """Moves the caller into new namespaces; its next child is the first process of a new process
    namespace."""
    _check(_libc.unshare(ctypes.c_int(flags)), "new namespaces are not permitted (unshare)")


def mount(source, target, kind=None, flags=0, options=None):
    words = [w.encode() if w is not None else None for w in (source, target, kind)]
    _check(
        _libc.mount(
            *words, ctypes.c_ulong(flags), options.encode() if options is not None else None
        ),
        f"mount {kind or source} at {target}",
    )


def die_with_parent():
    """The kernel kills the caller when the thread that forked it ends."""
    _check(_libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "prctl")


def own_mounts():
    """Mounts of this mount namespace are no longer seen outside; those outside still come in."""
    mount("none", "/", None, SLAVE)


def mount_own_views():
    """The caller's own /proc, /sys (hence its own cards in /sys/class/net) and /dev/shm."""
    mount("proc", "/proc", "proc", PLAIN)
    outer_groups = os.open("/sys/fs/cgroup", os.O_PATH) if os.path.isdir("/sys/fs/cgroup") else None
    mount("sysfs", "/sys", "sysfs", PLAIN)
    if outer_groups is not None:
        try:
            mount(f"/proc/self/fd/{outer_groups}", "/sys/fs/cgroup", None, BIND)
        except OSError:
            pass  # only limits of containers are read there
        os.close(outer_groups)
    if os.path.isdir("/dev/shm"):
        mount("shm", "/dev/shm", "tmpfs", 2 | 4, "mode=1777")


def send_packets_singly(card):
    """Turns segmentation in the card off: a real cable carries packets of at most the card's size,
    each with its own header, and the counters shall say so."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for command in (ETHTOOL_SET_TSO, ETHTOOL_SET_GSO):
            value = ctypes.create_string_buffer(struct.pack("II", command, 0))
            request = struct.pack("16sP16x", card.encode(), ctypes.addressof(value))
            fcntl.ioctl(control, SIOCETHTOOL, request)
