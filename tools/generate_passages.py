# SPDX-License-Identifier: BSD-3-Clause
"""Writes the functions under MPI's own names that hold no collective of ours up while they wait,
from the tables of tools/mpi_functions.py; for tools/generate_dropin.py."""

import textwrap

from mpi_functions import (
    DUPLICATES,
    FLUSHES,
    HELPED,
    MEETS,
    MESSAGES,
    POLLS,
    WAITS,
    parameters,
)

# How those come together whom a parameter stands for.
MEETINGS = {
    "comm": "caucus_forward_enter_other(comm);",
    "comm_at": "caucus_forward_enter_other_at((const void *)comm_at);",
    "window": "caucus_forward_enter_window(window);",
    "window_at": "caucus_forward_enter_window_at((const void *)window_at);",
    "file": "caucus_forward_enter_file(file);",
    "file_at": "caucus_forward_enter_file_at((const void *)file_at);",
    "group": "caucus_forward_enter_group(group, (const char *)stringtag);",
    "local_group": "caucus_forward_enter_groups(local_group, remote_group, "
    "(const char *)stringtag);",
}


INCLUDES = """\
#include "api/interposition/helper.h"
#include "api/interposition/progress.h"
#include "dropin/forward.h"
"""


def wrap(text, indent):
    return "\n".join(textwrap.wrap(text, 98, subsequent_indent=indent))


def registers(words):
    """Parameters as whole registers: whatever types the MPI at hand has."""
    return ", ".join(f"intptr_t {word}" for word in words) or "void"


def call(name, words):
    """The MPI that a program runs on may be older than the one at hand."""
    given = ", ".join(words)
    return f'P{name} ? P{name}({given}) : caucus_forward_lacks("{name}")'


def declared(name, words):
    return wrap(f"int P{name}({registers(words)}) __attribute__((weak));", "    ")


def function(name, words, body):
    lines = [declared(name, words), wrap(f"int {name}({registers(words)}) {{", "        ")]
    return "\n".join([*lines, *(wrap(f"    {line}", "        ") for line in body), "}\n"])


def meets(name, words):
    whom = next(word for word in MEETINGS if word in words)
    made = [word for word in ("newcomm", "other_world") if word in words]
    body = [MEETINGS[whom], f"int code = {call(name, words)};"]
    if "newcomm" in words and whom == "comm":
        body += ["if (!code)", "    caucus_forward_derived(comm, (const void *)newcomm);"]
    for word in made:
        of_others = "true" if word == "other_world" else "false"
        body += ["if (!code)", f"    caucus_forward_made((const void *){word}, {of_others});"]
    return function(name, words, [*body, "caucus_forward_leave();", "return code;"])


def helped(name, words):
    body = ["caucus_forward_enter_alone();", f"int code = {call(name, words)};"]
    return function(name, words, [*body, "caucus_forward_leave();", "return code;"])


def polls(name, words):
    return function(name, words, ["caucus_forward_advance();", f"return {call(name, words)};"])


def duplicates(name, words):
    body = [f"int code = {call(name, words)};", "if (!code)"]
    noted = "    caucus_forward_duplicates(comm, (const void *)request);"
    return function(name, words, [*body, noted, "return code;"])


def within(name, words):
    """The end of a function that may wait within MPI, where nothing of ours is active yet."""
    call_it = f"int code = {call(name, words)};"
    return ["caucus_helper_enter();", call_it, "caucus_helper_leave();", "return code;"]


def message(name, words, nonblocking):
    given = [word for word in words if word != "status"]
    end = "finish_receive(code, &request, (void *)status)"
    body = [
        "intptr_t request = caucus_forward_no_request();",
        "if (!caucus_forward_is_busy()) {",
        *(f"    {line}" for line in within(name, words)),
        "}",
        f"int code = P{nonblocking}({', '.join([*given, '(intptr_t)&request'])});",
        f"return caucus_forward_{end if 'status' in words else 'finish(code, &request)'};",
    ]
    return declared(nonblocking, [*given, "request"]) + "\n" + function(name, words, body)


def waits(name, words, test, tested):
    given = ", ".join("(intptr_t)&flag" if word == "flag" else word for word in tested)
    body = [
        "int flag = 0, looks = 0;",
        "while (caucus_forward_is_busy()) {",
        f"    int code = P{test}({given});",
        "    if (code || flag)",
        "        return code;",
        "    caucus_mixed_pause(&looks);",
        "}",
        *within(name, words),
    ]
    return function(name, words, body)


def flushes(name, words, flush, flushed):
    given = ", ".join([*flushed, "(intptr_t)&request"])
    body = [
        f"if (caucus_forward_is_busy() && P{flush}) {{",
        "    intptr_t request = caucus_forward_no_request();",
        f"    int failed = caucus_forward_finish(P{flush}({given}), &request);",
        "    if (failed)",
        "        return failed;",
        "}",
        *within(name, words),
    ]
    return function(name, words, body)


def split_at_bar(words):
    bar = words.index("|")
    return words[:bar], words[bar + 1], words[bar + 2 :]


def text(names):
    """The whole file, for an MPI that has these functions."""
    made = [INCLUDES]
    writers = ((MEETS, meets), (HELPED, helped), (POLLS, polls), (DUPLICATES, duplicates))
    for table, write in writers:
        made += [write(name, words) for name, words in parameters(table, names).items()]
    for table, write in ((MESSAGES, message), (WAITS, waits), (FLUSHES, flushes)):
        for name, words in parameters(table, names).items():
            own, other, given = split_at_bar(words)
            other += "_c" if write is message and name.endswith("_c") else ""
            if write is message and other in names:
                made.append(message(name, own, other))
            elif write is waits:
                made.append(waits(name, own, other, given))
            elif write is flushes and other in names:
                made.append(declared(other, [*given, "request"]))
                made.append(flushes(name, own, other, given))
    return "\n".join(made)
