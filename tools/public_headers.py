# SPDX-License-Identifier: BSD-3-Clause
"""What the public headers declare, with the comments: read by the test that all is commented, by
the manual pages, and by the lists of what the libraries export."""

import re
from dataclasses import dataclass
from pathlib import Path

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# A comment may be kept by its number, so that what is left is C without comments.
MARK = re.compile(r"@(\d+)@")
FUNCTION = re.compile(
    r"(?P<result>[\w\s*]+?)\b(?P<name>caucus_\w+)\s*\((?P<parameters>[^()]*)\)\s*;"
)
TOPIC = re.compile(r"@(?:defgroup|addtogroup|ingroup)\s+(\w+)")


@dataclass
class Header:
    name: str
    text: str


@dataclass
class Function:
    name: str
    prototype: str  # without what stands before it; of a callback, with typedef
    parameters: list  # names
    has_result: bool
    comment: str  # "" if Doxygen would take none
    topic: str  # the group that it is in

    @property
    def is_type(self):
        """A type of functions that the user writes, rather than a function."""
        return self.prototype.startswith("typedef ")


def read(folder):
    """All headers of a folder."""
    return [Header(path.name, path.read_text()) for path in sorted(Path(folder).glob("*.h"))]


def marked(text):
    """The text with every comment as a mark, directives left out, and the comments."""
    comments = COMMENT.findall(text)
    numbers = iter(range(len(comments)))
    text = COMMENT.sub(lambda _: f"@{next(numbers)}@", text)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"^[ \t]*#[^\n]*", "", text, flags=re.MULTILINE)
    return text.replace('extern "C" {', ""), comments


def comment_before(code, at, comments):
    """The comment that ends right before a declaration, if Doxygen would take it, else ""."""
    before = re.search(r"@(\d+)@\s*$", code[:at])
    text = comments[int(before.group(1))] if before else ""
    return text if text.startswith("/**") and "@{" not in text and "@}" not in text else ""


def topic_at(code, at, comments, comment=""):
    """The group of what is declared there: its own word for it, or the last one that opened."""
    marks = [comments[int(number)] for number in MARK.findall(code[:at])]
    opened = [text for text in marks if "@{" in text]
    found = TOPIC.search(comment) or TOPIC.search(opened[-1] if opened else "")
    return found.group(1) if found else ""


def functions(header):
    """Every function of a header, in its order, and every type of a callback."""
    code, comments = marked(header.text)
    for match in FUNCTION.finditer(code):
        result = match["result"]
        begin = match.start() + len(result) - len(result.lstrip())
        parameters = [
            re.search(r"(\w+)\s*(?:\[\w*\])*$", MARK.sub("", one).strip()).group(1)
            for one in match["parameters"].split(",")
            if one.strip() != "void"
        ]
        comment = comment_before(code, begin, comments)
        yield Function(
            match["name"],
            " ".join(MARK.sub("", code[begin : match.end()]).split()),
            parameters,
            result.replace("typedef", "").strip() != "void",
            comment,
            topic_at(code, begin, comments, comment),
        )
