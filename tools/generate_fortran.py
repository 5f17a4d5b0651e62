# SPDX-License-Identifier: BSD-3-Clause
"""Writes the functions of the Fortran module, of the prototypes in the public headers: all but
texts. Each is an interface to a function in C that converts its arguments; where there are logicals
a subroutine in Fortran stands before that.

python3 tools/generate_fortran.py FOLDER FOLDER_OF_HEADERS    writes into FOLDER
    caucus_functions.f90    the interfaces
    caucus_fortran.c        what they lead to
"""

import argparse
import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

from public_headers import functions, read

NOTE = "Made by tools/generate_fortran.py, of the public headers."
LEFT_OUT = {"plan.h", "schedule.h", "error.h", "version.h"}
REPORTS = {"caucus_cart_report", "caucus_graph_report"}  # bindings/fortran/caucus_reports.f90
OBJECTS = {"request", "group", "channel", "balance", "pool"}
STRUCTURES = {
    *("channel_options", "channel_counters", "pool_options", "pool_counters"),
    *("balance_counters", "delivery", "index_range", "cart_report_data"),
}
HANDLES = {
    "MPI_Comm": "Comm",
    "MPI_Datatype": "Type",
    "MPI_Op": "Op",
    "MPI_Info": "Info",
    "MPI_Group": "Group",
    "MPI_Request": "Request",
}
NUMBERS = {
    "int": ("integer(c_int)", "MPI_Fint"),
    "double": ("real(c_double)", "double"),
    "MPI_Count": ("integer(MPI_COUNT_KIND)", "MPI_Count"),
    "MPI_Aint": ("integer(MPI_ADDRESS_KIND)", "MPI_Aint"),
}
LOGICAL = {"reorder", "busy", "flag", "accepted", "received", "quiet", "detected", "periods"}
WRITTEN_TOO = {"dims", "askers", "answer"}
# What may be a null pointer in C is optional in Fortran, as is ierror.
OPTIONAL = {
    "caucus_cart_create_weighted": {"weights"},
    "caucus_stencil_create": {"weights"},
    "caucus_dims_create": {"extents", "periods"},
    "caucus_balance_group": {"group", "source", "work"},
}
WEIGHTS = {"sourceweights", "destweights", "weights"}
WIDTH = 98


@dataclass
class Argument:
    """One parameter: how Fortran declares it, how C gets it and what it passes on; lines of C
    before the call and after it; of an opening that may fail, the condition."""

    name: str
    fortran: str
    glue: str
    passed: str
    before: list = field(default_factory=list)
    opens: str = ""
    after: list = field(default_factory=list)
    failed: list = field(default_factory=list)  # in place of what is after, if the call fails
    logical: str = ""  # the length of an array, or "1"


@dataclass
class Parameter:
    name: str
    kind: str  # the type, without const, stars and brackets
    constant: bool
    pointer: bool  # or an array
    array: bool


def parameter(text):
    found = re.fullmatch(r"(const )?(?:struct )?(\w+) (\*?)(\w+)(\[\])?", text.strip())
    constant, kind, star, name, brackets = found.groups()
    return Parameter(name, kind, bool(constant), bool(star or brackets), bool(brackets))


def parameters(function):
    inner = function.prototype[function.prototype.index("(") + 1 : -2]
    return [parameter(one) for one in inner.split(",") if one.strip() != "void"]


