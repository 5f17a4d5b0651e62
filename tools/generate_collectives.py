# SPDX-License-Identifier: BSD-3-Clause
"""Writes what repeats of the collectives: prototypes, the functions, the shapes of their arguments.

python3 tools/generate_collectives.py FOLDER    writes into FOLDER
    include/caucus/collective_functions.h       the public prototypes
    include/caucus/group_functions.h            the same on groups
    collective_functions.c, group_functions.c   each fills a call and hands it on
    collective_shapes.c                         caucus_shapes[]: what is checked and laid out
    collective_natives.c                        caucus_natives[]: MPI's own
"""

import argparse
import textwrap
from dataclasses import dataclass
from pathlib import Path

from collective_comments import GROUP_COLLECTIVES, LAST, comment

SPDX = "/* SPDX-License-Identifier: BSD-3-Clause */\n"
NOTE = "/* Made by tools/generate_collectives.py: change the table there. */\n"


@dataclass
class Collective:
    """Parameters have MPI's names, and their names tell their kinds. A side is what of a buffer is
    used: "one" block of count elements, "each" block of count elements, "varying" blocks by counts
    and displacements, "typed" blocks with a datatype each, the "total" or the "own" of the blocks
    that recvcount or recvcounts describe; "-root" where it matters on the root alone."""

    parameters: str
    send: str
    receive: str
    what: str
    in_place: str = "send"  # the buffer that may be MPI_IN_PLACE: "send", "receive" or ""


BLOCK = "sendbuf sendcount sendtype recvbuf recvcount recvtype"
TO_VARYING = "sendbuf sendcount sendtype recvbuf recvcounts displs recvtype"
FROM_VARYING = "sendbuf sendcounts displs sendtype recvbuf recvcount recvtype"
VARYING = "sendbuf sendcounts sdispls sendtype recvbuf recvcounts rdispls recvtype"
TYPED = "sendbuf sendcounts sdispls sendtypes recvbuf recvcounts rdispls recvtypes"
OPERAND = "sendbuf recvbuf count datatype op"

COLLECTIVES = {
    "barrier": Collective("", "", "", "Completes on no rank before all ranks have called it.", ""),
    "bcast": Collective(
        "buffer count datatype root", "", "one", "Sends the root's data to all ranks.", ""
    ),
    "reduce": Collective(
        f"{OPERAND} root",
        "one",
        "one-root",
        "Combines the operands of all ranks; the root gets the result.",
    ),
    "allreduce": Collective(
        OPERAND, "one", "one", "Combines the operands of all ranks; all get the result."
    ),
    "gather": Collective(
        f"{BLOCK} root", "one", "each-root", "Sends a block of each rank to the root."
    ),
    "gatherv": Collective(
        f"{TO_VARYING} root",
        "one",
        "varying-root",
        "Sends a block of any length of each rank to the root.",
    ),
    "scatter": Collective(
        f"{BLOCK} root", "each-root", "one", "Sends a block of the root to each rank.", "receive"
    ),
    "scatterv": Collective(
        f"{FROM_VARYING} root",
        "varying-root",
        "one",
        "Sends a block of the root, of any length, to each rank.",
        "receive",
    ),
    "allgather": Collective(BLOCK, "one", "each", "Sends a block of each rank to all ranks."),
    "allgatherv": Collective(
        TO_VARYING, "one", "varying", "Sends a block of any length of each rank to all ranks."
    ),
    "alltoall": Collective(BLOCK, "each", "each", "Sends a block of each rank to each rank."),
    "alltoallv": Collective(
        VARYING, "varying", "varying", "Sends a block of any length of each rank to each rank."
    ),
    "alltoallw": Collective(
        TYPED,
        "typed",
        "typed",
        "Sends a block of any length and datatype of each rank to each rank.",
    ),
    "reduce_scatter": Collective(
        "sendbuf recvbuf recvcounts datatype op",
        "total",
        "own",
        "Combines the operands of all ranks; each rank gets its part of the result.",
    ),
    "reduce_scatter_block": Collective(
        "sendbuf recvbuf recvcount datatype op",
        "total",
        "own",
        "Combines the operands of all ranks; each rank gets an equal part of the result.",
    ),
    "scan": Collective(
        OPERAND,
        "one",
        "one",
        "Combines, for each rank, the operands of the ranks up to and including it.",
    ),
    "exscan": Collective(
        OPERAND,
        "one",
        "one",
        "Combines, for each rank, the operands of the ranks before it; rank 0 gets nothing.",
    ),
    "neighbor_allgather": Collective(
        BLOCK,
        "one",
        "each",
        "Sends this rank's block to each destination; gets one of each source.",
        "",
    ),
    "neighbor_allgatherv": Collective(
        TO_VARYING,
        "one",
        "varying",
        "Sends this rank's block, of any length, to each destination.",
        "",
    ),
    "neighbor_alltoall": Collective(
        BLOCK, "each", "each", "Sends a block to each destination; gets one of each source.", ""
    ),
    "neighbor_alltoallv": Collective(
        VARYING, "varying", "varying", "Sends a block of any length to each destination.", ""
    ),
    "neighbor_alltoallw": Collective(
        TYPED, "typed", "typed", "Sends a block of any length and datatype to each destination.", ""
    ),
}
FORMS = ("blocking", "nonblocking", "persistent")


