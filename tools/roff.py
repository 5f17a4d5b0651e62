# SPDX-License-Identifier: BSD-3-Clause
"""The words of a Doxygen comment as a manual page has them: paragraphs, lists, tables, code. Knows
what the headers use: @p, @ref, @par, @code, lists with '-', tables with '|', **bold**."""

import re
import textwrap

WIDTH = 78
CODE = re.compile(r"@code\n(.*?)@endcode", re.DOTALL)


def plain(comment):
    """The text of a comment without its frame of stars."""
    lines = re.sub(r"^/\*+<?|\*+/$", "", comment.strip()).split("\n")
    return "\n".join(re.sub(r"^\s*\* ?", "", line).rstrip() for line in lines).strip()


def escaped(text):
    """Text in which nothing means anything to troff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def italic(text):
    return f"\\fI{escaped(text)}\\fR"


def page_of_topic(topic):
    return f"caucus_{topic}"


def inline(text, known):
    """One line of running text; the names in `known` are pages of section 3."""
    text = escaped(" ".join(text.split()))
    text = re.sub(r"@p (\w+)", r"\\fI\1\\fR", text)
    text = re.sub(r"@ref (\w+)", lambda found: f"\\fB{page_of_topic(found[1])}\\fR(7)", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"\\fB\1\\fR", text)
    text = re.sub(r"(?<!\w)(?:::|#)(?=\w)", "", text)

    def page(found):
        return f"\\fB{found[1]}\\fR(3)" if found[1] in known else found[0]

    return re.sub(r"(?<![\w\\/])(caucus_\w+)(?:\(\))?(?![\w/])", page, text)


def filled(text, known):
    """Running text, in lines that an editor shows whole."""
    lines = textwrap.wrap(
        inline(text, known), WIDTH, break_on_hyphens=False, break_long_words=False
    )
    return "".join(f"\\&{line}\n" if line[:1] in (".", "'") else f"{line}\n" for line in lines)


def code(text):
    return f".PP\n.RS 4\n.nf\n{escaped(textwrap.dedent(text).rstrip())}\n.fi\n.RE\n"


def tagged(tag, text, known):
    """An entry of a list; tag is ready for troff."""
    return f".TP\n{tag}\n{filled(text, known)}"


def _table(lines, known):
    """Each row under its first cell, what the others are in front of them."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    heads, entries = rows[0], [row for row in rows[1:] if not set(row[0]) <= set("-: ")]
    made = []
    for row in entries:
        words = [f"{head}: {cell}" for head, cell in zip(heads[1:], row[1:]) if cell]
        made.append(tagged(f"\\fB{escaped(row[0])}\\fR", "; ".join(words) + ".", known))
    return "".join(made)


def _list(lines, known):
    items = re.split(r"^- ", "\n".join(lines), flags=re.MULTILINE)[1:]
    return "".join(f".IP \\(bu 2\n{filled(item, known)}" for item in items)


def _kind(line, before):
    if line.startswith("|"):
        return "table"
    if line.startswith("- ") or (before == "list" and line.startswith(" ")):
        return "list"
    return "text"


def _block(text, known):
    """What stands between empty lines: perhaps a heading, running text, then perhaps a list or a
    table."""
    heading = re.match(r"@par (.*)\n?", text)
    if heading:
        rest = text[heading.end() :]
        return f".PP\n{bold(heading[1])}\n" + (_block(rest, known) if rest else "")
    parts = []
    for line in text.split("\n"):
        kind = _kind(line, parts[-1][0] if parts else "")
        if not parts or parts[-1][0] != kind:
            parts.append((kind, []))
        parts[-1][1].append(line)
    made = {
        "text": lambda lines: ".PP\n" + filled(" ".join(lines), known),
        "list": lambda lines: _list(lines, known),
        "table": lambda lines: _table(lines, known),
    }
    return "".join(made[kind](lines) for kind, lines in parts)


def body(text, known):
    """Paragraphs of a comment, as plain() gives it."""
    made = []
    for number, part in enumerate(CODE.split(text)):
        if number % 2:
            made.append(code(part))
            continue
        blocks = (block.strip("\n") for block in re.split(r"\n\s*\n", part))
        made += [_block(block, known) for block in blocks if block.strip()]
    return "".join(made)
