# SPDX-License-Identifier: BSD-3-Clause
"""The C and C++ libraries that a build needs."""

import platform
import tempfile
from pathlib import Path

from . import apt, pins, shell, stamp, toolchain
from .paths import DEPS
from .problem import Problem


def bring(name):
    """Makes the library `name` of pins.DEBIAN usable by the compiler."""
    entry = pins.DEBIAN[name]
    compiler = toolchain.compiler(entry["language"])
    if stamp.fresh(f"library-{name}", _state(entry, compiler)):
        return
    if not _compiles(entry, compiler):
        print(f"-- bringing {entry['package']}", flush=True)
        apt.bring([entry["package"]])
        if not _compiles(entry, compiler):
            raise Problem(
                f"{entry['package']} came, but a program cannot be built with it: "
                f"install {name} by hand and run it again."
            )
    stamp.write(f"library-{name}", _state(entry, compiler))


def _state(entry, compiler):
    unpacked = sorted(path.name for path in DEPS.glob("*.unpacked"))
    return {"entry": entry, "compiler": compiler, "unpacked": unpacked}


def folder():
    """Where unpacked shared libraries lie."""
    return DEPS / "usr" / "lib" / f"{platform.machine()}-linux-gnu"


def cmake_options():
    """What leads CMake to what was unpacked."""
    return {"CMAKE_PREFIX_PATH": str(DEPS / "usr")}


def _compiles(entry, compiler):
    with tempfile.TemporaryDirectory() as scratch:
        suffix = {"c": "c", "c++": "cpp"}[entry["language"]]
        source = Path(scratch) / f"probe.{suffix}"
        source.write_text(entry["program"])
        headers = DEPS / "usr" / "include"
        where = [f"-I{headers}", f"-I{headers / folder().name}"]
        where += [f"-L{folder()}", f"-Wl,-rpath-link,{folder()}"]
        libraries = [f"-l{library}" for library in entry["libraries"]]
        command = [*compiler, source, *where, "-o", Path(scratch) / "probe", *libraries]
        return shell.run(command, limit=120).good