class Call:
    """A function of C's as Fortran calls it."""

    def __init__(self, function):
        self.name = function.name
        self.glue = function.name.replace("caucus_", "caucus_f_", 1)
        self.what = " ".join(re.split(r"(?<=\.)\s", sentence(function.comment), maxsplit=1)[:1])
        self.given = parameters(function)
        self.later = any(p.kind.endswith(("caucus_request", "MPI_Request")) for p in self.given)
        self.arguments = [self.argument(p) for p in self.given]

    def has(self, name):
        return any(p.name == name for p in self.given)

    def argument(self, p):
        if p.kind == "void":
            return self.buffer(p)
        if p.kind == "MPI_Status":
            return self.statuses(p)
        if p.kind in HANDLES:
            return self.handle(p)
        if p.kind.removeprefix("caucus_") in OBJECTS | STRUCTURES:
            return self.structure(p)
        return self.number(p)

    def optional(self, p):
        return ", optional" if p.name in OPTIONAL.get(self.name, ()) else ""

    def buffer(self, p):
        intent = ", intent(in)" if p.constant else ""
        waits = ", asynchronous" if self.later else ""
        one = Argument(
            p.name,
            f"type(*), dimension(..){intent}{waits} :: {p.name}",
            f"const CFI_cdesc_t *{p.name}",
            f"caucus_f_address({p.name})" if self.later else f"{p.name}_kept.address",
        )
        if not self.later:
            written = "false" if p.constant else "true"
            one.before.append(f"struct caucus_f_buffer {p.name}_kept;")
            one.opens = f'caucus_f_buffer_open(&{p.name}_kept, {p.name}, "{self.name}")'
            one.after.append(f"caucus_f_buffer_close(&{p.name}_kept, {written});")
        return one

    def statuses(self, p):
        one = Argument(
            p.name,
            f"type(MPI_Status) :: {p.name}" + ("(*)" if p.name == "statuses" else ""),
            f"MPI_Fint *{p.name}",
            f"{p.name}_kept.entry",
            [f"struct caucus_f_statuses {p.name}_kept;"],
            after=[f"caucus_f_statuses_close(&{p.name}_kept);"],
        )
        if p.name == "statuses":
            count = "*incount" if self.has("incount") else "*count"
            one.opens = f'caucus_f_statuses_open(&{p.name}_kept, {p.name}, {count}, "{self.name}")'
        else:
            one.before.append(f"caucus_f_status_open(&{p.name}_kept, {p.name});")
        return one

    def handle(self, p):
        word, array = HANDLES[p.kind], "(*)" if p.array else ""
        if p.array:
            return self.types(p)
        if not p.pointer:
            fortran = f"type({p.kind}), intent(in) :: {p.name}"
            return Argument(p.name, fortran, f"const MPI_Fint *{p.name}", f"{word_f2c(word, p)}")
        if self.later and p.kind == "MPI_Comm":
            return self.comm_later(p)
        both = p.kind == "MPI_Op"
        first = word_f2c(word, p) if both else f"{p.kind.upper()}_NULL"
        return Argument(
            p.name,
            f"type({p.kind}), intent({'inout' if both else 'out'}) :: {p.name}{array}",
            f"MPI_Fint *{p.name}",
            f"&{p.name}_kept",
            [f"{p.kind} {p.name}_kept = {first};"],
            after=[f"*{p.name} = MPI_{word}_c2f({p.name}_kept);"],
        )

    def comm_later(self, p):
        return Argument(
            p.name,
            f"type(MPI_Comm), intent(out), asynchronous :: {p.name}",
            f"MPI_Fint *{p.name}",
            f"{p.name}_kept",
            [f'MPI_Comm *{p.name}_kept = caucus_f_comm_later({p.name}, "{self.name}");'],
            f"{p.name}_kept ? MPI_SUCCESS : MPI_ERR_NO_MEM",
            ["caucus_f_comms_come();"],
            [f"caucus_f_comm_never({p.name}_kept);"],
        )

    def types(self, p):
        """Of each block; of those that MPI_IN_PLACE replaces none is read."""
        sends = p.name.startswith("send")
        over = "group" if self.has("group") else "comm"
        if over == "group":
            count = "caucus_f_group_blocks(*group)"
        elif "neighbor" in self.name:
            count = f"caucus_f_neighbors(MPI_Comm_f2c(*comm), {'true' if sends else 'false'})"
        else:
            count = "caucus_f_blocks(MPI_Comm_f2c(*comm))"
        if sends:
            count = f"caucus_f_address(sendbuf) == MPI_IN_PLACE ? 0 : {count}"
        return Argument(
            p.name,
            f"type({p.kind}), intent(in) :: {p.name}(*)",
            f"const MPI_Fint {p.name}[]",
            f"{p.name}_kept",
            [f"MPI_Datatype *{p.name}_kept = caucus_f_types({p.name}, {count});"],
            after=[f"free({p.name}_kept);"],
        )

    def structure(self, p):
        by_value = not p.pointer
        if by_value or p.constant:
            intent = "in"
        elif p.kind.endswith(("counters", "report_data")):
            intent = "out"
        elif p.array or not self.makes(p):
            intent = "inout"
        else:
            intent = "out"
        waits = ", asynchronous" if self.later and intent == "out" else ""
        array = "(*)" if p.array else ""
        fortran = f"type({p.kind}){self.optional(p)}, intent({intent}){waits} :: {p.name}{array}"
        constant = "const " if p.constant or by_value else ""
        glue = f"{constant}{p.kind} " + (f"{p.name}[]" if p.array else f"*{p.name}")
        return Argument(p.name, fortran, glue, ("*" if by_value else "") + p.name)

    def makes(self, p):
        """Whether an object comes out of the call that did not go in."""
        on_requests = self.given[0].kind == "caucus_request" or self.has("requests")
        if p.kind == "caucus_request" and on_requests or p.kind == "caucus_delivery":
            return False
        return not self.name.endswith(("_free", "_close"))

    def number(self, p):
        fortran, c = NUMBERS[p.kind]
        array = "(*)" if p.array or (p.pointer and p.constant) else ""
        if p.name in LOGICAL:
            return self.logical(p)
        if not p.pointer:
            intent = f"{fortran}, intent(in) :: {p.name}"
            return Argument(p.name, intent, f"const {c} *{p.name}", f"*{p.name}")
        way = "in" if p.constant else "inout" if p.name in WRITTEN_TOO else "out"
        waits = ", asynchronous" if self.later and way == "out" else ""
        words = f"{fortran}{self.optional(p)}, intent({way}){waits} :: {p.name}{array}"
        constant = "const " if p.constant else ""
        glue = f"{constant}{c} " + (f"{p.name}[]" if array else f"*{p.name}")
        one = Argument(p.name, words, glue, p.name)
        if p.name in WEIGHTS and p.kind == "int":
            one.passed = f"caucus_f_weights({p.name})"
        if p.name in ("index", "outcount") and not p.constant:
            one.before = [f"*{p.name} = MPI_UNDEFINED; /* read after a failure, too */"]
        if p.name == "index" and not p.constant:
            one.after = ["if (*index != MPI_UNDEFINED)", "    caucus_f_indices(index, 1);"]
        if p.name == "indices":
            one.after = [
                "if (*outcount != MPI_UNDEFINED)",
                "    caucus_f_indices(indices, *outcount);",
            ]
        return one

    def logical(self, p):
        way = "in" if p.constant or not p.pointer else "out"
        array = "(*)" if p.array else ""
        words = f"integer(c_int){self.optional(p)}, intent({way}) :: {p.name}{array}"
        constant = "const " if way == "in" else ""
        glue = f"{constant}int " + (f"{p.name}[]" if p.array else f"*{p.name}")
        passed = p.name if p.pointer else f"*{p.name}"
        return Argument(p.name, words, glue, passed, logical="ndims" if p.array else "1")

    def is_direct(self):
        return self.name not in REPORTS and not any(one.logical for one in self.arguments)

    # What is written.

    def c(self):
        declared = [*(one.glue for one in self.arguments), "MPI_Fint *ierror"]
        text = wrapped(f"void {self.glue}(", declared, ")")
        lines = [text + " {"]
        lines += [f"    {line}" for one in self.arguments for line in one.before]
        opened = [one for one in self.arguments if one.opens]
        lines += ["    int code = MPI_SUCCESS;"] if opened else []
        for number, one in enumerate(opened):
            before = [line for other in opened[:number] for line in closing(other)]
            lines.append(f"    code = {one.opens};")
            lines.append("    if (code) {")
            lines += [f"        {line}" for line in before]
            lines += [
                "        if (ierror)",
                "            *ierror = code;",
                "        return;",
                "    }",
            ]
        kind = "" if opened else "int "
        call = wrapped(
            f"    {kind}code = {self.name}(", [one.passed for one in self.arguments], ");"
        )
        lines.append(call)
        for one in self.arguments:
            if one.failed:
                lines += ["    if (code)"] + [f"        {line}" for line in one.failed]
            lines += [f"    {line}" for line in one.after]
        if self.name in COMPLETING:
            lines.append("    caucus_f_comms_come();")
        lines += ["    if (ierror)", "        *ierror = code;", "}\n"]
        return "\n".join(lines)

    def interface(self):
        """The subroutine in C, under the user's name if he calls it himself."""
        name = self.name if self.is_direct() else self.glue
        names = [*(one.name for one in self.arguments), "ierror"]
        head = continued(f"subroutine {name}(", names, f") bind(C, name='{self.glue}')")
        lines = remark(self.what) if self.is_direct() else []
        lines += [*head, "    import"]
        lines += [f"    {one.fortran}" for one in self.arguments]
        lines += ["    integer(c_int), optional, intent(out) :: ierror", "end subroutine\n"]
        return "\n".join(f"        {line}" if line.strip() else "" for line in lines)

    def subroutine(self):
        """With logicals."""
        names = [*(one.name for one in self.arguments), "ierror"]
        lines = [*remark(self.what), *continued(f"subroutine {self.name}(", names, ")")]
        inner, before, after, given = [], [], [], []
        for one in self.arguments:
            if not one.logical:
                lines.append(f"    {one.fortran}")
                given.append(one.name)
                continue
            words = one.fortran.replace("integer(c_int)", "logical")
            array = one.logical != "1"
            lines.append(f"    {words}")
            inner.append(
                f"    integer(c_int) :: {one.name}_c" + ("(max(ndims, 0))" if array else "")
            )
            given.append(f"{one.name}_c")
            if "intent(out)" in words:
                after.append(f"    {one.name} = {one.name}_c /= 0")
            elif "optional" in words:
                before.append(f"    {one.name}_c = 0")
                place = f"{one.name}(1:size({one.name}_c))"
                before.append(
                    f"    if (present({one.name})) {one.name}_c = merge(1_c_int, 0_c_int, {place})"
                )
            elif array:
                place = f"{one.name}(1:size({one.name}_c))"
                before.append(f"    {one.name}_c = merge(1_c_int, 0_c_int, {place})")
            else:
                before.append(f"    {one.name}_c = merge(1_c_int, 0_c_int, {one.name})")
            if "intent(out)" in words:
                before.append(f"    {one.name}_c = 0")
        lines.append("    integer(c_int), optional, intent(out) :: ierror")
        lines += [*inner, *before]
        lines += [
            f"    {line}" for line in continued(f"call {self.glue}(", [*given, "ierror"], ")")
        ]
        lines += [*after, "end subroutine\n"]
        return "\n".join(f"    {line}" if line.strip() else "" for line in lines)


