# SPDX-License-Identifier: BSD-3-Clause
"""Which MPI a program is for, read from the libraries that it needs; of a Python program from those
of its mpi4py, of a script from what it starts. Nothing is run but a Python that tells where its
mpi4py lies."""

from __future__ import annotations

import mmap
import os
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Optional

MPICH, OPENMPI, ABI = "mpich", "openmpi", "abi"  # families: within one, libraries can be exchanged
SPOKEN = {MPICH: "MPICH", OPENMPI: "Open MPI", ABI: "the standard MPI ABI"}
NAMES = (
    (re.compile(r"libmpi_abi\.so"), ABI),
    (re.compile(r"libmpi(ch\w*|cxx|fort|_\w+)?\.so\.12$|libmpich\w*\.so"), MPICH),
    (re.compile(r"libmpi(_mpifh|_usempi\w*|_cxx)?\.so(\.\d+)?$"), OPENMPI),
)
NEEDED, STRINGS, RPATH, RUNPATH, LOAD, DYNAMIC = 1, 5, 15, 29, 1, 2  # of the format ELF
SYSTEM_FOLDERS = ("/lib64", "/usr/lib64", "/lib", "/usr/lib")
MOST_SCRIPT = 65536  # bytes of a script that are looked at
PYTHON = re.compile(r"python\d*(\.\d+)*t?")  # programs that are run
# Without the working folder, which -c has first on the path of modules.
WHERE_MPI4PY = (
    "import sys; sys.path = [p for p in sys.path if p]; "
    "import importlib.util as u; s = u.find_spec('mpi4py'); "
    "print(*s.submodule_search_locations if s else '', sep='\\n')"
)
# Of the few functions that may be called before MPI_Init.
ASK_VERSION = (
    "import ctypes as c, sys; t = c.create_string_buffer(65536); "
    "c.CDLL(sys.argv[1], c.RTLD_GLOBAL).MPI_Get_library_version(t, c.byref(c.c_int())); "
    "print(t.value.decode(errors='replace'))"
)


class Linked(NamedTuple):
    family: str
    library: str  # libmpi.so.40
    path: Optional[Path]  # where the loader finds it
    needed_by: Path

    @property
    def spoken(self) -> str:
        """Open MPI (/usr/lib/libmpi.so.40)"""
        return f"{SPOKEN[self.family]} ({self.path or self.library})"


class Object(NamedTuple):
    """What a file in the format ELF says of its libraries."""

    needed: list[str]
    rpath: list[str]
    runpath: list[str]


def _dynamic(data: bytes) -> Iterator[tuple[int, int]]:
    """The entries of the dynamic section, addresses turned into places in the file."""
    order = "<" if data[5] == 1 else ">"
    wide = data[4] == 2
    at, size, count = (
        (struct.unpack_from(order + "Q", data, 32)[0], *struct.unpack_from(order + "HH", data, 54))
        if wide
        else (
            struct.unpack_from(order + "I", data, 28)[0],
            *struct.unpack_from(order + "HH", data, 42),
        )
    )
    segments = []  # type, place, address, length
    for number in range(count):
        fields = struct.unpack_from(
            order + ("IIQQQQ" if wide else "IIIII"), data, at + number * size
        )
        kind, place, address, length = (
            (fields[0], fields[2], fields[3], fields[5]) if wide else (*fields[:3], fields[4])
        )
        segments.append((kind, place, address, length))
    step = 16 if wide else 8
    for kind, place, _, length in segments:
        for entry in range(place, place + length if kind == DYNAMIC else place, step):
            tag, value = struct.unpack_from(order + ("qQ" if wide else "iI"), data, entry)
            if tag == STRINGS:
                inside = (s for s in segments if s[0] == LOAD and s[2] <= value < s[2] + s[3])
                value += next((s[1] - s[2] for s in inside), 0)
            yield tag, value


def read(path: Path) -> Optional[Object]:
    """None if it is no such file, or a damaged one."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            if data[:4] != b"\x7fELF":
                return None
            entries = list(_dynamic(data))
            strings = next((value for tag, value in entries if tag == STRINGS), 0)

            def text(wanted: int) -> list[str]:
                places = [strings + value for tag, value in entries if tag == wanted]
                return [os.fsdecode(data[at : data.find(b"\0", at)]) for at in places]

            origin = str(path.resolve().parent)

            def folders(wanted: int) -> list[str]:
                words = ":".join(text(wanted)).replace("${ORIGIN}", origin)
                return [word for word in words.replace("$ORIGIN", origin).split(":") if word]

            return Object(text(NEEDED), folders(RPATH), folders(RUNPATH))
    except (OSError, ValueError, IndexError, OverflowError, struct.error):
        return None


def _cached(name: str) -> list[str]:
    """Where the system's cache has a library: its paths are plain text in there."""
    try:
        cache = Path("/etc/ld.so.cache").read_bytes()
    except OSError:
        return []
    found = re.findall(rb"\0(/[^\0]*/" + re.escape(os.fsencode(name)) + rb")(?=\0)", cache)
    return [os.fsdecode(path) for path in found]


