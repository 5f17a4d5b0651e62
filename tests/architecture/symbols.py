# SPDX-License-Identifier: BSD-3-Clause
"""The symbols of a shared library, as binutils' nm tells them."""

import re
import subprocess


def of(library):
    """(defined, undefined) dynamic symbols, without versions."""
    said = subprocess.run(["nm", "-D", library], capture_output=True, text=True, check=True)
    defined, undefined = set(), set()
    for line in said.stdout.splitlines():
        kind, name = line.split()[-2:]
        if kind == "A":  # a version, not a name that anybody can use
            continue
        (undefined if kind in "Uwv" else defined).add(name.split("@")[0])
    return defined, undefined


def inside(file):
    """(defined for others, all) names in a library or an archive, hidden ones among all."""
    said = subprocess.run(["nm", file], capture_output=True, text=True, check=True)
    words = [line.split() for line in said.stdout.splitlines()]
    names = [(word[-2], word[-1]) for word in words if len(word) > 1]
    shown = {name for kind, name in names if kind.isupper() and kind != "U"}
    return shown, {name for _, name in names}


# What some linkers put into every library.
OF_THE_LINKER = {"__bss_start", "_edata", "_end", "_init", "_fini"}
# And the address sanitizer, a mark for each variable; of a build for fuzzing, places of counters.
OF_SANITIZERS = r"__odr_asan\.|__(start|stop)___sancov_"


def foreign(defined, pattern):
    """Names that a library must not give to the program it is loaded into."""
    allowed = f"{pattern}|{OF_SANITIZERS}"
    return sorted(name for name in defined - OF_THE_LINKER if not re.match(allowed, name))


def of_mpi(names):
    return sorted(name for name in names if re.match(r"P?MPIX?_", name))