# After these a communicator may be there that was begun before.
COMPLETING = {
    f"caucus_{word}{many}" for word in ("wait", "test") for many in ("", "all", "any", "some")
} | {"caucus_request_free"}


def word_f2c(word, p):
    return f"MPI_{word}_f2c(*{p.name})"


def closing(one):
    """What has been opened when a later opening fails; nothing is written back."""
    return [line.replace("true", "false") for line in one.failed or one.after]


def sentence(comment):
    """The first paragraph of a comment."""
    lines = [re.sub(r"^\s*/?\*+/?\s?", "", line).strip() for line in comment.splitlines()]
    text = "\n".join(lines).strip().split("\n\n")[0]
    return re.sub(r"@p (\w+)", r"\1", " ".join(text.split()))


def wrapped(head, words, tail):
    """A line of C, with its words whole."""
    whole = head + ", ".join(word.replace(" ", "~") for word in words) + tail
    text = textwrap.fill(whole, WIDTH, subsequent_indent=" " * 8, break_long_words=False)
    return text.replace("~", " ")


def remark(text):
    return textwrap.wrap(f"!> {text}", 84, subsequent_indent="!> ")


def continued(head, names, tail):
    """The lines of a statement in Fortran."""
    lines = textwrap.wrap(head + ", ".join(names) + tail, 84, break_long_words=False)
    return [
        ("    " if number else "") + line + (" &" if number < len(lines) - 1 else "")
        for number, line in enumerate(lines)
    ]


