# SPDX-License-Identifier: BSD-3-Clause
"""Pages that are made by the command line are as it would make them now."""

import re
from pathlib import Path

import pytest
from command_line import caucus, caucus_json

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "page, option", [("docs/reference/settings.md", "--markdown"), ("docs/man/caucus.1", "--man")]
)
def test_up_to_date(page, option):
    made = caucus("info", option).stdout
    assert (ROOT / page).read_text() == made, f"run: .venv/bin/caucus info {option} > {page}"


def test_one_version():
    cmake = (ROOT / "CMakeLists.txt").read_text()
    version = re.search(r"project\(\s*caucus\s+VERSION\s+([\d.]+)", cmake).group(1)
    project = (ROOT / "bindings" / "python" / "pyproject.toml").read_text()
    assert f'version = "{version}"' in project
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
