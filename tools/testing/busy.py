# SPDX-License-Identifier: BSD-3-Clause
"""Other work on the machine, for runs that must end in spite of it."""

import subprocess
import sys


class Busy:
    """Two processes that do nothing but use the processor, if they are wanted."""

    def __init__(self, wanted):
        self.loops = []
        self.wanted = wanted

    def __enter__(self):
        for _ in range(2 if self.wanted else 0):
            self.loops.append(subprocess.Popen([sys.executable, "-c", "while True: pass"]))

    def __exit__(self, *_):
        for loop in self.loops:
            loop.kill()
            loop.wait()
