# SPDX-License-Identifier: BSD-3-Clause
"""Pages that are made by the command line are as it would make them now; pages for developers name
files and functions that are there."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from command_line import caucus, caucus_json

ROOT = Path(__file__).resolve().parents[2]
DEVELOPMENT = sorted((ROOT / "docs" / "development").glob("*.md"))
NAMED_PATH = re.compile(
    r"`((?:bench|bindings|cmake|docs|examples|include|src|tests|tools)/[\w./-]+\.\w+)`"
)
FUNCTION = re.compile(r"^\w[\w *]*?\b(\w+)\([^;{}]*\) \{", re.MULTILINE)  # its definition


@pytest.mark.parametrize(
    "page, option",
    [
        ("docs/reference/settings.md", "--markdown"),
        ("docs/man/caucus.1", "--man"),
        ("bindings/completion/caucus.bash", "--completion bash"),
        ("bindings/completion/_caucus", "--completion zsh"),
        ("bindings/completion/caucus.fish", "--completion fish"),
    ],
)
def test_up_to_date(page, option):
    made = caucus("info", *option.split()).stdout
    assert (ROOT / page).read_text() == made, f"run: .venv/bin/caucus info {option} > {page}"


COMPLETED = """\
source bindings/completion/caucus.bash
complete_words() { COMP_WORDS=(caucus "$@"); COMP_CWORD=$#; _caucus; echo "${COMPREPLY[*]}"; }
complete_words ma
complete_words map --placement ""
complete_words schedule draw --sv
complete_words schedule draw --svg READ
complete_words run -n 4 -- READ
complete_words run --report = READ
complete_words map --placement =
complete_words map --placement = cy
cd "$1"
complete_words report 'my\\ folder/rep'
complete_words report '"my folder/rep'
complete_words run -- 'my\\ folder/rep'
"""


def test_completion_completes(tmp_path):
    (tmp_path / "my folder").mkdir()
    (tmp_path / "my folder" / "report.json").touch()
    words = ["bash", "-c", COMPLETED, "bash", tmp_path]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == [
        *["map", "blocks cyclic", "--svg", "README.md", "README.md"],
        *["README.md", "blocks cyclic", "cyclic"],
        *3 * ["my folder/report.json"],
    ]
    assert done.stderr == ""


def test_one_version():
    cmake = (ROOT / "CMakeLists.txt").read_text()
    version = re.search(r"project\(\s*caucus\s+VERSION\s+([\d.]+)", cmake).group(1)
    assert caucus("--version").stdout == f"caucus {version}\n"
    assert caucus_json("info")["version"] == version


def test_info_shows_every_setting():
    info = caucus_json("info")
    table = caucus("info", env={"CAUCUS_CART_MAPPER": "kdtree"}).stdout
    assert {"CAUCUS_NODES", "CAUCUS_REPORT"} <= {s["environment"] for s in info["settings"]}
    for setting in info["settings"]:
        assert setting["info_key"] == setting["environment"].lower()
        assert all(isinstance(value, str) for value in setting.values())
        assert setting["environment"] in table
    assert "kdtree (default: best)" in table
    assert Path(info["library"]).name.startswith("libcaucus_plan.so")


def test_info_keys_are_those_that_calls_read():
    sources = [path.read_text() for path in (ROOT / "src" / "api").rglob("*.c")]
    read = re.findall(r"caucus_hint_read\([^;]*?CAUCUS_SETTING_(\w+)", "".join(sources))
    keys = {f"caucus_{name.lower()}" for name in read}
    head, *sections = (ROOT / "docs/reference/settings.md").read_text().split("\n## ")
    named = re.findall(r"^- Info key: `(\w+)`$", "\n".join(sections), re.MULTILINE)
    assert set(named) == keys
    assert {key.lower() for key in re.findall(r"`(caucus_\w+)`", head)} >= keys


@pytest.mark.parametrize("text, wrong", [(None, "it can't be opened"), ("junk", "no parameter")])
def test_info_says_what_is_wrong_with_a_model(tmp_path, text, wrong):
    model = tmp_path / "model"
    if text:
        model.write_text(text)
    env = {"CAUCUS_MODEL": str(model)}
    assert "WRONG:" in caucus("info", env=env).stdout
    told = json.loads(caucus("info", "--json", env=env).stdout)["settings"]
    found = {setting["environment"]: setting["wrong"] for setting in told}
    assert wrong in found.pop("CAUCUS_MODEL") and not any(found.values())
    assert "WRONG:" not in caucus("info").stdout


@pytest.mark.parametrize("page", DEVELOPMENT, ids=lambda page: page.name)
def test_named_paths_are_there(page):
    named = NAMED_PATH.findall(page.read_text())
    assert [path for path in named if not (ROOT / path).exists()] == []


def functions_of(paths):
    return {name for path in paths for name in FUNCTION.findall(path.read_text())}


@pytest.mark.parametrize("page", ["walks", "adding", "decisions"])
def test_named_functions_are_there(page):
    named = re.findall(r"`(\w+)\(\)`", (ROOT / "docs" / "development" / f"{page}.md").read_text())
    assert set(named) - functions_of((ROOT / "src").rglob("*.[ch]")) == set()


def walks():
    """(head, [(file, function)]) of every walk of walks.md."""
    text = (ROOT / "docs" / "development" / "walks.md").read_text()
    for walk in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        passed, file = [], None
        for match in re.finditer(r"^\*\*`(\S+)`\*\*$|^- `(\w+)\(\)`", walk, re.MULTILINE):
            file = match[1] or file
            if match[2]:
                passed.append((file, match[2]))
        yield walk, passed


def test_walks_pass_what_they_say():
    assert len(list(walks())) == 6
    for walk, passed in walks():
        lost = [(file, name) for file, name in passed if name not in functions_of([ROOT / file])]
        assert lost == [], walk.splitlines()[0]
        counts = (
            f"*Passes {len({file for file, _ in passed})} files and {len(set(passed))} functions"
        )
        assert counts in walk, f"{walk.splitlines()[0]}: {counts}"
