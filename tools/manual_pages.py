# SPDX-License-Identifier: BSD-3-Clause
"""The manual pages of the C interface, from the comments of the public headers: section 3 has one
for each function and each type of a callback, section 7 one for each topic, with its types, to
which their names lead, and caucus(7), which leads to these.

python3 tools/manual_pages.py VERSION OUTPUT FOLDER_OF_HEADERS...
"""

import re
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

import roff
from public_headers import functions, marked, read, topic_at

WITHOUT_MPI = ("plan.h", "schedule.h")
DECLARED = re.compile(
    r"(?P<comment>/\*\*(?:(?!\*/).)*\*/)\n"
    r"(?P<code>#define \w+[^\n]*|(?:typedef |struct |enum )[^;{(]*(?:\{[^{}]*\}[^;]*)?;)",
    re.DOTALL,
)
EVERYWHERE = re.compile(r"@mainpage .*?^What holds everywhere.*?\n(.*)", re.DOTALL | re.MULTILINE)
NOT_COMPARED = (
    "Ranks do not compare their arguments, such as counts and roots, unless CAUCUS_CHECK=1 is set "
    "in the environment. Where these contradict each other, results may be wrong, or the call may "
    "wait for ever, as with MPI's own."
)
OPENED = re.compile(r"@defgroup (\w+) ([^\n]*)\n@brief (.*?)(?=\n\s*\n|\Z)", re.DOTALL)
MEMBER = (
    r"(?:/\*\*(?P<before>[^<](?:(?!\*/).)*)\*/\s*)?(?P<code>\w[^/{end}]*){end}{often}"
    r"\s*(?:/\*\*<(?P<after>(?:(?!\*/).)*)\*/)?"
)
MEMBERS = {
    "enum": re.compile(MEMBER.format(end=",", often="?"), re.DOTALL),
    "struct": re.compile(MEMBER.format(end=";", often=""), re.DOTALL),
}
SIGNED = '.\\" SPDX-License-Identifier: BSD-3-Clause\n.\\" Made of include/caucus/%s\n'


@dataclass
class Topic:
    name: str
    title: str
    brief: str
    text: str
    header: str
    types: list = field(default_factory=list)  # (comment, code)
    functions: list = field(default_factory=list)


def included(header):
    return header if header in WITHOUT_MPI else "caucus.h"


def heading(name, section, version, header):
    library = "caucus_plan" if header in WITHOUT_MPI else "caucus"
    return (
        SIGNED % header
        + f'.TH {name.upper()} {section} "" "Caucus {version}" "Caucus Manual"\n.nh\n.ad l\n'
        + ".SH NAME\n%s"
        + f".SH LIBRARY\nlib{library} (pkg\\-config {library}, CMake caucus::{library})\n"
        + f".SH SYNOPSIS\n.nf\n\\fB#include <caucus/{included(header)}>\\fR\n"
    )


def sentence(text):
    """The first sentence, for a list of pages."""
    first = (
        re.match(r".*?(?:(?<!\.)[.:](?=\s)|$)", " ".join(text.split()), re.DOTALL)
        .group()
        .rstrip(".:")
    )
    return first[:1].lower() + first[1:] if re.match(r"[A-Z][a-z ]", first) else first


def named(name, words, known):
    """The line under NAME, which whatis and apropos read: no fonts, no references."""
    text = re.sub(r"\\f[BIR]|\(3\)", "", roff.inline(words, known))
    return f"{name} \\- {text}\n"


def parted(comment):
    """(description, [(direction, name, words)], what is returned) of a function's comment."""
    text = roff.plain(comment)
    head, *tags = re.split(r"^@(?=param|return)", text, flags=re.MULTILINE)
    parameters, result = [], ""
    for tag in tags:
        found = re.match(r"param\[([\w,]+)\] (\w+)\s+(.*)", tag, re.DOTALL)
        if found:
            parameters.append((found[1].replace(",", ", "), found[2], found[3]))
        else:
            result = tag[len("return") :]
    return head.strip(), parameters, result.strip()


def laid_out(prototype):
    """A prototype over several lines, its parameters under each other."""
    hang = " " * min(prototype.index("(") + 1, 32)
    kept = re.sub(r" (?=[^(),]*[,)])", "\0", prototype)  # a line never ends within a parameter
    kept = re.sub(r"(?<=,)\0", " ", kept)
    lines = textwrap.wrap(kept, roff.WIDTH - 8, subsequent_indent=hang, break_on_hyphens=False)
    lines = [line.replace("\0", " ") for line in lines]
    return "\n".join(roff.bold(line) for line in lines)


