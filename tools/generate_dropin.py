# SPDX-License-Identifier: BSD-3-Clause
"""Writes the collectives under MPI's own names, from the table of tools/generate_collectives.py.
What the MPI lacks is left out: programs look for names to learn what there is.

python3 tools/generate_dropin.py FOLDER LIBRARY...    looks into MPI's libraries, writes into FOLDER
    dropin_entries.c    MPI_Allreduce_init and the others; knows nothing of mpi.h, as entry.c
    dropin_calls.h      what the entries call
    dropin_calls.c      hands the call to caucus_allreduce_init, with its types
    dropin_passages.c   the others that may wait (tools/generate_passages.py)
"""

import argparse
import re
import subprocess
from pathlib import Path

import generate_passages
from generate_collectives import COLLECTIVES, SPDX, declare, function_of, parameters_of, versions
from generate_passages import registers, wrap
from mpi_functions import mpi_name

NOTE = "/* Made by tools/generate_dropin.py. */\n"


def taken_over(names):
    """(name, form, large) of all that the MPI has; names are those of its libraries."""
    found = [(name, *version) for name in COLLECTIVES for version in versions(name)]
    return [function for function in found if mpi_name(*function) in names]


def shared_objects(library):
    """The library itself, or those that it stands for if it is a script of the linker's."""
    path = Path(library)
    with path.open("rb") as file:
        if file.read(4) == b"\x7fELF":
            return [path]
    script = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    inputs = re.findall(r"(?:INPUT|GROUP)\s*\(([^)]*)\)", script)
    return [path.parent / word for text in inputs for word in text.split() if "." in word]


def names_in(libraries):
    """The functions of MPI's libraries, by MPI's names."""
    names = set()
    for path in [found for library in libraries for found in shared_objects(library)]:
        command = ["nm", "-D", "--defined-only", path]
        said = subprocess.run(command, capture_output=True, text=True)
        words = [line.split()[-1].split("@")[0] for line in said.stdout.splitlines() if line]
        names.update(word[1:] for word in words if word.startswith("PMPI_"))
    if not names:
        raise SystemExit(f"no functions of MPI are in {', '.join(libraries)}")
    return names


def forwarded(name, form, large):
    return function_of(name, form, large).replace("caucus_", "caucus_forward_", 1)


def call_of(name, form, large):
    kind = f"CAUCUS_{name.upper()}, CAUCUS_FORM_{form.upper()}, {'true' if large else 'false'}"
    return f"caucus_call_of({kind})"


def way_function(name, form, large):
    return forwarded(name, form, large) + "_enter"


def entry(name, form, large):
    words = parameters_of(name, form)
    function = mpi_name(name, form, large)
    given = ", ".join(words)
    lines = [wrap(f"int {function}({registers(words)}) {{", " " * 8)]
    way = f"way = {way_function(name, form, large)}(comm);"
    lines.append(wrap(f"    int code = CAUCUS_FORWARD_LEFT, {way}", " " * 8))
    lines.append("    if (way == CAUCUS_FORWARD_OURS) {")
    lines.append(wrap(f"        code = {forwarded(name, form, large)}({given});", " " * 12))
    if form == "blocking":
        other = mpi_name(name, "nonblocking", large)
        lines.append(f"    }} else if (way == CAUCUS_FORWARD_NONBLOCKING && P{other}) {{")
        lines.append("        intptr_t request = caucus_forward_no_request();")
        lines.append(wrap(f"        code = P{other}({given}, (intptr_t)&request);", " " * 12))
        lines.append("        code = caucus_forward_finish(code, &request);")
    lines.append("    }")
    lines.append(f"    if (code == CAUCUS_FORWARD_LEFT && P{function}) {{")
    lines.append(wrap(f"        code = P{function}({given});", " " * 12))
    lines.append("    } else if (code == CAUCUS_FORWARD_LEFT) {")
    lines.append(f'        code = caucus_forward_missing("{function}", comm);')
    lines.append("    }\n    caucus_forward_leave();\n    return code;\n}\n")
    return "\n".join(lines)


