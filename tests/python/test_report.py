# SPDX-License-Identifier: BSD-3-Clause
"""caucus report: what the drop-in wrote, in words and as a page."""

import html.parser
import json

import pytest
from command_line import caucus, caucus_json, refused

from caucus import report, report_page
from caucus.commands import shared
from caucus.report_grids import Gain, gain

CYCLIC = [[node, 1] for node in (0, 1, 2, 3, 0, 1, 2, 3)]
LINE = {"dims": [8], "periodic": [1], "of_world": True, "ranks": 8}
REPORT = {
    "ranks": 8,
    "nodes": CYCLIC,
    "calls": {
        "MPI_Cart_create": {
            "taken": 8,
            "passed": 8,
            "algorithms": {"slabs": 8},
            "bytes": 0,
            "taken_by_a_rank": [1, 1],
            "passed_by_a_rank": [1, 1],
            "why": {"reorder = 0": 8},
        },
        "MPI_Allreduce_init": {
            "taken": 24,
            "passed": 0,
            "algorithms": {"lanes": 18, "node_direct": 6},
            "bytes": 6553600,
            "between_groups": 4,
            "taken_by_a_rank": [1, 4],
            "passed_by_a_rank": [0, 0],
            "why": {},
        },
        "MPI_Allreduce": {
            "taken": 0,
            "passed": 4000000,
            "algorithms": {},
            "bytes": 0,
            "taken_by_a_rank": [0, 0],
            "passed_by_a_rank": [500000, 500000],
            "why": {"CAUCUS_ENABLE=blocking would take it over": 4000000},
        },
    },
    "communicators": [
        {
            "call": "MPI_Cart_create",
            "dims": [4, 2],
            "ranks": 8,
            "nodes": 4,
            "mapper": "slabs",
            "moved": True,
            "off_node": {"before": 20, "after": 12},
            "bound": 12,
            "seconds": 1e-4,
            "periodic": [0, 0],
            "of_world": True,
        }
    ],
    "left_grids": [{"call": "MPI_Cart_create", "why": "reorder = 0", **LINE}],
    "run": {"program": ["./solver", "a<b"], "seconds": 10.1, "native_seconds": 12.3},
}
TOLD = """\
What Caucus did: 8 ranks on 4 nodes

Taken over
call                 calls  bytes sent  how
MPI_Allreduce_init  1 to 4    6.25 MiB  lanes 75 %, node_direct 25 % (some
                                        between two groups)
MPI_Cart_create          1           -  slabs

Grids that Caucus placed
grid  times  nodes  messages  fewer  fewest possible  placed by
4x2       1      4   20 → 12   40 %               12  slabs
Messages: those that cross from node to node in one exchange of all ranks with
their neighbours, without Caucus → with it.

Left to MPI
call               calls  why
MPI_Allreduce    500,000  CAUCUS_ENABLE=blocking would take it over
MPI_Cart_create        1  reorder = 0

Grids that were left as they are
grid        times  messages, if placed  fewer  why it was not
8 periodic      1               16 → 8   50 %  reorder = 0

Calls are those of one rank; bytes are those that Caucus sent, of all ranks.
To have more taken over: CAUCUS_ENABLE=blocking. That may gain or lose time:
'caucus run --compare' tells.
Time: 12.3 s without Caucus → 10.1 s with it: 18 % less (one run of each, the
start included).
"""
# As earlier versions of the drop-in wrote it.
OLD = {
    "calls": {"MPI_Cart_create": {"taken": 8, "passed": 2, "algorithms": {"slabs": 8}, "bytes": 0}},
    "communicators": [],
}


@pytest.fixture
def kept(tmp_path):
    def keep(told):
        path = tmp_path / "report.json"
        path.write_text(json.dumps(told))
        return path

    return keep


def test_in_words(kept):
    assert caucus("report", kept(REPORT)).stdout == TOLD


def test_of_an_earlier_version(kept):
    told = caucus("report", kept(OLD)).stdout
    assert "MPI_Cart_create      8           -  slabs" in told
    assert "MPI_Cart_create      2" in told
    assert "Calls and bytes are summed over all ranks." in told


def test_of_a_program_that_was_left_to_mpi(kept):
    sentence = "libtool.so comes before the drop-in: all calls are left to MPI."
    told = caucus("report", kept({"left_to_mpi": sentence, "calls": {}, "communicators": []}))
    assert told.stdout == f"Caucus: {sentence}\n"
    told = caucus("report", kept({"calls": {}}))
    assert told.stdout == "Caucus: the program made none of the calls that are taken over.\n"


def test_graphs_have_no_dimensions(kept):
    made = {"call": "MPI_Dist_graph_create", "ranks": 1024, "nodes": 64, "mapper": "metis"}
    made["off_node"] = {"before": 3000, "after": 1500}
    report_of_both = {**REPORT, "communicators": [*REPORT["communicators"], made]}
    told = caucus("report", kept(report_of_both)).stdout
    assert "Grids and graphs that Caucus placed" in told
    assert [line.split() for line in told.splitlines() if "graph of" in line] == [
        "graph of 1,024 1 64 3,000 → 1,500 50 % - metis".split()
    ]
    assert Page(report_page.page(report_of_both)).counts["svg"] == 2