def speaking_of_threads(text):
    """Its sentences that do."""
    blocks = re.split(r"\n\s*\n|^- ", roff.CODE.sub("", text), flags=re.MULTILINE)
    sentences = [one for block in blocks for one in re.split(r"(?<=\.)\s+(?=[A-Z])", block)]
    return " ".join(one for one in sentences if re.search(r"\b[Tt]hreads?\b", one))


def paragraph_on_threads(text):
    found = re.search(r"^Threads: (.*?)(?=\n\s*\n|\Z)", text, re.DOTALL | re.MULTILINE)
    return found[1] if found else ""


def threads(function, topic):
    """Which threads may call it: what its comment says, and its topic if that is not all."""
    text = parted(function.comment)[0]
    own = paragraph_on_threads(text) or speaking_of_threads(text).replace("Local; any", "Any")
    any_thread = [one for one in own.split(". ") if re.search(r"\b[Aa]ny thread\b", one)]
    if any_thread or (own and (function.is_type or paragraph_on_threads(text))):
        own, said = ". ".join(any_thread) or own, ""
    else:
        said = paragraph_on_threads(topic.text) or speaking_of_threads(topic.text)
    return " ".join(f"{one[:1].upper()}{one[1:]}" for one in (own, said) if one)


def checked_only_if_asked(function, topic):
    """A collective that is no init: those compare arguments in any case."""
    return topic.name.endswith("collective") and not (
        {"comm", "group"}.isdisjoint(function.parameters)
        or re.search(r"_init(_c)?$", function.name)
    )


def told_by_topic(function, topic):
    """What holds for all of a topic and is missed where one reads of a single function."""
    made = ""
    if checked_only_if_asked(function, topic):
        made += f".SH NOTES\n{roff.filled(NOT_COMPARED, set())}"
    told = "collective" if topic.name == "group_collective" else topic.name
    if (told != topic.name or "Cost:" in topic.text) and "Cost:" not in function.comment:
        made += f".SH COST\nSee \\fB{roff.page_of_topic(told)}\\fR(7).\n"
    return made


def stem(name, names):
    """What the forms of one collective have in common."""
    bare = re.sub(r"(_init)?(_c)?$", "", name)
    blocking = re.sub(r"^(caucus_(?:group_)?)i(?=\w)", r"\1", bare)
    return blocking if blocking in names else bare


def others(function, topic, known):
    """What to read next: the topics and functions that are referred to, and the other forms of the
    function or, if it has none, what stands around it."""
    names = [one.name for one in topic.functions]
    at = names.index(function.name)
    near = [name for name in names if stem(name, names) == stem(function.name, names)]
    near = near if near != [function.name] else names[max(0, at - 4) : at + 5]
    text = f"{roff.plain(function.comment)} {threads(function, topic)}"
    topics = [topic.name, *re.findall(r"@ref (\w+)", text)]
    pages = [f"\\fB{roff.page_of_topic(name)}\\fR(7)" for name in dict.fromkeys(topics)]
    named = [name for name in re.findall(r"\bcaucus_\w+", text) if name in known]
    wanted = [name for name in dict.fromkeys([*near, *named]) if name != function.name]
    return ",\n".join(pages + [f"\\fB{name}\\fR(3)" for name in wanted]) + "\n"


def function_page(function, header, topic, version, known):
    text, parameters, result = parted(function.comment)
    known = known - {function.name}
    made = [
        heading(function.name, 3, version, header) % named(function.name, sentence(text), known),
        f".PP\n{laid_out(function.prototype)}\n.fi\n.SH DESCRIPTION\n{roff.body(text, known)}",
    ]
    if parameters:
        made.append(".SH PARAMETERS\n")
    for direction, name, words in parameters:
        made.append(roff.tagged(f"{roff.italic(name)} ({direction})", words, known))
    if result:
        made.append(f".SH RETURN VALUE\n{roff.filled(result, known)}")
    made.append(f".SH THREADS\n{roff.filled(threads(function, topic), known)}")
    made.append(told_by_topic(function, topic))
    made.append(f".SH SEE ALSO\n{others(function, topic, known)}")
    return "".join(made)


def members(code, known):
    """The members of a struct or the constants of an enum."""
    inside = re.search(r"\{(.*)\}", code, re.DOTALL)
    if not inside:
        return ""
    kind = "enum" if re.match(r"(?:typedef )?enum", code) else "struct"
    made = []
    for found in MEMBERS[kind].finditer(inside[1].strip()):
        words = roff.plain(f"/**{found['before'] or found['after'] or ''}*/")
        made.append(roff.tagged(roff.bold(" ".join(found["code"].split())), words, known))
    return f".RS 4\n{''.join(made)}.RE\n"


