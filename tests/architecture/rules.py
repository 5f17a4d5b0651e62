# SPDX-License-Identifier: BSD-3-Clause
"""The never-rules of the house. Each is a function from a tree to the violations it finds, each
of these a sentence that begins with the file's name."""

import ast
import re

# The rooms, and which ones each may include from besides itself: only such as stand above it here,
# so that nothing goes in circles. A word without a part means all parts. The table in
# docs/development/architecture.md says the same, which a test compares.
MAY_INCLUDE = {
    "include/caucus": "",
    "base": "include/caucus",
    "plan/machine": "base",
    "plan/schedule": "base",
    "plan/collective": "base, plan/machine, plan/schedule",
    "plan/intergroup": "base, plan/machine, plan/schedule, plan/collective",
    "plan/choice": "base, plan/machine, plan/collective, plan/intergroup",
    "plan/overlay": "base, plan/machine, plan/schedule",
    "plan/protocol": "base, plan/overlay",
    "plan/group": "base, plan/protocol",
    "plan/redistribute": "base, plan/machine, plan/schedule, include/caucus",
    "plan/grid": "base, plan/machine",
    "plan/graph": "base, plan/machine, plan/grid",
    "study/verify": "base, plan/machine, plan/schedule",
    "study/simulate": "base, plan/machine, plan/schedule",
    "study/draw": "base, plan/machine, plan/schedule, study/simulate",
    "study/collective": "base, plan/collective, plan/intergroup, study/verify",
    "study/grid": "base, plan/machine, plan/grid",
    "study/graph": "base, plan/machine, plan/grid, plan/graph",
    "study/face": "base, plan, study, include/caucus",
    "run/support": "base",
    "run/progress": "base, run/support",
    "run/peers": "base, run/support, run/progress",
    "run/attachment": "base, plan/machine, run/support, run/peers",
    "run/graph": "base, plan/graph, run/support, run/peers, run/attachment",
    "run/memory": "base, run/support, run/peers",
    "run/engine": (
        "base, plan/machine, plan/schedule, run/support, run/progress, run/peers, "
        "run/attachment, run/memory"
    ),
    "run/measure": (
        "base, plan/machine, run/support, run/progress, run/peers, run/attachment, run/memory, "
        "run/engine"
    ),
    "run/layout": "base, run/support",
    "run/execution": (
        "base, plan/schedule, run/support, run/progress, run/memory, run/engine, run/layout"
    ),
    "run/creation": "base, run/support, run/progress, run/peers, run/attachment, run/engine",
    "run/protocol": "base, plan/protocol, run/support, run/progress, run/attachment",
    "run/group": (
        "base, plan/protocol, plan/group, run/support, run/progress, run/attachment, "
        "run/engine, run/creation, run/protocol"
    ),
    "run/balance": (
        "base, plan/protocol, run/support, run/attachment, run/engine, run/protocol, run/group"
    ),
    "run/pool": (
        "base, plan/protocol, plan/group, run/support, run/attachment, run/engine, "
        "run/protocol, run/group"
    ),
    "run/channel": (
        "base, plan/protocol, run/support, run/progress, run/peers, run/memory, run/engine, "
        "run/protocol"
    ),
    "api/calls": "base, plan, run, include/caucus",
    "api/common": "base, run",
    "api/collective": "base, plan, run, include/caucus, api/calls, api/common",
    "api/creation": "base, plan, run, include/caucus, api/common",
    "api/group": "base, plan, run, include/caucus, api/common, api/collective, api/creation",
    "api/balance": "base, run, include/caucus, api/common, api/collective, api/group",
    "api/pool": "base, run, include/caucus, api/common, api/collective, api/group",
    "api/channel": "base, plan, run, include/caucus, api/common, api/collective",
    "api/grid": "base, plan, run, include/caucus, api/calls, api/common",
    "api/graph": "base, plan, run, include/caucus, api/calls, api/common, api/grid",
    "api/redistribute": "base, plan, run, include/caucus, api/common, api/collective",
    "api/interposition": (
        "base, run, include/caucus, api/calls, api/common, api/collective, api/creation"
    ),
    "dropin": "run/support, api, include/caucus",
    "fortran": "base, run, include/caucus, api/common",
}
MOVES_BYTES = re.compile(
    r"\bP?MPI_(?:I?[bsr]?send|I?m?recv|I?sendrecv|I?bcast|I?(?:all)?gather|I?scatter|I?alltoall|"
    r"I?(?:all)?reduce|I?e?x?scan|I?barrier|Put|R?get|R?accumulate|Start|I?neighbor)\w*\s*\(",
    re.IGNORECASE,
)
NOT_MOVING = re.compile(r"\bP?MPI_(?:Get_|\w+_init\b)")
ANYBODY = re.compile(r"(?:\bP?MPI_Im?probe\s*\(\s*|\bP?MPI_Probe\s*\(\s*)?\bMPI_ANY_SOURCE\b")
# A user's caucus_group_irecv may be one (include/caucus/group_messages.h), and statuses say it.
KNOW_ANYBODY = {
    "src/api/group/messages.c",
    "src/run/group/group.c",
    "src/api/collective/requests.c",
}
# Numbers with a fraction, of which the program's locale has a say: src/base/number.h.
ASKS_LOCALE = re.compile(
    r"\b(?:strto(?:d|f|ld)\w*|wcsto(?:d|f|ld)|atof|(?:set|use|new)locale)\s*\("
)
TEXT_OR_END = re.compile(r'("(?:\\.|[^"\\\n])*")|[;{}]')
NUMBER_IN_TEXT = re.compile(r"%[-+ #0]*(?:\d+|\*)?(?:\.(?!0[aefgAEFG])(?:\d+|\*))?[lL]?[aefgAEFG]")
FOR_PEOPLE_OR_WITH_POINTS = re.compile(r"\bcaucus_(?:fail|fail_in|sentences_\w+|number_write)\s*\(")
KNOWS_LOCALES = "src/base/number.c"
# Print some for people; the last one is called by svg.c alone, between begin and end.
PRINT_NUMBERS = {
    "src/api/collective/contest.c",
    "src/api/graph/create.c",
    "src/api/grid/create.c",
    "src/run/measure/machine.c",
    "src/run/peers/agree.c",
    "src/run/support/watchdog.c",
    "src/study/draw/page.c",
}
SOURCES = {".c", ".h", ".cpp", ".hpp", ".py", ".cmake", ".in"}
MARKED = SOURCES | {".md", ".txt", ".cff", ".toml", ".yml", ".yaml", ".sh", ".f90", ".F90", ".inc"}
NAMED = {"Makefile", "CMakeLists.txt", ".clang-format", ".clang-tidy"}
LONGEST = 60  # lines of a function
C_FUNCTION = re.compile(  # as clang-format has it: from its first column to the brace in that
    r"^(?!struct|enum|union|typedef|namespace|extern)[A-Za-z_][^;{}=]*\([^;{}]*\)[^;{}]*\{$.*?^\}",
    re.MULTILINE | re.DOTALL,
)
UNFINISHED = re.compile(r"\b(?:T[O]DO|F[I]XME|X[X]X)\b")
# What is brought lies where tools put it; a build is told by options, a test asks provision.
BROUGHT = re.compile(r"(?<![\w)\]])\.(?:mpi|deps)\b")
BUILT_ANYWHERE = ("CMakeLists.txt", "cmake", "include", "src", "tests", "bench", "docs", "examples")
SAYS_WHAT_IS_BROUGHT = "docs/development/dependencies.md"
SOMEBODYS_PATH = re.compile(r"(?<![\w.}])/(?:home|root|Users|wor[k])/")


