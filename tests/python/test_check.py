# SPDX-License-Identifier: BSD-3-Clause
"""caucus check says what works, and its exit status whether all does. tests/packaging tries it in
an installation."""

import json
import os
from types import SimpleNamespace

import pytest

from caucus import cli, library, start
from caucus.commands import check

PROGRAM = library.tree() / "build" / "mpich" / "bin" / "installation_check"
ALONE = '#!/bin/sh\nshift 2\n"$@"\n'

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="nothing is built: run 'make build'")


def checked(capfd, *words):
    status = cli.main(["check", "--mpi", "mpich", "--json", *(str(word) for word in words)])
    return status, json.loads(capfd.readouterr().out)


def test_all_is_well(capfd):
    status, found = checked(capfd, "-n", 3)
    assert status == 0
    assert [one["passed"] for one in found] == [True, True, True, True, None, True]
    assert cli.main(["check", "--mpi", "mpich"]) == 0
    assert capfd.readouterr().out.endswith("\n\nall good\n")
    assert [one["found"] for one in found[:3]] == ["3 ranks", "taken over", "sum 6 of 6, right"]


def test_a_dropin_that_leaves_grids_to_mpi(capfd, monkeypatch):
    monkeypatch.setenv("CAUCUS_DISABLE", "cart")
    status, found = checked(capfd)
    assert status == 1 and [one["passed"] for one in found[:3]] == [True, False, True]


def test_a_launcher_that_starts_programs_alone(capfd, tmp_path):
    launcher = tmp_path / "alone"
    launcher.write_text(ALONE)
    launcher.chmod(0o755)
    status, found = checked(capfd, "--launcher", launcher, "-n", 2)
    assert status == 1 and found[0]["passed"] is False
    assert "the programs saw 1 rank and not 2" in found[0]["found"]


def no_memory(name):
    raise OSError(name)


def test_no_room_in_shared_memory(monkeypatch, tmp_path):
    monkeypatch.setattr(start, "cores", lambda: 10**9)
    assert check._memory().passed  # which needs none in /dev/shm
    monkeypatch.setattr(os, "memfd_create", no_memory)
    found = check._memory()
    assert found.passed is False
    assert "messages are used instead" in found.found and "--shm-size" in found.found
    monkeypatch.setattr(start, "cores", lambda: 1)
    assert check._memory().passed
    monkeypatch.setattr(check, "SHARED", tmp_path / "none")
    found = check._memory()
    assert found.passed is False and "No such file" in found.found


def test_memory_of_another_process_that_cannot_be_opened(monkeypatch, tmp_path):
    monkeypatch.setattr(check, "SHARED", tmp_path / "none")
    monkeypatch.setattr(check, "OPEN", "raise SystemExit(1)")
    assert check._memory().passed is False


def test_a_model_that_is_missing_or_damaged(capfd, monkeypatch, tmp_path):
    model = tmp_path / "model.txt"
    monkeypatch.setenv("CAUCUS_MODEL", str(model))
    for text, words in ((None, "it can't be opened"), ("junk\n", "no parameter 'junk'")):
        if text:
            model.write_text(text)
        assert cli.main(["check", "--mpi", "mpich"]) == 1
        said = " ".join(capfd.readouterr().out.split())
        assert said.endswith("1 thing failed") and "FAILED what the settings in force" in said
        status, found = checked(capfd)
        assert status == 1 and [one["passed"] for one in found[:4]] == [True, True, True, False]
        assert words in found[3]["found"] and str(model) in found[3]["found"]
        assert "auto is used instead" in found[3]["found"]


def test_missing_pages_are_no_failure(monkeypatch, tmp_path):
    library_path = tmp_path / "lib" / "libcaucus_plan.so"
    monkeypatch.setattr(library, "tree", lambda: None)
    monkeypatch.setattr(library, "load", lambda: SimpleNamespace(path=str(library_path)))
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    man = tmp_path / "man"
    man.write_text("#!/bin/sh\nexit 16\n")
    man.chmod(0o755)
    found = check._pages()
    assert found.passed is None and "libcaucus-dev" in found.found
    page = tmp_path / "share" / "man" / "man3" / f"{check.PAGE}.3.gz"
    page.parent.mkdir(parents=True)
    page.write_bytes(b"")
    found = check._pages()
    assert found.passed is None
    assert f"export MANPATH={tmp_path}/share/man:" in found.found
    man.write_text(f"#!/bin/sh\necho {page}\n")
    assert check._pages() == (f"man {check.PAGE}", True, str(page))


def test_bad_words(capfd):
    status, found = cli.main(["check", "-n", "0"]), capfd.readouterr().err
    assert status == 2 and "-n 0: at least one rank is needed" in found