def test_as_json(kept):
    assert caucus_json("report", kept(REPORT)) == REPORT


@pytest.mark.parametrize(
    "run, more",
    [
        ({"native_runs": [0.0], "native_seconds": 0.0, "runs": [1.0], "seconds": 1.0}, ""),
        ({"seconds": int("9" * 400)}, ""),
        ({"seconds": 1.0, "deep": "DEEP"}, "--json"),
    ],
)
def test_a_report_with_other_things_in_it(tmp_path, run, more):
    path, deep = tmp_path / "report.json", "[" * 700 + "]" * 700
    path.write_text(json.dumps({**REPORT, "run": run}).replace('"DEEP"', deep))
    said = caucus("report", path, *filter(None, [more]), status=1).stderr
    assert said == f"caucus: {path} is no report of the drop-in, or a damaged one\n"


def test_what_is_no_report(kept, tmp_path):
    path = kept({})
    path.write_text("")
    assert "wrote no report" in caucus("report", path, status=1).stderr
    for content in (
        b"[]",
        b"{",
        b"[" * 100000,
        b"3",
        b'{"calls": 3}',
        b'{"calls": {"a": 3}}',
        b"\x7fELF\xff\xfe\0",
    ):
        path.write_bytes(content)
        said = caucus("report", path, status=1).stderr
        assert said == f"caucus: {path} is no report of the drop-in, or a damaged one\n"
    missing = tmp_path / "missing"
    assert f"{missing}: No such file" in caucus("report", missing, status=1).stderr
    done = caucus("report", kept(REPORT), "--html", tmp_path / "no" / "page", status=1)
    assert "No such file" in done.stderr


@pytest.mark.parametrize(
    "changed, expected",
    [
        ({}, Gain(16, 8)),
        ({"periodic": [0]}, Gain(14, 6)),
        ({"of_world": False}, None),
        ({"dims": [300, 300], "periodic": [0, 0], "ranks": 90000}, None),  # too large
        ({"dims": [5]}, Gain(8, 6)),  # of eight ranks
        ({"dims": []}, None),
    ],
)
def test_what_placing_would_have_gained(changed, expected):
    assert gain(REPORT, {**LINE, **changed}) == expected


def test_it_is_what_caucus_map_finds():
    found = caucus_json("map", "8", "--periodic", "--nodes", "cyclic:4", "--ranks", 8)
    best = next(row for row in found["mappers"] if row["name"] == found["best"])
    assert Gain(found["given"]["jsum"], best["jsum"]) == gain(REPORT, LINE)


class Page(html.parser.HTMLParser):
    """Counts elements, and fails where one is not closed or something outside is named."""

    def __init__(self, text):
        super().__init__()
        self.open, self.counts, self.words = [], {}, []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in ("meta", "link", "img"):
            self.open.append(tag)
        assert tag not in ("script", "link", "img", "iframe")
        assert not {"src", "href"} & {name for name, _ in attributes}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1

    def handle_data(self, data):
        self.words.append(data)


def test_as_a_page(kept, tmp_path):
    path = tmp_path / "page.html"
    told = {**REPORT, "run": {**REPORT["run"], "mpi_version": "MPICH 4.0.2", "date": "2026-01-02"}}
    told["run"]["settings"] = {"CAUCUS_SELECT": "measure"}
    done = caucus("report", kept(told), "--html", path)
    assert (done.stdout, done.stderr) == ("", f"caucus: {path} is written\n")
    text = path.read_text()
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>")
    assert (page.counts["table"], page.counts["svg"], page.counts["figure"]) == (4, 2, 2)
    assert "url(" not in text and "@import" not in text
    said = " ".join("".join(page.words).split())
    for words in ("20 → 12", "16 → 8", "reorder = 0", "./solver 'a<b'", "12.3 s", "10.1 s", "40 %"):
        assert words in said
    assert "2026-01-02; MPICH 4.0.2; CAUCUS_SELECT=measure." in said
    assert "between nodes 20, worst node 5" in said and "between nodes 12, worst node 3" in said


STRANGE = {"calls": {"MPI_<i>": {"taken": 1, "algorithms": {"<b>": 1}}}}