def entries(functions):
    lines = [SPDX + NOTE + '#include "dropin/forward.h"\n#include "dropin_calls.h"\n']
    lines.append("/* The MPI that a program runs on may be older than the one at hand. */")
    for function in functions:
        words = registers(parameters_of(*function[:2]))
        lines.append(wrap(f"int P{mpi_name(*function)}({words}) __attribute__((weak));", " " * 4))
    lines.append("")
    lines += [entry(*function) for function in functions]
    return "\n".join(lines)


def header(functions, names):
    lines = [SPDX + NOTE + "#ifndef CAUCUS_DROPIN_CALLS_H\n#define CAUCUS_DROPIN_CALLS_H\n"]
    lines.append("#include <stdint.h>\n")
    for word, name in (
        ("LARGE_MESSAGES", "MPI_Send_c"),
        ("STATUS_OF_MANY", "MPI_Request_get_status_all"),
        ("SESSIONS", "MPI_Session_init"),
    ):
        lines.append(f"#define CAUCUS_DROPIN_HAS_{word} {int(name in names)}")
    lines.append("")
    for function in functions:
        lines.append(f"int {way_function(*function)}(intptr_t comm);")
        words = registers(parameters_of(*function[:2]))
        lines.append(wrap(f"int {forwarded(*function)}({words});", " " * 4))
    return "\n".join([*lines, "\n#endif"]) + "\n"


def cast(name, word, large):
    """The argument in its own type."""
    declared = declare(name, word, large)
    if declared.endswith("[]"):
        kind = declared[: -len(word) - 2].strip() + " *"
    else:
        kind = declared[: -len(word)].strip()
    return f"({kind}){word}"


def calls(functions):
    lines = [SPDX + NOTE + '#include "dropin_calls.h"\n']
    lines.append('#include "api/interposition/proxies.h"\n#include "dropin/forward_calls.h"\n')
    lines.append("#include <caucus/collective.h>\n\n#include <stddef.h>\n")
    for name, form, large in functions:
        words = parameters_of(name, form)
        lines.append(f"int {way_function(name, form, large)}(intptr_t comm) {{")
        enter = f"caucus_forward_enter({call_of(name, form, large)}, (MPI_Comm)comm)"
        lines.append(wrap(f"    return {enter};", " " * 8) + "\n}\n")
        lines.append(wrap(f"int {forwarded(name, form, large)}({registers(words)}) {{", " " * 8))
        lines += body(name, form, large, words)
        lines.append("}\n")
    return "\n".join(lines)


def body(name, form, large, words):
    given = [cast(name, word, large) for word in words if word != "request"]
    function = function_of(name, form, large)
    if form == "blocking":
        return [wrap(f"    return {function}({', '.join(given)});", " " * 8)]
    given.append("place")
    begin = "caucus_taken_begin(call, (MPI_Comm)comm, (const void *)request, &proxy)"
    return [
        "    struct caucus_proxy *proxy;",
        wrap(f"    enum caucus_call call = {call_of(name, form, large)};", " " * 8),
        wrap(f"    caucus_request *place = {begin};", " " * 8),
        wrap(f"    int code = {function}({', '.join(given)});", " " * 8),
        "    return caucus_taken_end(call, proxy, code, (MPI_Comm)comm, (MPI_Request *)request);",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("libraries", nargs="+")
    chosen = parser.parse_args()
    names = names_in(chosen.libraries)
    functions = taken_over(names)
    (chosen.folder / "dropin_entries.c").write_text(entries(functions))
    (chosen.folder / "dropin_calls.h").write_text(header(functions, names))
    (chosen.folder / "dropin_calls.c").write_text(calls(functions))
    (chosen.folder / "dropin_passages.c").write_text(SPDX + NOTE + generate_passages.text(names))


if __name__ == "__main__":
    main()
