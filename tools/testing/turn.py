# SPDX-License-Identifier: BSD-3-Clause
"""Runs that take turns: of several that are alike a full run of the tests has one, and another one
on the next day. TEST_TURN=N asks for those of another day (days since 1970-01-01)."""

import os
import time
import zlib

ALTERNATE = 2  # days, of what takes turns with another one


def today():
    return int(os.environ.get("TEST_TURN") or time.time() // 86400)


def any_day(name):
    """A name in which today's number, a seed, does not tell the days apart."""
    return name.replace(str(today()), "{day}")


def has(name, times, days=1):
    """Whether it is the turn of something that comes every so many times, each of them so many days
    after the other."""
    return (today() // days + zlib.crc32(name.encode())) % times == 0


def of(several, name, days=1):
    """That of today, where the next one comes so many days later; the name sees to it that not all
    are at the same place."""
    return several[(today() // days + zlib.crc32(name.encode())) % len(several)]