def type_entry(comment, code, known):
    """A type, a constant or a macro, with what it is made of."""
    text = re.sub(r"@ingroup \w+", "", roff.plain(comment))
    head = re.sub(r"\s*\{.*\}", " { ... }", code, flags=re.DOTALL)
    return (
        f".PP\n{roff.bold(' '.join(head.split()))}\n.RS 4\n"
        f"{roff.body(text, known)}.RE\n{members(code, known)}"
    )


def topic_page(topic, version, known):
    name = roff.page_of_topic(topic.name)
    about = topic.title[:1].lower() + topic.title[1:]
    made = [
        heading(name, 7, version, topic.header) % named(name, f"{about}", known),
        ".fi\n.SH DESCRIPTION\n",
        roff.body(f"{topic.brief}\n\n{topic.text}", known),
    ]
    if topic.types:
        made.append(".SH TYPES AND CONSTANTS\n")
        made += [type_entry(comment, code, known) for comment, code in topic.types]
    if topic.functions:
        made.append(".SH FUNCTIONS\n")
    for function in topic.functions:
        words = sentence(parted(function.comment)[0])
        made.append(roff.tagged(f"\\fB{function.name}\\fR(3)", f"{words}.", known))
    made.append(".SH SEE ALSO\n\\fBcaucus\\fR(7), \\fBcaucus\\fR(1)\n")
    return "".join(made)


def entry_page(text, all_topics, version, known):
    """caucus(7): the topics, and what holds for all."""
    about = "group communication that MPI promises, from C"
    made = [
        heading("caucus", 7, version, "caucus.h") % named("caucus", about, known),
        ".fi\n.SH DESCRIPTION\n",
        "Each topic has a page of section 7, each function one of section 3.\n.SH TOPICS\n",
    ]
    for topic in sorted(all_topics.values(), key=lambda topic: topic.name):
        page = f"\\fB{roff.page_of_topic(topic.name)}\\fR(7)"
        made.append(roff.tagged(page, f"{topic.title}.", known))
    made.append(f".SH WHAT HOLDS EVERYWHERE\n{roff.body(text, known)}")
    made.append(".SH SEE ALSO\n\\fBcaucus\\fR(1), the command\n")
    return "".join(made)


def topics(headers):
    """{name: Topic}, with all that the headers declare."""
    found = {}
    for header in headers:
        for comment in marked(header.text)[1]:
            opened = OPENED.search(roff.plain(comment))
            if opened:
                text = roff.plain(comment)[opened.end() :].replace("@{", "")
                brief = opened[3].replace("@{", "").strip()
                found[opened[1]] = Topic(opened[1], opened[2], brief, text, header.name)
    for header in headers:
        for function in functions(header):
            found[function.topic].functions.append(function)
        for match in DECLARED.finditer(header.text):
            if "@{" in match["comment"] or "@file" in match["comment"]:
                continue
            code, comments = marked(header.text[: match.start()])
            name = topic_at(code, len(code), comments, match["comment"])
            found[name].types.append((match["comment"], match["code"]))
    return found


def pages(headers, version):
    """{name of the file: text} of all pages."""
    all_topics = topics(headers)
    known = {function.name for header in headers for function in functions(header)}
    made = {}
    for header in headers:
        for function in functions(header):
            topic = all_topics[function.topic]
            text = function_page(function, header.name, topic, version, known)
            made[f"{function.name}.3"] = text
    for topic in all_topics.values():
        for _, code in topic.types:
            for name in re.findall(r"\bcaucus_\w+(?=;$)|(?<=^struct )caucus_\w+", code):
                page = f"man7/{roff.page_of_topic(topic.name)}.7"
                made[f"{name}.3"] = f"{SIGNED % topic.header}.so {page}\n"
        made[f"{roff.page_of_topic(topic.name)}.7"] = topic_page(topic, version, known)
    for header in headers:
        for comment in marked(header.text)[1]:
            told = EVERYWHERE.search(roff.plain(comment))
            if told:
                made["caucus.7"] = entry_page(told[1], all_topics, version, known)
    return {
        name: re.sub(r"^(\.SH .*\n)\.PP\n", r"\1", text, flags=re.M) for name, text in made.items()
    }


def main(version, output, *folders):
    """Writes what has changed, and takes away what is no longer made."""
    made = pages([header for folder in folders for header in read(folder)], version)
    for section in ("3", "7"):
        folder = Path(output) / f"man{section}"
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.iterdir():
            if path.name not in made:
                path.unlink()
    for name, text in made.items():
        (Path(output) / f"man{name[-1]}" / name).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