def _find(name: str, wanted_by: Object, env: Mapping[str, str]) -> Optional[Path]:
    """As the loader looks for a library."""
    if "/" in name:
        return Path(name)
    first = [] if wanted_by.runpath else wanted_by.rpath
    folders = [*first, *env.get("LD_LIBRARY_PATH", "").split(":"), *wanted_by.runpath]
    paths = [os.path.join(folder, name) for folder in folders if folder]
    paths += _cached(name) + [os.path.join(folder, name) for folder in SYSTEM_FOLDERS]
    return next((Path(path) for path in paths if os.path.exists(path)), None)


def _holds(path: Path, words: bytes) -> bool:
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return data.find(words) >= 0
    except (OSError, ValueError):  # an empty file can't be mapped
        return False


def _family(name: str, path: Optional[Path]) -> Optional[str]:
    """By its name; old ones of Open MPI are called as those of MPICH."""
    family = next((family for form, family in NAMES if form.match(name)), None)
    return OPENMPI if family == MPICH and path and _holds(path, b"Open MPI v") else family


def of_file(path: Path, env: Mapping[str, str]) -> Optional[Linked]:
    """The MPI that a program or library is linked with, itself or through its libraries."""
    waiting, seen = [path], {path}
    while waiting:
        file = waiting.pop(0)
        found = read(file)
        for name in found.needed if found else []:
            library = _find(name, found, env)
            family = _family(name, library)
            if family:
                return Linked(family, name, library, path)
            if library and library not in seen:
                seen.add(library)
                waiting.append(library)
    return None


def has_none(path: Path, env: Mapping[str, str]) -> bool:
    """Whether a program is linked with libraries none of which is an MPI. A script, or what is
    linked statically, can't be seen into."""
    found = read(path)
    return bool(found and found.needed and not of_file(path, env))


def version(library: Path) -> str:
    """What an MPI says of itself, like 'MPICH 4.0.2'; empty if it does not."""
    try:
        said = subprocess.run(
            [sys.executable, "-I", "-c", ASK_VERSION, library],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=30,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
    words = said.partition("\n")[0].partition(",")[0].replace(" Version:", "")
    return re.sub(r" v(?=\d)", " ", " ".join(words.split()))


def _is_python(file: str) -> bool:
    return bool(PYTHON.fullmatch(os.path.basename(file)))


def _of_python(python: str, env: Mapping[str, str]) -> list[Linked]:
    """A package of mpi4py may have a module for each MPI."""
    try:
        said = subprocess.run(
            [python, "-c", WHERE_MPI4PY],
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=30,
            env=dict(env),
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return []
    modules = [file for line in said.split("\n") if line for file in Path(line).glob("MPI*.so")]
    found = (of_file(module, env) for module in sorted(modules))
    return [linked for linked in found if linked]


def _of_script(path: Path, env: Mapping[str, str]) -> list[Linked]:
    """Of a script for Python that of its Python; of another one that of the first program with an
    MPI that it names."""
    try:
        text = path.read_bytes()[:MOST_SCRIPT].decode(errors="replace")
    except OSError:
        return []
    if not text.startswith("#!"):
        return []
    head, _, body = text.partition("\n")
    interpreter = [word for word in head[2:].split() if not word.startswith("-")]
    if os.path.basename(interpreter[0] if interpreter else "") == "env":
        interpreter = interpreter[1:]
    if not interpreter:
        return []
    if _is_python(interpreter[0]):
        return _of_python(interpreter[0], env)
    lines = (line.partition("#")[0] for line in body.split("\n"))
    words = (word.strip("'\"`;()") for line in lines for word in line.split())
    return _first(words, env, path)


def _first(words: Iterator[str], env: Mapping[str, str], inside: Optional[Path]) -> list[Linked]:
    for word in words:
        file = shutil.which(word) if word else None
        if not file or (inside and os.path.realpath(file) == os.path.realpath(inside)):
            continue
        found = _of_word(file, env, inside is None)
        if found:
            return found
    return []


def _of_word(file: str, env: Mapping[str, str], scripts: bool) -> list[Linked]:
    if _is_python(file):
        return _of_python(file, env)
    linked = of_file(Path(file), env)
    if linked:
        return [linked]
    return _of_script(Path(file), env) if scripts else []


def of_program(words: Sequence[str], env: Mapping[str, str]) -> list[Linked]:
    """What the first of the words that is a program with an MPI is linked with: './solver', and
    also 'numactl -m 0 ./solver' or 'python solver.py'. Several for a Python whose mpi4py serves
    several; none where it can't be told."""
    return _first(iter(words), env, None)
