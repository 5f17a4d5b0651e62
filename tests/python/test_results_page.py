# SPDX-License-Identifier: BSD-3-Clause
"""The one page of results: as the tool makes it, with every figure and table of the papers, and
with pages, sections, experiments and programs that are there."""

import re
from pathlib import Path

import pytest

import page_tables
import results_page

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results"
DATA = results_page.read()
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([\w-]+))?\)")

# What the papers have. Slides number nothing: what is said of a figure begins so.
PAPERS = {
    "cartesian": (
        "Table: codes that use MPI_Cart_create",
        "Table: does process topology matter?",
        "Three drawings",
        "Comparing 2D halo exchanges",
        "Comparing 3D halo exchanges",
        "Table: comparing on- and off-node communication",
        "Table: performance in a stencil sweep",
        "How important is network topology?",
        "Table: comparison with process mapping",
    ),
    "persistent": (
        "Drawings",
        *(
            f"{name} over {what}"
            for name in ("bcast", "reduce", "scatter", "allreduce", "alltoall")
            for what in ("processes", "sizes")
        ),
    ),
    "intergroup": ("Abstract", "Figures and tables of the paper itself"),
    "groups": ("Algorithm 1", "Figure 1", "Figure 2", "Table 1"),
    "rootless": ("Figure 1", "Figure 2", "Figure 3", "Figure 4"),
}
FIGURE = {"figure", "shows", "kind", "theirs", "mpi", "ours", "verdict", "source"}


def test_the_page_is_what_the_tool_makes():
    made = results_page.written()
    assert (RESULTS / "index.md").read_text() == made, "run: python3 tools/results_page.py"


@pytest.mark.parametrize("paper", DATA["papers"], ids=lambda paper: paper["key"])
def test_every_figure_of_a_paper_is_there(paper):
    named = [entry["figure"] for entry in paper["figures"]]
    missing = [
        wanted for wanted in PAPERS[paper["key"]]
        if not any(name.startswith(wanted) for name in named)
    ]  # fmt: skip
    assert missing == []
    for entry in paper["figures"]:
        assert set(entry) in (FIGURE, {"figure", "shows", "why_not"}), entry["figure"]
        assert all(entry.values()), entry["figure"]


def test_every_paper_is_there():
    assert {paper["key"] for paper in DATA["papers"]} == set(PAPERS)


def anchors(text):
    """The sections of a page, as Sphinx and GitHub name them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in words}


def test_every_link_leads_somewhere():
    text = (RESULTS / "index.md").read_text()
    for target, section in set(LINK.findall(text)):
        path = (RESULTS / target).resolve() if target else RESULTS / "index.md"
        assert path.exists(), target
        assert not section or section in anchors(path.read_text()), f"{target}#{section}"


def test_every_page_of_results_is_named():
    named = {entry["page"] for part in ("sources", "others") for entry in DATA[part]}
    assert named == {path.stem for path in RESULTS.glob("*.md")} - {"index"}


def source_of(command):
    """The file that a command of the page runs."""
    program = command.split()[0]
    built = re.fullmatch(r"build/\w+/(bin|tests)/(\w+)", program)
    if built:
        return next((ROOT / f for f in (f"bench/{built[2]}.c", f"tests/mpi/{built[2]}.c")
                     if (ROOT / f).exists()), None)  # fmt: skip
    return ROOT / ("bindings/python/caucus/cli.py" if program == "caucus" else program)


def test_every_command_runs_something():
    commands = [command for entry in DATA["sources"] for command in entry["commands"]]
    commands += [entry["command"] for entry in DATA["experiments"]]
    lost = [command for command in commands if not (source_of(command) or ROOT / "-").exists()]
    assert lost == []


def test_every_source_says_where_and_when():
    for entry in DATA["sources"]:
        assert re.match(r"[0-9a-f]{7}( to [0-9a-f]{7})?$", entry["commit"]), entry["page"]
        assert re.match(r"2026-\d\d-\d\d$", entry["date"]) and entry["machine"], entry["page"]
    for entry in DATA["experiments"]:
        assert entry["minutes"] > 0, entry["name"]


TABLES = """\
# A page

