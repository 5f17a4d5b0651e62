#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/results/index.md, the one page of results, from docs/results/index.json and from the
tables of the pages that it names; with --check, says whether the page is as it would be written.

index.json has "papers" (each with its figures and tables: what they show, theirs, MPI's own, ours,
or why not), "targets" (what the project promised itself, from the tables of pages or in words, with
a piece of the page that shows it, and the limits "most" and "least" of figures where it is kept),
"sources" (where, when and how each page was measured), "others" (pages that are no measurements)
and "experiments" (what make bench repeats, in how many minutes). Figures in braces are taken from
the tables of pages (tools/page_tables.py)."""

import json
import re
import sys

from page_tables import FOLDER, WrongFigure, chosen, filled, number, page, table

DATA, PAGE = FOLDER / "index.json", FOLDER / "index.md"
KINDS = """\
- *real*: processes of one machine, which share its cores where there are more of them;
- *virtual nodes*: real processes on nodes that are name spaces of one machine, with real cards of a
  given speed between them ([how](../lab.md)): bytes are exact, times are those of cores that are
  shared;
- *simulated*: schedules, or the whole program under SimGrid's SMPI, by a simulated clock;
- *planned*: no MPI and no clock in it: plans are made and counted, the same on every machine."""
HEAD = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: python3 tools/results_page.py -->
# Results on one page

Every figure and table of the five papers that Caucus began with, with what was measured here beside
it; [what was promised and what became of it](#promises); and [where, when and how](#how) each page
was measured. Each figure leads to the page that it is taken from. No machine of the papers was at
hand: what stands beside their figures shows whether the same effect is seen, and how large it is
here. MPI's own is in its best setting and its fastest form, with two exceptions. Rows of two ranks
on one machine in [rootless broadcasts](rootless.md) and [making groups](create-group.md) are
against MPI in the setting for more ranks than cores, which may be slower there, and have yet to be
measured again, and so have the shares and worst cells that they are part of; and
[between groups](intergroup.md) its persistent form
was not measured.

{kinds}

`make bench` measures some of all this in a minute or two on two ranks, `make bench ONLY=NAME` one
experiment, `make bench FULL=1` all of them ([times](#how)).
"""


class Target:
    """A line of the table of promises."""

    def __init__(self, words, verdict, found, where):
        self.words, self.verdict, self.found, self.where = words, verdict, found, where


def read():
    return json.loads(DATA.read_text(encoding="utf-8"))


def link(name, words=None):
    return f"[{words or name}]({name}.md)"