def room_of(name):
    """The room that a file of src or include lies in; None where that is none."""
    inner = name.removeprefix("src/")
    return next((room for room in MAY_INCLUDE if inner.startswith(f"{room}/")), None)


def may_include(room, other):
    words = MAY_INCLUDE[room].split(", ")
    return other == room or other in words or other.split("/")[0] in words


def rooms_include_only_what_lies_below(tree):
    for source in tree.c_sources("include", "base", "plan", "study", "run", "api", "dropin"):
        room = room_of(source.name)
        if not room:
            yield f"{source.name} lies in no room of tests/architecture/rules.py"
            continue
        for include in source.includes:
            target = tree.resolve(source, include)
            other = target and room_of(target.name)
            if other and not may_include(room, other):
                yield f"{source.name} includes {include}, which {room} must not"


def base_plan_and_study_know_no_mpi(tree):
    for source in tree.c_sources("base", "plan", "study"):
        if any(
            re.fullmatch(r"(?:.*/)?mpi(?:_abi|-ext|_proto)?\.h", i) for i in tree.reached(source)
        ):
            yield f"{source.name} includes mpi.h, perhaps through another header"
        if re.search(r"\bP?MPIX?_\w+\s*\(", source.code):
            yield f"{source.name} calls MPI"


def api_moves_no_bytes(tree):
    for source in tree.c_sources("api", "dropin"):
        for match in MOVES_BYTES.finditer(source.code):
            call = match.group()
            # A drop-in defines and forwards such functions; only api must do without.
            if source.room == "api" and not NOT_MOVING.match(call):
                yield f"{source.name} calls {call}...): moving bytes is the part of src/run"


