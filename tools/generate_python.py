# SPDX-License-Identifier: BSD-3-Clause
"""Writes the collectives of the Python package, all forms of all of them, with types:

python3 tools/generate_python.py > bindings/python/caucus/mpi/collectives.py
"""

from generate_collectives import COLLECTIVES, FORMS, names_over

HEAD = '''\
# SPDX-License-Identifier: BSD-3-Clause
# Made by tools/generate_python.py, of the table in tools/generate_collectives.py.
"""All of MPI's collectives on buffers, with the names, arguments and defaults of mpi4py's methods.

The first argument is a communicator of mpi4py or a Group of Caucus, which has all but those of
neighbourhoods as methods too. Names that begin with I return a request that is active, names
that end with _init one that is set up once and started as often as one likes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional, Union

from mpi4py import MPI
from mpi4py.typing import BufSpec, BufSpecB, BufSpecV, BufSpecW, InPlace

from .calls import Given, Over, Shape, blocking, nonblocking, persistent
from .requests import PersistentRequest, Request
'''
BUFFERS = {
    "one": "BufSpec",
    "each": "BufSpecB",
    "varying": "BufSpecV",
    "typed": "BufSpecW",
    "total": "BufSpec",
    "own": "BufSpec",
}
RESULTS = {"blocking": "None", "nonblocking": "Request[None]", "persistent": "PersistentRequest"}
SAYS = {
    "blocking": "",
    "nonblocking": "\n\n    Nonblocking: buffers must not be touched until the request completes.",
    "persistent": "\n\n    Persistent: set up by all ranks together, for any number of starts.",
}


def function_of(name, form):
    if form == "nonblocking":
        return f"I{name}"
    return name.capitalize() + ("_init" if form == "persistent" else "")


def buffer(name, side):
    """The type of a buffer."""
    collective = COLLECTIVES[name]
    kind, _, where = getattr(collective, side).partition("-")
    kinds = [BUFFERS[kind], *(["None"] if where else [])]
    kinds += ["InPlace"] if collective.in_place == side else []
    return f"Union[{', '.join(kinds)}]" if len(kinds) > 1 else kinds[0]


def parameters(name, form):
    collective = COLLECTIVES[name]
    words = collective.parameters.split()
    found = []
    if collective.receive and not collective.send:
        found.append(("buf", f"buf: {buffer(name, 'receive')}"))
    if collective.send:
        found.append(("sendbuf", f"sendbuf: {buffer(name, 'send')}"))
        found.append(("recvbuf", f"recvbuf: {buffer(name, 'receive')}"))
    if name == "reduce_scatter":
        found.append(("recvcounts", "recvcounts: Optional[Sequence[int]] = None"))
    if "op" in words:
        found.append(("op", "op: MPI.Op = MPI.SUM"))
    if "root" in words:
        found.append(("root", "root: int = 0"))
    return found


def function(name, form):
    found = parameters(name, form)
    declared = ["over: Over", *(text for _, text in found)]
    declared += ["info: MPI.Info = MPI.INFO_NULL"] if form == "persistent" else []
    given = [f"{'recvbuf' if word == 'buf' else word}={word}" for word, _ in found]
    words = [name.upper(), "over", "given", *(["info"] if form == "persistent" else [])]
    head = f"def {function_of(name, form)}({', '.join(declared)}) -> {RESULTS[form]}:"
    if len(head) > 100:
        lines = "".join(f"    {word},\n" for word in declared)
        head = f"def {function_of(name, form)}(\n{lines}) -> {RESULTS[form]}:"
    text = COLLECTIVES[name].what + SAYS[form] + ("\n    " if SAYS[form] else "")
    back = "" if form == "blocking" else "return "
    body = f"    given = Given({', '.join(given)})\n    {back}{form}({', '.join(words)})\n"
    return f'{head}\n    """{text}"""\n{body}'


def shape(name):
    collective = COLLECTIVES[name]
    words = [collective.parameters, collective.send, collective.receive, collective.in_place]
    line = f"{name.upper()} = Shape({', '.join(repr_of(word) for word in [name, *words])})"
    if len(line) <= 100:
        return line
    lines = "".join(f"    {repr_of(word)},\n" for word in [name, *words])
    return f"{name.upper()} = Shape(\n{lines})"


def repr_of(word):
    return f'"{word}"'


def mixin():
    lines = ["class OnGroups:", '    """The collectives as methods of a group."""\n']
    for name in names_over("group"):
        for form in FORMS:
            lines.append(f"    {function_of(name, form)} = {function_of(name, form)}")
    return "\n".join(lines) + "\n"


def main():
    names = [function_of(name, form) for name in COLLECTIVES for form in FORMS]
    listed = "__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(names)) + "]\n"
    parts = [HEAD, listed, "\n".join(shape(name) for name in COLLECTIVES) + "\n\n"]
    parts += [function(name, form) + "\n" for name in COLLECTIVES for form in FORMS]
    print("\n".join([*parts, mixin()]), end="")


if __name__ == "__main__":
    main()