def markdown(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def paper_lines(paper):
    """The section of a paper."""
    yield from (f"### {paper['capability']}", f"{paper['cite']}.", "")
    rows, left_out = [], []
    for entry in paper["figures"]:
        if "why_not" in entry:
            left_out.append(f"- *{entry['figure']}* ({entry['shows']}): {entry['why_not']}.")
            continue
        rows.append(
            [
                f"**{entry['figure']}**: {entry['shows']}",
                filled(entry["theirs"]),
                filled(entry["mpi"]),
                filled(entry["ours"]),
                filled(entry["verdict"]),
                f"{entry['kind']}, {link(entry['source'])}",
            ]
        )
    yield from markdown(["figure", "paper", "MPI's own", "Caucus", "in a word", "how"], rows)
    if left_out:
        yield from ("Not measured:", "", *left_out, "")


def verdict(kept, cells):
    if cells == 0:
        return "nothing to judge"
    return "kept" if kept == cells else "not kept" if kept == 0 else f"{kept} of {cells}"


def _of_row(name, row):
    """A target out of a page's own table."""
    words = row.get("promise") or row["aim"]
    cells, kept = (
        int(number(row[key])) for key in ("cells" if "cells" in row else "judged", "kept")
    )
    said = [row.get("worst", ""), row.get("which", "")]
    said = [part for part in said if part not in ("", "–")]
    found = [f"all {cells}"] if cells and kept == cells else []
    found += [f"worst {said[0]}" + (f" ({said[1]})" if len(said) > 1 else "")] if said else []
    return Target(words, verdict(kept, cells), "; ".join(found) or "–", name)


def _of_table(entry):
    rows = chosen(entry["page"], entry["table"], "")
    kept = sum(row["kept"] == "yes" for row in rows)
    return Target(entry["target"], verdict(kept, len(rows)), filled(entry["found"]), entry["page"])


def _of_words(entry):
    if entry["shown"] not in page(entry["page"]):
        raise WrongFigure(f"{entry['page']}.md does not say '{entry['shown']}'")
    for asked, limit in entry.get("most", {}).items():
        _check(entry, number(filled(asked)) <= limit)
    for asked, limit in entry.get("least", {}).items():
        _check(entry, number(filled(asked)) >= limit)
    return Target(entry["target"], entry["verdict"], filled(entry["found"]), entry["page"])


def _check(entry, is_good):
    """Figures that have limits are within them if the verdict is "kept"."""
    if not is_good and entry["verdict"] == "kept":
        raise WrongFigure(f"'{entry['target']}' is not kept, says {entry['page']}.md")


def targets_of(section):
    for entry in section["rows"]:
        if entry.get("all"):
            titles = ("What was promised", "What was aimed at")
            title = next(title for title in titles if f"**{title}**" in page(entry["page"]))
            yield from (_of_row(entry["page"], row) for row in table(entry["page"], title))
        elif "table" in entry:
            yield _of_table(entry)
        else:
            yield _of_words(entry)


def kind_of(verdict):
    """Under which word a verdict is counted."""
    part = re.match(r"(\d+) of (\d+)", verdict)
    if not part:
        return verdict
    return "in part" if 2 * int(part[1]) >= int(part[2]) else "in less than half of the cells"


def target_lines(sections):
    """How many promises were kept, and a table for each capability."""
    lines, counts = [], {}
    for section in sections:
        rows = []
        for target in targets_of(section):
            known = kind_of(target.verdict)
            counts[known] = counts.get(known, 0) + 1
            name = target.where.rpartition("/")[2]
            rows.append([target.words, target.verdict, target.found, link(target.where, name)])
        lines += [f"**{section['capability']}**", ""]
        lines += markdown(["target", "kept", "found", "page"], rows)
    words = ", ".join(f"{count} {name}" for name, count in counts.items())
    yield from ("## Promises", f"{sum(counts.values())} targets of the project: {words}.")
    yield from (
        "*n of m*: in so many of the cells that were judged. The reasons stand on the pages.",
        "",
    )
    yield from lines


def source_lines(sources):
    """When, where and how each page was measured."""
    rows = [
        [
            link(entry["page"], entry["what"]),
            entry["kind"],
            entry["machine"],
            f"{entry['commit']}, {entry['date']}",
            ", ".join(f"`{command}`" for command in entry["commands"]),
        ]
        for entry in sources
    ]
    yield from (
        "## How",
        "A page says more on its conditions. The commit is that of the sources that",
    )
    yield from ("were measured, or where that is not told that which brought the page.", "")
    yield from markdown(["page", "kind", "machine", "commit, date", "commands"], rows)


def other_lines(others):
    """Pages that are no measurements of speed or size."""
    yield from ("What was done to find runs that hang or are wrong stands on pages of its own:", "")
    yield from (f"- {link(entry['page'])}: {entry['what']}" for entry in others)
    yield ""


def experiment_lines(experiments):
    """What make bench ONLY=NAME does, and how long it takes."""
    rows = [
        [
            f"`{entry['name']}`",
            f"`{entry['command']}`",
            f"{entry['minutes']} min",
            entry["took"] or "not timed",
            ", ".join(entry["needs"]) or "–",
            ", ".join(link(name) for name in entry["pages"]),
        ]
        for entry in experiments
    ]
    total = sum(entry["minutes"] for entry in experiments)
    yield "`make bench ONLY=NAME` runs one of these experiments, `make bench FULL=1` all, one after"
    yield f"the other, in at most {total / 60:.1f} hours: each is ended when its time is over."
    yield from ("*Took*: where it is known, on 2 cores.", "")
    columns = ["name", "experiment", "at most", "took", "needs", "page"]
    yield from markdown(columns, rows)


def written():
    """The whole page."""
    data = read()
    lines = [HEAD.format(kinds=KINDS), "## The papers", ""]
    for paper in data["papers"]:
        lines += paper_lines(paper)
    lines += target_lines(data["targets"])
    lines += source_lines(data["sources"])
    lines += other_lines(data["others"])
    lines += experiment_lines(data["experiments"])
    return "\n".join(lines).rstrip() + "\n"


def main():
    try:
        text = written()
    except WrongFigure as error:
        return f"results_page: {error}"
    if "--check" in sys.argv[1:]:
        same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        return 0 if same else f"{PAGE} is old: run python3 tools/results_page.py"
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