def is_count(name):
    return name.endswith(("count", "counts"))


def declare(collective, name, large):
    """A parameter in C, as MPI has it; large: in the version with MPI_Count."""
    bytes_always = collective == "neighbor_alltoallw"
    if name == "sendbuf":
        return "const void *sendbuf"
    if name in ("recvbuf", "buffer"):
        return f"void *{name}"
    if is_count(name):
        kind = "MPI_Count" if large else "int"
        return f"const {kind} {name}[]" if name.endswith("s") else f"{kind} {name}"
    if name.endswith("displs"):
        return f"const {'MPI_Aint' if large or bytes_always else 'int'} {name}[]"
    if name.endswith("types"):
        return f"const MPI_Datatype {name}[]"
    if name.endswith("type"):
        return f"MPI_Datatype {name}"
    return {
        "op": "MPI_Op op",
        "root": "int root",
        "comm": "MPI_Comm comm",
        "group": "caucus_group group",
        "info": "MPI_Info info",
        "request": "caucus_request *request",
    }[name]


def parameters_of(name, form, over="comm"):
    """The names of all parameters of a form; over: a "comm" or a "group"."""
    return [*COLLECTIVES[name].parameters.split(), over, *LAST[form]]


def function_of(name, form, large, over="comm"):
    before = ("group_" if over == "group" else "") + ("i" if form == "nonblocking" else "")
    after = "_init" if form == "persistent" else ""
    return f"caucus_{before}{name}{after}{'_c' if large else ''}"


def names_over(over):
    """A group has no topology, so no neighbours."""
    return [name for name in COLLECTIVES if over == "comm" or not name.startswith("neighbor")]


def versions(name):
    """(form, large) of every function of a collective: one without counts has no large one."""
    counted = any(is_count(word) for word in COLLECTIVES[name].parameters.split())
    return [(form, large) for form in FORMS for large in ((False, True) if counted else (False,))]


def prototype(name, form, large, over):
    words = [declare(name, word, large) for word in parameters_of(name, form, over)]
    whole = [word.replace(" ", "~") for word in words]  # a parameter stays on one line
    head = f"int {function_of(name, form, large, over)}(".replace(" ", "~")
    lines = textwrap.wrap(head + ", ".join(whole) + ")", 98, subsequent_indent=" " * len(head))
    return "\n".join(lines).replace("~", " ")