**Times**

| MPI | bytes | ours | all | ours |
|---|---:|---|---|---|
| a | 1,024 | 2.5 (9) | 4 | 10 |
| a | 2,048 | 5 × | 1 | 20 |
| b | 1,024 | – | 3 | 30 |
"""


@pytest.fixture
def pages(tmp_path, monkeypatch):
    (tmp_path / "times.md").write_text(TABLES)
    monkeypatch.setattr(page_tables, "FOLDER", tmp_path)


@pytest.mark.parametrize(
    "asked, words",
    [
        ("{times|Times|MPI=a|ours}", "2.5 to 5"),
        ("{times|Times|MPI=a; bytes>=2000|ours}", "5"),
        ("{times|Times||ours#2 / all}", "2.5 to 20"),
        ("{times|Times||ours}", "2.5 to 5 (2 of 3 rows)"),
        ("{times|Times|MPI=a|ours & all}", "1 to 2.5"),
        ("{times|Times||median:ours#2}", "20"),
        ("{times|Times|bytes<=1500|bytes}", "1,024"),
        ("{times|Times|MPI=a; bytes>=2000|text:ours}", "5 ×"),
        ("{a set} of {times|Times|MPI=b|all} is 3", "{a set} of 3 is 3"),
    ],
)
def test_figures_are_taken_from_tables(pages, asked, words):
    assert page_tables.filled(asked) == words


@pytest.mark.parametrize(
    "asked",
    [
        "{nowhere|Times|MPI=a|ours}",
        "{times|Rates|MPI=a|ours}",
        "{times|Times|MPI=c|ours}",
        "{times|Times|maker=a|ours}",
        "{times|Times|MPI=a|theirs}",
        "{times|Times|MPI=a|text:theirs}",
        "{times|Times|MPI=b|ours}",
    ],
)
def test_figures_that_are_not_there(pages, asked):
    with pytest.raises(page_tables.WrongFigure):
        page_tables.filled(asked)


def test_targets_in_words_are_shown_by_the_page(pages):
    entry = {"target": "t", "verdict": "kept", "found": "5 ×", "page": "times", "shown": "| 5 × |"}
    section = {"rows": [entry]}
    assert [target.found for target in results_page.targets_of(section)] == ["5 ×"]
    entry["most"], entry["least"] = {"{times|Times|MPI=b|all}": 3}, {"{times|Times|MPI=b|all}": 3}
    assert len(list(results_page.targets_of(section))) == 1
    for limits in ({"most": {"{times|Times|MPI=b|all}": 2.9}}, {"least": {"4.1 %": 5}}):
        with pytest.raises(page_tables.WrongFigure, match="not kept"):
            list(results_page.targets_of({"rows": [{**entry, **limits}]}))
        list(results_page.targets_of({"rows": [{**entry, **limits, "verdict": "not kept"}]}))
    entry["shown"] = "6 ×"
    with pytest.raises(page_tables.WrongFigure):
        list(results_page.targets_of(section))


@pytest.mark.parametrize(
    "kept, cells, words", [(3, 3, "kept"), (0, 3, "not kept"), (2, 3, "2 of 3")]
)
def test_verdicts(kept, cells, words):
    assert results_page.verdict(kept, cells) == words


@pytest.mark.parametrize(
    "verdict, kind",
    [
        ("kept", "kept"),
        ("2 of 4", "in part"),
        ("3 of 45", "in less than half of the cells"),
    ],
)
def test_a_few_cells_are_no_half_kept_promise(verdict, kind):
    assert results_page.kind_of(verdict) == kind


def test_what_is_wrong_is_no_figure(pages):
    (page_tables.FOLDER / "wrong.md").write_text("**T**\n\n| a |\n|---|\n| 3,473,621 WRONG |\n")
    with pytest.raises(page_tables.WrongFigure, match="no figure"):
        page_tables.filled("{wrong|T||a}")
