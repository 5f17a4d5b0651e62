# SPDX-License-Identifier: BSD-3-Clause
"""Runs that take turns: of several that are alike a full run of the tests has one, and another one
on the next day. TEST_TURN=N asks for those of another day (days since 1970-01-01)."""

import os
import time
import zlib


def today():
    return int(os.environ.get("TEST_TURN") or time.time() // 86400)


def of(several, name):
    """Today's; the name sees to it that not all are at the same place."""
    return several[(today() + zlib.crc32(name.encode())) % len(several)]
