# SPDX-License-Identifier: BSD-3-Clause
"""The comments of generate_collectives.py: what each collective does and each parameter means."""

import textwrap

WIDTH = 100

# Which ranks' blocks the arrays of a collective are about.
NEIGHBOURS = {"send": "destination", "receive": "source"}

# Where a rank's own data is when the other buffer is MPI_IN_PLACE.
IN_PLACE = {
    "reduce": "On the root, may be MPI_IN_PLACE: its operand is then in recvbuf.",
    "gather": "On the root, may be MPI_IN_PLACE: its block is then in its place in recvbuf.",
    "scatter": "On the root, may be MPI_IN_PLACE: its block then stays in sendbuf.",
    "allgather": "May be MPI_IN_PLACE on all ranks: their blocks are then in their places in "
    "recvbuf.",
    "": "May be MPI_IN_PLACE on all ranks: the data is then in recvbuf, and is replaced.",
}
IGNORED = "Ignored if sendbuf is MPI_IN_PLACE."

FORMS = {
    "blocking": "",
    "nonblocking": "Nonblocking: returns at once.",
    "persistent": "Persistent: makes a request that can be started any number of times. Waits for "
    "all ranks to call.",
}
BUFFERS = {
    "nonblocking": "Buffers must not be touched until the request completes.",
    "persistent": "Buffers are read and written between a start and its completion only.",
}
LAST = {"blocking": [], "nonblocking": ["request"], "persistent": ["info", "request"]}
RESULTS = {
    "blocking": "MPI_SUCCESS, or an MPI error as described in",
    "nonblocking": "MPI_SUCCESS, or an MPI error that was found at once, as described in",
    "persistent": "MPI_SUCCESS, or on all ranks an MPI error as described in",
}


# What is said once for all functions on light groups.
GROUP_COLLECTIVES = """/**
 * @defgroup group_collective Collectives on light groups
 * @brief As on communicators, with a light group in place of the communicator.
 *
 * All collectives but those of neighbourhoods. Who must call: all members of the group, in the same
 * order as other collectives on it. Arguments, errors and cost are described in @ref collective,
 * and what the first collectives of a group cost in @ref group. Errors are raised at the error
 * handler of the group's parent communicator.
 *
 * Threads: as described in @ref collective. With MPI_THREAD_MULTIPLE, any number of threads at a
 * time, but calls that are collective over the same group must not be concurrent.
 *
 * @code
 * caucus_group_allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, group);
 * caucus_group_ibarrier(group, &request);
 * @endcode
 * @{
 */
"""


def family(name):
    """The collective whose rules of MPI_IN_PLACE hold."""
    for stem in ("reduce", "gather", "scatter", "allgather"):
        if name in (stem, f"{stem}v"):
            return stem
    return ""


def peer(name, side):
    return NEIGHBOURS[side] if name.startswith("neighbor") else "rank"


def at_root(text, where):
    return f"{text} Significant on the root only." if where else text


def of_buffer(name, collective, word):
    """What is in a buffer, by the sides that generate_collectives.py gives a collective."""
    if word == "buffer":
        return "The data: read on the root, written on all other ranks."
    side = "send" if word == "sendbuf" else "receive"
    kind, _, where = getattr(collective, side).partition("-")
    of = peer(name, side)
    preposition = "for" if side == "send" else "of"
    text = {
        "one": "This rank's block.",
        "each": f"Blocks of equal length, one {preposition} each {of}, in their order.",
        "varying": f"Blocks, one {preposition} each {of}.",
        "typed": f"Blocks, one {preposition} each {of}.",
        "total": "This rank's operand: the parts of all ranks, one after the other.",
        "own": "This rank's part of the result.",
    }[kind]
    if "op" in collective.parameters.split() and kind == "one":
        text = "This rank's operand." if side == "send" else "The result."
    text = at_root(text, where)
    if collective.in_place == side:
        text += " " + IN_PLACE[family(name)]
    return text


