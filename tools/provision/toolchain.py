# SPDX-License-Identifier: BSD-3-Clause
"""Compilers, CMake and Ninja."""

import os
import re
import shlex
import shutil

from . import apt, pins, python, shell
from .paths import DEPS, VENV
from .problem import Problem

VARIABLE = {"c": "CC", "c++": "CXX"}
COMMANDS = {"c": ("cc", "gcc", "clang"), "c++": ("c++", "g++", "clang++")}


def compiler(language):
    """The compiler as a list of words; a C++ compiler is brought, a C compiler must be there."""
    chosen = os.environ.get(VARIABLE[language])
    if chosen:
        words = shlex.split(chosen)
        if not shutil.which(words[0]):
            raise Problem(
                f"{VARIABLE[language]}={chosen} is not there: set it to a compiler, or unset it."
            )
        return words
    for command in COMMANDS[language]:
        if shutil.which(command):
            return [shutil.which(command)]
    if language == "c":
        raise Problem(
            "there is no C compiler: install gcc (on Debian: apt-get install build-essential)."
        )
    return _bring_cxx()


def _bring_cxx():
    """The tests of plans need C++, which a machine that only builds the library may lack."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        apt.install(["g++"])
        return [shutil.which("g++")]
    unpacked = _unpacked_cxx()
    if not unpacked:
        print("-- bringing g++", flush=True)
        apt.unpack(["g++"])
        unpacked = _unpacked_cxx()
    if not unpacked:
        raise Problem(
            "there is no C++ compiler, which the tests need: install g++ and run it again."
        )
    return unpacked


def _unpacked_cxx():
    """An unpacked g++ finds itself, but start files and libgcc are those of the machine's gcc."""
    found = sorted(path for path in (DEPS / "usr" / "bin").glob("g++-*"))
    if not found:
        return None
    version = found[-1].name.split("-")[1]
    folders = list((DEPS / "usr" / "lib" / "gcc").glob(f"*/{version}"))
    words = [str(found[-1])]
    for folder in folders:
        words += [
            f"-B/usr/lib/gcc/{folder.parent.name}/{version}",
            f"-L/usr/lib/gcc/{folder.parent.name}/{version}",
        ]
    return words


def clang():
    """clang with libFuzzer, for fuzzing: the machine's, or Debian's."""
    if not _has_fuzzer():
        apt.bring(pins.CLANG)
    if not _has_fuzzer():
        raise Problem("clang came, but has no libFuzzer: install clang and its compiler-rt.")
    return shutil.which("clang")


def _has_fuzzer():
    found = shutil.which("clang")
    if not found:
        return False
    asked = [found, "--print-file-name=libclang_rt.fuzzer-x86_64.a"]
    return shell.run(asked).output.strip().startswith("/")


def cmake():
    """A CMake that is new enough: the machine's, or the one of the package index."""
    for command in (shutil.which("cmake"), VENV / "bin" / "cmake"):
        if command and _cmake_version(command) >= pins.CMAKE_FLOOR:
            return str(command)
    return str(_from_index(pins.CMAKE))


def _cmake_version(command):
    found = re.search(r"cmake version (\d+)\.(\d+)", shell.run([command, "--version"]).output)
    return tuple(int(part) for part in found.groups()) if found else (0, 0)


def ninja():
    for command in (shutil.which("ninja"), VENV / "bin" / "ninja"):
        if command and shell.run([command, "--version"]).good:
            return str(command)
    return str(_from_index(pins.NINJA))


def _from_index(pin):
    name, _, version = pin.partition("==")
    print(f"-- bringing {name} {version}", flush=True)
    python.bring_pip()
    shell.fetch(name, python.pip("install", pin), f"install {name} by hand, or {python.NETWORK}")
    command = VENV / "bin" / name
    if version not in shell.run([command, "--version"]).output:
        raise Problem(f"{command} is not version {version}: remove {VENV} and run it again.")
    return command
