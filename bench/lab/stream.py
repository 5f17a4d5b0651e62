# SPDX-License-Identifier: BSD-3-Clause
"""A bare TCP stream between two nodes: the bytes and seconds that no MPI can beat.

Run as a script it is one end of the stream: `stream.py take ADDRESS SIZE`, `stream.py give …`.
"""

import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

PORT = 7077
PIECE = 1 << 18


@dataclass(frozen=True)
class Stream:
    """`sent_bytes` and `received_bytes` are what passed the cards of the sender and the receiver,
    headers included; `seconds` runs from the first byte given to the last byte taken."""

    size: int
    seconds: float
    sent_bytes: int
    received_bytes: int

    @property
    def bytes_per_byte(self):
        return self.sent_bytes / self.size

    @property
    def bits_per_second(self):
        return self.size * 8 / self.seconds


def _give(connection, size):
    piece = memoryview(bytes(PIECE))
    while size > 0:
        size -= connection.send(piece[: min(size, PIECE)])


def _take(connection, size):
    piece = bytearray(PIECE)
    while size > 0:
        got = connection.recv_into(piece, min(size, PIECE))
        if got == 0:
            raise SystemExit("the other end of the stream went away")
        size -= got


def _connect(address):
    for _ in range(500):
        try:
            return socket.create_connection((address, PORT), timeout=60)
        except ConnectionRefusedError:
            time.sleep(0.01)
    raise SystemExit(f"nobody takes the stream at {address}")


def _end(role, address, size, both_ways):
    if role == "take":
        with socket.create_server((address, PORT)) as server:
            connection = server.accept()[0]
    else:
        connection = _connect(address)
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        begun = time.monotonic()
        first, second = (_take, _give) if role == "take" else (_give, _take)
        other = threading.Thread(target=second, args=(connection, size))
        if both_ways:
            other.start()
        first(connection, size)
        if both_ways:
            other.join()
        if role == "take":
            connection.send(b".")
        else:
            _take(connection, 1)
    print(time.monotonic() - begun)


def measure(lab, size, source, target, both_ways, timeout):
    """Lets one node stream to another; see Lab.stream."""
    from . import processes
    from .errors import LabError, LabTimeout

    if not (0 <= source < lab.nodes and 0 <= target < lab.nodes) or source == target or size < 1:
        raise LabError(f"no stream of {size} bytes from node {source} to node {target}")
    address = lab.description["addresses"][target]
    words = [address, str(size), "both" if both_ways else "one"]
    script = [sys.executable, os.path.abspath(__file__)]
    tag = secrets.token_hex(8)
    before = lab.counters()
    ends = []
    deadline = time.monotonic() + timeout
    try:
        for role, node in (("take", target), ("give", source)):
            pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
            ends.append(lab.start(script + [role] + words, node=node, tag=tag, **pipes))
        told = [end.communicate(timeout=max(0.1, deadline - time.monotonic())) for end in ends]
    except subprocess.TimeoutExpired:
        raise LabTimeout(f"a stream of {size} bytes did not end within {timeout} s") from None
    finally:
        processes.kill_tagged(tag)
    if any(end.returncode for end in ends):
        raise LabError("the TCP stream failed: " + " ".join(error.strip() for _, error in told))
    used = [after - first for after, first in zip(lab.counters(), before)]
    seconds = float(told[1][0])
    return Stream(size, seconds, used[source].sent_bytes, used[target].received_bytes)


if __name__ == "__main__":
    _end(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "both")