def nobody_posts_a_receive_from_anybody(tree):
    for source in tree.c_sources("run", "api"):
        for match in ANYBODY.finditer(source.code):
            if "robe" not in match.group() and source.name not in KNOW_ANYBODY:
                yield (
                    f"{source.name} names MPI_ANY_SOURCE other than in a probe: such a receive "
                    "may never complete (src/run/protocol/mailbox.h)"
                )


def texts_of_statements(code):
    """(what a statement has before it, text) of every text of C."""
    begin = 0
    for match in TEXT_OR_END.finditer(code):
        if match.group(1):
            yield code[begin : match.start()], match.group(1)
        else:
            begin = match.end()


def numbers_of_machines_have_points(tree):
    for source in tree.c_sources("base", "plan", "study", "run", "api", "dropin", "fortran"):
        if source.name == KNOWS_LOCALES:
            continue
        for match in ASKS_LOCALE.finditer(source.code):
            yield f"{source.name} calls {match.group()}...): {KNOWS_LOCALES} alone knows of locales"
        if source.name in PRINT_NUMBERS or "caucus_numbers_begin" in source.code:
            continue
        for before, text in texts_of_statements(source.code):
            if NUMBER_IN_TEXT.search(text) and not FOR_PEOPLE_OR_WITH_POINTS.search(before):
                yield f"{source.name} has {text}: the point there is a comma in some locales"


def every_file_has_its_licence(tree):
    for source in tree.sources:
        if source.suffix in MARKED or source.path.name in NAMED:
            head = "\n".join(source.text.splitlines()[:3])
            if "SPDX-License-Identifier: BSD-3-Clause" not in head:
                yield f"{source.name} lacks the SPDX line"


def functions_of(source):
    """(name, lines) of the functions that a source defines."""
    if source.suffix == ".py":
        for node in ast.walk(ast.parse(source.text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield node.name, node.end_lineno - node.lineno + 1
    elif source.suffix in {".c", ".h", ".cpp", ".hpp"}:
        for match in C_FUNCTION.finditer(source.text):
            head = match.group().split("(")[0].split()
            yield head[-1].lstrip("*"), match.group().count("\n") + 1


def functions_fit_a_screen(tree):
    for source in tree.sources:
        for name, lines in functions_of(source):
            if lines > LONGEST:
                yield f"{source.name} has a function {name} of {lines} lines, more than {LONGEST}"


def nothing_is_left_unfinished(tree):
    for source in tree.sources:
        if source.suffix in MARKED and UNFINISHED.search(source.text):
            yield f"{source.name} has a note about work not done"


def no_path_of_one_machine(tree):
    for source in tree.sources:
        if source.suffix in MARKED and SOMEBODYS_PATH.search(source.text):
            yield f"{source.name} has a path of somebody's machine"


def only_tools_know_what_is_brought(tree):
    for source in tree.sources:
        anywhere = source.name.split("/")[0] in BUILT_ANYWHERE
        marked = source.suffix in MARKED or source.path.name in NAMED
        if not anywhere or not marked or source.name == SAYS_WHAT_IS_BROUGHT:
            continue
        if BROUGHT.search(source.text):
            yield f"{source.name} knows the folder of something that tools have brought"


RULES = [
    rooms_include_only_what_lies_below,
    base_plan_and_study_know_no_mpi,
    api_moves_no_bytes,
    nobody_posts_a_receive_from_anybody,
    numbers_of_machines_have_points,
    every_file_has_its_licence,
    functions_fit_a_screen,
    nothing_is_left_unfinished,
    no_path_of_one_machine,
    only_tools_know_what_is_brought,
]