def of_number(name, collective, word):
    """Counts, displacements and datatypes."""
    side = "receive" if word.startswith("r") else "send"
    kind, _, where = getattr(collective, side).partition("-")
    if word == "displs":
        side = "send" if collective.send.startswith("varying") else "receive"
        where = getattr(collective, side).partition("-")[2]
    of = peer(name, side)
    blocks = "to" if side == "send" else "from"
    if word in ("count", "datatype"):
        where = ""
    if word.endswith("displs"):
        unit = (
            "bytes" if kind == "typed" else f"extents of {'send' if side == 'send' else 'recv'}type"
        )
        text = (
            f"Displacements in {unit}: block i begins at {word}[i] in "
            f"{'sendbuf' if side == 'send' else 'recvbuf'}."
        )
    elif word == "recvcounts" and name.startswith("reduce_scatter"):
        return "For each rank, the number of elements of its part; the same array on all ranks."
    elif word.endswith("counts"):
        text = f"For each {of}, the number of elements {blocks} it, at least 0."
    elif word == "recvcount" and name.startswith("reduce_scatter"):
        return "Number of elements of each rank's part, at least 0; the same on all ranks."
    elif word.endswith("count"):
        text = f"Number of elements in {'each' if kind == 'each' else 'the'} block, at least 0."
        if word == "count":
            text = "Number of elements, at least 0."
            text = text if name == "bcast" else f"{text[:-1]}; the same on all ranks."
    elif word.endswith("types"):
        text = f"For each {of}, the datatype of the elements {blocks} it, committed."
    else:
        text = "Datatype of the elements, committed."
    text = at_root(text, where)
    if word.startswith("send") and collective.in_place == "send":
        text += f" {IGNORED}"
    if word == "sdispls" and collective.in_place == "send":
        text += f" {IGNORED}"
    if word.startswith("recv") and collective.in_place == "receive":
        text += " Ignored if recvbuf is MPI_IN_PLACE."
    return text


def of_handle(name, word, form, over):
    """What all collectives have."""
    if word == "comm":
        if name.startswith("neighbor"):
            return "A communicator with a Cartesian, graph or distributed graph topology."
        return "An intracommunicator." if "scan" in name else "An intra- or intercommunicator."
    root = "Rank of the root, the same on all ranks."
    if over == "comm":
        root += " Between two groups: MPI_ROOT, MPI_PROC_NULL or a rank, as described in "
        root += "@ref collective."
    return {
        "op": "An operation that takes the datatype: predefined, or made by MPI_Op_create.",
        "root": root,
        "group": "A light group (caucus/group.h).",
        "info": "MPI_INFO_NULL, or hints as described in @ref collective.",
        "request": "An inactive request, for caucus_start; to be freed by caucus_request_free."
        if form == "persistent"
        else "An active request, to be completed by caucus_wait and the like.",
    }[word]


def direction(collective, word):
    if word == "buffer" or word == "recvbuf" and collective.in_place == "send":
        return "in,out"
    return "out" if word in ("recvbuf", "request") else "in"


def meaning(name, collective, word, form, over):
    if word in ("sendbuf", "recvbuf", "buffer"):
        return of_buffer(name, collective, word)
    if word in ("op", "root", "comm", "group", "info", "request"):
        return of_handle(name, word, form, over)
    return of_number(name, collective, word)


def wrap(text, hanging=0):
    lines = textwrap.wrap(
        text,
        WIDTH - 3,
        subsequent_indent=" " * hanging,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return [f" * {line}" for line in lines]


def comment(name, collective, words, form, large, over):
    """The comment of one function; words: its parameters."""
    heading = f"{collective.what} As MPI_{mpi_name(name, form)}{'_c' if large else ''}"
    heading += ", on a light group." if over == "group" else "."
    lines = ["/**", *wrap(heading)]
    if FORMS[form]:
        moves = len(words) > 1 + len(LAST[form])
        lines += [" *", *wrap(FORMS[form] + (f" {BUFFERS[form]}" if moves else ""))]
    lines += [" *"]
    for word in words:
        head = f"@param[{direction(collective, word)}] {word} "
        lines += wrap(head + meaning(name, collective, word, form, over), 4)
    lines += wrap(f"@return {RESULTS[form]} @ref collective.", 4)
    return "\n".join([*lines, " */"])


def mpi_name(name, form):
    if form == "nonblocking":
        return f"I{name}"
    return f"{name[0].upper()}{name[1:]}" + ("_init" if form == "persistent" else "")
