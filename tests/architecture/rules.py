# SPDX-License-Identifier: BSD-3-Clause
"""The never-rules of the house. Each is a function from a tree to the violations it finds, each
of these a sentence that begins with the file's name."""

import re

# Which folders of src/ and include/ a room may include from, by prefix of the path.
MAY_INCLUDE = {
    "include": ("include/caucus/",),
    "base": ("src/base/", "include/caucus/"),
    "plan": ("src/plan/", "src/base/", "include/caucus/"),
    # The machine is there for what run finds out about it; the rest is what run carries out.
    "run": (
        "src/run/",
        "src/base/",
        "src/plan/schedule/",
        "src/plan/protocol/",
        "src/plan/machine/",
        "src/plan/group/",
    ),
    "api": ("src/api/", "src/run/", "src/plan/", "src/base/", "include/caucus/"),
    "dropin": ("src/dropin/", "src/api/", "include/caucus/"),
}
COLLECTIVES = re.compile(  # MPI's own are how run exchanges what it needs itself
    r"\b(?!P?MPI_)\w*(?:allgather|alltoall|allreduce|bcast|broadcast|reduce_scatter|exscan|gatherv|scatterv)"
)
MOVES_BYTES = re.compile(
    r"\bP?MPI_(?:I?[bsr]?send|I?m?recv|I?sendrecv|I?bcast|I?(?:all)?gather|I?scatter|I?alltoall|"
    r"I?(?:all)?reduce|I?e?x?scan|I?barrier|Put|R?get|R?accumulate|Start|I?neighbor)\w*\s*\(",
    re.IGNORECASE,
)
NOT_MOVING = re.compile(r"\bP?MPI_(?:Get_|\w+_init\b)")
ANYBODY = re.compile(r"(?:\bP?MPI_Im?probe\s*\(\s*|\bP?MPI_Probe\s*\(\s*)?\bMPI_ANY_SOURCE\b")
# A user's caucus_group_irecv may be one (include/caucus/group.h), and statuses say it.
KNOW_ANYBODY = {
    "src/api/group/messages.c",
    "src/run/group/group.c",
    "src/api/collective/requests.c",
}
SOURCES = {".c", ".h", ".cpp", ".hpp", ".py", ".cmake", ".in"}
MARKED = SOURCES | {".md", ".txt", ".cff", ".toml", ".yml", ".yaml", ".sh", ".f90"}
NAMED = {"Makefile", "CMakeLists.txt", ".clang-format", ".clang-tidy"}
LONGEST = 400
UNFINISHED = re.compile(r"\b(?:T[O]DO|F[I]XME|X[X]X)\b")
SOMEBODYS_PATH = re.compile(r"(?<![\w.}])/(?:home|root|Users|wor[k])/")


def rooms_include_only_what_lies_below(tree):
    for source in tree.c_sources(*MAY_INCLUDE):
        for include in source.includes:
            target = tree.resolve(source, include)
            if target and not target.name.startswith(MAY_INCLUDE[source.room]):
                yield f"{source.name} includes {include}, which src/{source.room} must not"


def base_and_plan_know_no_mpi(tree):
    for source in tree.c_sources("base", "plan"):
        if any(
            re.fullmatch(r"(?:.*/)?mpi(?:_abi|-ext|_proto)?\.h", i) for i in tree.reached(source)
        ):
            yield f"{source.name} includes mpi.h, perhaps through another header"
        if re.search(r"\bP?MPIX?_\w+\s*\(", source.code):
            yield f"{source.name} calls MPI"


def run_knows_no_collective(tree):
    for source in tree.c_sources("run"):
        for word in sorted({match.group() for match in COLLECTIVES.finditer(source.code)}):
            yield f"{source.name} knows the collective '{word}': run carries out what it is handed"


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
                    "may never complete (src/run/from_any.h)"
                )


def every_file_has_its_licence(tree):
    for source in tree.sources:
        if source.suffix in MARKED or source.path.name in NAMED:
            head = "\n".join(source.text.splitlines()[:3])
            if "SPDX-License-Identifier: BSD-3-Clause" not in head:
                yield f"{source.name} lacks the SPDX line"


def files_stay_short(tree):
    for source in tree.sources:
        if source.suffix in SOURCES:
            lines = source.text.count("\n")
            if lines > LONGEST:
                yield f"{source.name} has {lines} lines, more than {LONGEST}: one idea a file"


def nothing_is_left_unfinished(tree):
    for source in tree.sources:
        if source.suffix in MARKED and UNFINISHED.search(source.text):
            yield f"{source.name} has a note about work not done"


def no_path_of_one_machine(tree):
    for source in tree.sources:
        if source.suffix in MARKED and SOMEBODYS_PATH.search(source.text):
            yield f"{source.name} has a path of somebody's machine"


RULES = [
    rooms_include_only_what_lies_below,
    base_and_plan_know_no_mpi,
    run_knows_no_collective,
    api_moves_no_bytes,
    nobody_posts_a_receive_from_anybody,
    every_file_has_its_licence,
    files_stay_short,
    nothing_is_left_unfinished,
    no_path_of_one_machine,
]