def header(over):
    guard = f"CAUCUS_{'GROUP' if over == 'group' else 'COLLECTIVE'}_FUNCTIONS_H"
    group = "group_collective" if over == "group" else "collective"
    brief = f"All of MPI's collectives on {'light groups' if over == 'group' else 'communicators'}."
    lines = [SPDX + NOTE + f"/**\n * @file\n * @brief {brief}\n */"]
    lines.append(f"#ifndef {guard}\n#define {guard}\n")
    before = "#include <caucus/group_object.h>\n" if over == "group" else ""
    lines.append(before + "#include <caucus/request.h>\n\n#include <mpi.h>\n")
    lines.append('#ifdef __cplusplus\nextern "C" {\n#endif\n')
    lines.append(
        GROUP_COLLECTIVES if over == "group" else f"/** @addtogroup {group}\n * @{{\n */\n"
    )
    for name in names_over(over):
        for form, large in versions(name):
            words = parameters_of(name, form, over)
            lines.append(comment(name, COLLECTIVES[name], words, form, large, over))
            lines.append(prototype(name, form, large, over) + ";\n")
    lines.append("/** @} */\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif")
    return "\n".join(lines) + "\n"


def sides_of(name, parameter):
    """The sides of the call that a parameter belongs to."""
    collective = COLLECTIVES[name]
    if parameter.startswith(("send", "sdispls")):
        return ["send"]
    if parameter == "displs":
        return ["send" if collective.send.startswith("varying") else "receive"]
    if parameter in ("count", "datatype") and collective.send or collective.send == "total":
        return ["receive"] if parameter.endswith("buf") else ["send", "receive"]
    return ["receive"]


def numbers(kind, name):
    return f"(struct caucus_numbers){{{name}, CAUCUS_NUMBER_{kind}}}"


def fields(name, form, large, over):
    """What the members of struct caucus_collective_call are set to."""
    found = [
        "function = __func__",
        f"collective = CAUCUS_{name.upper()}",
        f"form = CAUCUS_FORM_{form.upper()}",
    ]
    for word in parameters_of(name, form, over):
        if word in ("op", "root", "comm", "group", "info", "request"):
            found.append(f"{word} = {word}")
            continue
        for side in sides_of(name, word):
            found.append(f"{side}." + field(name, word, large))
    if over == "group":
        found.append("on_group = true")
    return found


def field(name, word, large):
    """The initialiser of one member of struct caucus_side."""
    if word in ("sendbuf", "recvbuf", "buffer"):
        return f"buffer = (void *){word}"
    if word.endswith("counts"):
        return "counts = " + numbers("COUNT" if large else "INT", word)
    if is_count(word):
        return f"count = {word}"
    if word.endswith("displs"):
        byte = large or name == "neighbor_alltoallw"
        return "displacements = " + numbers("AINT" if byte else "INT", word)
    if word.endswith("types"):
        return f"types = {word}"
    return f"type = {word}"


def functions(over):
    public = "group" if over == "group" else "collective"
    head = f'#include "api/collective/call.h"\n\n#include <caucus/{public}.h>\n'
    lines = [SPDX + NOTE + head]
    for name in names_over(over):
        for form, large in versions(name):
            lines.append(prototype(name, form, large, over) + " {")
            lines.append("    struct caucus_collective_call call;\n    caucus_call_clear(&call);")
            lines += [f"    call.{text};" for text in fields(name, form, large, over)]
            lines.append(f"    return caucus_call_{form}(&call);\n}}\n")
    return "\n".join(lines)


def shape_of_side(name, side):
    """The initialiser of a struct caucus_side_shape, with the names that errors mention."""
    collective = COLLECTIVES[name]
    kind, _, where = getattr(collective, side).partition("-")
    if not kind:
        return f".{side} = {{.kind = CAUCUS_SIDE_ABSENT}}"
    words = {"kind": f"CAUCUS_SIDE_{kind.upper()}", "root_only": "true" if where else "false"}
    for word in collective.parameters.split():
        mine = side in sides_of(name, word)
        if word.endswith(("buf", "buffer")) and mine:
            words["buffer"] = f'"{word}"'
        elif is_count(word) and mine:
            words["count"] = f'"{word}"'
            words["counted"] = "true" if word.endswith("counts") else "false"
        elif word.endswith("displs") and mine:
            words["displacement"] = f'"{word}"'
        elif word.endswith(("type", "types")) and mine:
            words["type"] = f'"{word}"'
    return f".{side} = {{" + ", ".join(f".{key} = {words[key]}" for key in words) + "}"