def test_a_grid_that_was_left_alone():
    """Its placement has a word that is explained, and nobody is told to change its dimensions."""
    calls = {"MPI_X": {"passed": 1, "why": {"CAUCUS_ENABLE=dims would take it over": 1}}}

    def said(mapper):
        made = [{**REPORT["communicators"][0], "mapper": mapper}]
        told = {**REPORT, "calls": calls, "communicators": made}
        return report.sections(told)[0].remark + " ".join(report.remarks(told))

    assert "given: all ranks stay where they are" in said("given")
    assert "CAUCUS_ENABLE=dims" not in said("given")
    dims = "CAUCUS_ENABLE=dims. With dims a grid may have another shape."
    assert "given:" not in said("slabs") and dims in said("slabs")
    calls["MPI_X"]["why"] = {"CAUCUS_ENABLE=map would take it over": 1}
    assert "CAUCUS_ENABLE=map. With map all ranks must call MPI_Cart_map alike." in said("slabs")


def test_on_one_node_a_sentence_says_that_nothing_can_be_gained(kept):
    made = {**REPORT["communicators"][0], "nodes": 1, "mapper": "given", "bound": 0}
    made["off_node"] = {"before": 0, "after": 0}
    call = {"taken": 8, "passed": 0, "algorithms": {"given": 8}, "taken_by_a_rank": [1, 1]}
    told = {"ranks": 8, "nodes": [[0, 8]], "calls": {"MPI_Cart_create": call}}
    told["communicators"] = [made]
    sentence = "All ranks are on one node, so no grid can be placed better; 'caucus run --nodes'"
    said = caucus("report", kept(told)).stdout
    assert sentence in " ".join(said.split()) and "given" not in said and "fewer" not in said
    page = Page(report_page.page(told))
    assert "svg" not in page.counts and "table" not in page.counts
    left = {**told, "communicators": [], "left_grids": REPORT["left_grids"]}
    said = caucus("report", kept(left)).stdout
    assert sentence in " ".join(said.split()) and "Grids that were left" not in said
    assert "on one node" not in caucus("report", kept(REPORT)).stdout
    assert "on one node" not in caucus("report", kept({**told, "communicators": []})).stdout


@pytest.mark.parametrize("cores, said", [(2, True), (8, False), (None, False)])
def test_times_of_more_ranks_than_cores_are_said_to_mean_little(kept, cores, said):
    told = {**REPORT, "run": {**REPORT["run"], "cores": cores}}
    words = caucus("report", kept(told)).stdout
    assert words.endswith("\n8 ranks on 2 cores: times mean little.\n") == said
    assert ("mean little" in words) == said


@pytest.mark.parametrize("told", [OLD, STRANGE, {"calls": {}}, {"left_to_mpi": "<b>", "calls": {}}])
def test_as_a_page_with_little_to_say(told):
    Page(report_page.page(told))


def test_most_pictures():
    """Of many grids that differ some are drawn, and all are in the table."""
    made = [dict(REPORT["communicators"][0], dims=[n], periodic=[0], bound=n) for n in range(2, 20)]
    told = {**REPORT, "communicators": made, "left_grids": []}
    assert Page(report_page.page(told)).counts["svg"] <= report_page.MOST_PICTURES
    assert len(report.sections(told)[1].rows) == 18


def test_words_that_the_output_cannot_have(tmp_path):
    """A locale without arrows, and an argument that is no UTF-8."""
    kept, page = tmp_path / "report.json", tmp_path / "page.html"
    run = {**REPORT["run"], "program": ["./solver", "\udce4"]}
    kept.write_text(json.dumps({**REPORT, "run": run}))
    ascii_only = {"PYTHONIOENCODING": "ascii"}
    assert "20 \\u2192 12" in caucus("report", kept, env=ascii_only).stdout
    assert "20 \\u2192 12" in caucus("report", kept, "--html", "-", env=ascii_only).stdout
    caucus("report", kept, "--html", page)
    assert "20 \N{RIGHTWARDS ARROW} 12" in page.read_text() and "\\udce4" in page.read_text()


def test_words_of_a_program_can_be_copied(tmp_path):
    run = {**REPORT["run"], "program": ["./solver", "a b", "$x"]}
    assert "<code>./solver &#x27;a b&#x27; &#x27;$x&#x27;</code>" in report_page.page(
        {**REPORT, "run": run}
    )


def test_one_thing_is_printed(tmp_path):
    (tmp_path / "report.json").write_text(json.dumps(REPORT))
    words = ("report", tmp_path / "report.json", "--html", "-", "--json")
    assert "--json and --html both print: give one of them a file" in refused(*words)


def test_an_old_page_stays_until_a_new_one_is_whole(tmp_path):
    kept, page = tmp_path / "report.json", tmp_path / "page.html"
    page.write_text("old")
    page.chmod(0o640)
    with pytest.raises(RecursionError), shared.writing(str(page)) as file:
        file.write("half a page")
        raise RecursionError
    assert page.read_text() == "old" and [path.name for path in tmp_path.iterdir()] == [page.name]
    kept.write_text(json.dumps(REPORT))
    caucus("report", kept, "--html", page)
    assert page.read_text().endswith("</html>\n") and page.stat().st_mode & 0o777 == 0o640
    assert {path.name for path in tmp_path.iterdir()} == {"report.json", "page.html"}