def calls(folder):
    headers = [header for header in read(folder) if header.name not in LEFT_OUT]
    found = [function for header in headers for function in functions(header)]
    return [Call(function) for function in found if not function.is_type]


def generics(found):
    """A function with large counts goes by the other one's name, too, as in mpi_f08."""
    names = {call.name for call in found}
    for name in sorted(name for name in names if f"{name}_c" in names):
        yield f"    interface {name}\n        procedure {name}, {name}_c\n    end interface\n"


def module(found):
    direct = [call for call in found if call.is_direct()]
    others = [call for call in found if not call.is_direct() and call.name not in REPORTS]
    lines = [
        "! SPDX-License-Identifier: BSD-3-Clause",
        f"! {NOTE}",
        "!> The functions of the module caucus, but for texts and reports.",
        "module caucus_functions",
        "    use, intrinsic :: iso_c_binding, only: c_double, c_int",
        "    use mpi_f08, only: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, &",
        "        MPI_Group, MPI_Info, MPI_Op, MPI_Request, MPI_Status",
        "    use caucus_types",
        "    implicit none",
        "    private",
        *(f"    public :: {call.name}" for call in direct + others),
        "\n    interface",
        *(call.interface() for call in direct + others),
        "    end interface\n",
        *generics(found),
        "contains\n",
        *(call.subroutine() for call in others),
        "end module",
    ]
    return "\n".join(lines) + "\n"


def glue(found):
    head = "/* SPDX-License-Identifier: BSD-3-Clause */\n"
    head += f'/* {NOTE} */\n#include "fortran/glue.h"\n\n#include <stdlib.h>\n'
    return "\n".join([head, *(call.c() for call in found)])


def write(folder, headers):
    found = calls(headers)
    (folder / "caucus_functions.f90").write_text(module(found))
    (folder / "caucus_fortran.c").write_text(glue(found))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("headers", type=Path)
    chosen = parser.parse_args()
    write(chosen.folder, chosen.headers)


if __name__ == "__main__":
    main()