def shapes():
    lines = [SPDX + NOTE + '#include "api/collective/shape.h"\n']
    lines.append("const struct caucus_shape caucus_shapes[CAUCUS_COLLECTIVES] = {")
    for name, collective in COLLECTIVES.items():
        words = collective.parameters.split()
        place = f"CAUCUS_IN_PLACE_{(collective.in_place or 'never').upper()}"
        facts = [
            shape_of_side(name, "send"),
            shape_of_side(name, "receive"),
            f".in_place = {place}",
            f".rooted = {'true' if 'root' in words else 'false'}",
            f".reduces = {'true' if 'op' in words else 'false'}",
            f".neighbors = {'true' if name.startswith('neighbor') else 'false'}",
        ]
        lines.append(f"    [CAUCUS_{name.upper()}] = {{")
        lines += [f"        {fact}," for fact in facts]
        lines.append("    },")
    return "\n".join([*lines, "};"]) + "\n"


def native_argument(name, word, large):
    """What a field of struct caucus_collective_call has for a parameter of MPI's own function."""
    if word in ("op", "root", "comm"):
        return f"call->{word}"
    if word == "request":
        return word
    member = field(name, word, large).split(" = ")[0]
    value = f"call->{sides_of(name, word)[-1]}.{member}"
    if member in ("counts", "displacements"):
        return f"{value}.entry"
    kind = declare(name, word, large).rpartition(" ")[0]
    return f"({kind}){value}" if member == "count" else value


def native_call(name, form, large):
    given = ", ".join(native_argument(name, word, large) for word in parameters_of(name, form))
    function = f"I{name}" if form == "nonblocking" else name.capitalize()
    text = f"return PMPI_{function}{'_c' if large else ''}({given});"
    return textwrap.fill(text, 90, subsequent_indent=" " * 8)


def native(name):
    """Begins and runs MPI's own: arrays of the call have integers that it takes."""
    lines = [f"static int begin_{name}(const struct caucus_collective_call *call, bool large,"]
    lines.append(" " * 8 + "MPI_Request *request) {")
    if ("nonblocking", True) in versions(name):
        lines.append("#ifdef CAUCUS_HAVE_LARGE_COLLECTIVES")
        lines.append(f"    if (large)\n        {native_call(name, 'nonblocking', True)}")
        lines.append("#endif")
    lines.append(f"    (void)large;\n    {native_call(name, 'nonblocking', False)}\n}}\n")
    lines.append(f"static int run_{name}(const struct caucus_collective_call *call) {{")
    lines.append(f"    {native_call(name, 'blocking', False)}\n}}\n")
    return "\n".join(lines)


def natives():
    lines = [SPDX + NOTE + '#include "api/collective/native.h"\n']
    lines += [native(name) for name in COLLECTIVES]
    lines.append("const struct caucus_native caucus_natives[CAUCUS_COLLECTIVES] = {")
    for name in COLLECTIVES:
        functions = f"begin_{name}, run_{name}"
        lines.append(f'    [CAUCUS_{name.upper()}] = {{"MPI_I{name}", {functions}}},')
    return "\n".join([*lines, "};"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    public = folder / "include" / "caucus"
    public.mkdir(parents=True, exist_ok=True)
    for over, what in {"comm": "collective", "group": "group"}.items():
        (public / f"{what}_functions.h").write_text(header(over))
        (folder / f"{what}_functions.c").write_text(functions(over))
    (folder / "collective_shapes.c").write_text(shapes())
    (folder / "collective_natives.c").write_text(natives())


if __name__ == "__main__":
    main()
