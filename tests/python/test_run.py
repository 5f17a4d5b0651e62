# SPDX-License-Identifier: BSD-3-Clause
"""caucus run: what reaches the ranks, what is told afterwards, and how it ends. The drop-in itself
is tested elsewhere; here a script writes the report that it would."""

import json
import sys

import pytest

from caucus import cli, launch, library, report
from caucus.errors import Failure
from provision.mpi import prefix

REPORT = {
    "device_memory": {"read": 4096, "written": 12},
    "one_copy": 65536,
    "ranks": 2,
    "nodes": [[0, 1], [1, 1]],
    "calls": {
        "MPI_Cart_create": {
            "taken": 2,
            "passed": 2,
            "algorithms": {"slabs": 2},
            "bytes": 0,
            "taken_by_a_rank": [1, 1],
            "passed_by_a_rank": [1, 1],
            "why": {"reorder = 0": 2},
        },
    },
    "communicators": 2
    * [
        {
            "dims": [4, 2],
            "nodes": 4,
            "mapper": "slabs",
            "off_node": {"before": 20, "after": 12},
            "bound": 12,
        }
    ],
}
WRITER = f"""
import json, os, sys
ranks = ("PMI_RANK", "OMPI_COMM_WORLD_RANK", "STUB_RANK")
if "0" in [os.environ.get(name) for name in ranks] and "CAUCUS_REPORT" in os.environ:
    print("nodes", os.environ.get("CAUCUS_NODES"), "chaos", os.environ.get("CAUCUS_CHAOS"),
          "mine", os.environ.get("MINE"), "preload", os.environ.get("LD_PRELOAD"))
    with open(os.environ["CAUCUS_REPORT"], "w") as file:
        file.write({json.dumps(json.dumps(REPORT))})
"""

BROUGHT = [name for name in ("mpich", "openmpi") if prefix(name).exists()]


@pytest.fixture(params=BROUGHT)
def mpi(request, monkeypatch, tmp_path):
    """An MPI whose drop-in is a file that the loader leaves alone."""
    stand_in = tmp_path / "libstandin.so"
    stand_in.write_bytes(b"")
    monkeypatch.setattr(launch, "dropin", lambda mpi: stand_in)
    return request.param


DROPINS = [name for name in ("mpich", "openmpi", "intel", "abi") if launch.dropin(name).exists()]


def run(capfd, *words):
    status = cli.main(["run", *(str(word) for word in words)])
    captured = capfd.readouterr()
    return status, captured.out, captured.err


def test_a_rank0_that_moved_is_told_of():
    def grid(kept, cost):
        return {**REPORT["communicators"][0], "rank0": {"kept": kept, "cost": cost}}

    def said(*grids):
        parts = report.show({**REPORT, "communicators": grids})
        return "".join(str(part) for part in parts)

    assert "Rank 0" not in said(grid(True, 0.04), *REPORT["communicators"])
    told = said(grid(True, 0), grid(False, 0.125), grid(False, None))
    assert "Rank 0 moved in 2 of these grids" in told and "up to 12.5 % more (4x2)" in told
    assert "Rank 0 moved in 1 of these grids." in said(grid(False, 0))


def test_settings_reach_the_ranks_and_the_report_comes_back(mpi, capfd, tmp_path):
    kept = tmp_path / "report.json"
    words = ("--mpi", mpi, "-n", 2, "--nodes", "cyclic:2", "--chaos", 7, "--env", "MINE=1=2")
    status, output, errors = run(
        capfd, *words, "--report", kept, "--", sys.executable, "-c", WRITER
    )
    assert status == 0
    assert "nodes cyclic:2 chaos 7 mine 1=2 preload" in output
    assert "libstandin.so" in output
    found = json.loads(kept.read_text())
    assert found.pop("run")["mpi"] == mpi
    assert found == REPORT
    assert "What Caucus did: 2 ranks on 2 nodes" in errors
    assert "MPI_Cart_create      1           -  slabs" in errors
    assert "MPI_Cart_create      1  reorder = 0" in errors
    assert "4x2       2      4   20 → 12   40 %               12  slabs" in errors
    assert "Bytes copied from the memory of GPUs: 4,096, to it: 12." in errors
    assert "Bytes by one copy from rank to rank: 65,536." in errors


def test_status_of_the_program(mpi, capfd):
    status, _, errors = run(capfd, "--mpi", mpi, "-n", 1, "--", sys.executable, "-c", "exit(7)")
    assert status == 7
    assert "wrote no report" not in errors  # the failure is the program's, and the only news


def test_program_that_is_no_mpi_program(mpi, capfd):
    status, _, errors = run(capfd, "--mpi", mpi, "-n", 1, "--", "true")
    assert status == 0  # the program's
    assert "wrote no report" in errors


def test_an_old_report_is_not_taken_for_a_new_one(mpi, capfd, tmp_path):
    """Nor is it lost."""
    kept = tmp_path / "report.json"
    kept.write_text(json.dumps(REPORT))
    errors = run(capfd, "--mpi", mpi, "-n", 1, "--report", kept, "--", "true")[2]
    assert "wrote no report" in errors and "What Caucus did" not in errors
    assert f"{kept} is the report of an earlier run" in " ".join(errors.split())
    assert json.loads(kept.read_text()) == REPORT
    assert list(tmp_path.glob(".caucus-*")) == []


def test_a_report_that_is_named_in_the_environment(mpi, capfd, tmp_path, monkeypatch):
    kept = tmp_path / "report.json"
    monkeypatch.setenv("CAUCUS_REPORT", str(kept))
    words = ("--mpi", mpi, "-n", 2, "--", sys.executable, "-c", WRITER)
    assert "What Caucus did" in run(capfd, *words)[2]
    assert json.loads(kept.read_text())["calls"] == REPORT["calls"]


@pytest.mark.parametrize("text", ["{", "[]", "{}", "3"])
def test_malformed_report(tmp_path, text):
    path = tmp_path / "report"
    path.write_text(text)
    with pytest.raises(Failure, match="no report"):
        report.read(path)


@pytest.mark.parametrize("mpi", BROUGHT)
def test_command_gives_settings_to_the_ranks_only(mpi):
    words, outer = launch.command(mpi, 3, ["program", 5], {"NAME": 1}, ["a.so", "b.so"])
    assert words[-4:] == ["-n", "3", "program", "5"]
    assert "NAME" not in outer and outer.get("LD_PRELOAD") != "a.so:b.so"
    joined = " ".join(words)
    assert "LD_PRELOAD a.so:b.so" in joined or "LD_PRELOAD=a.so:b.so" in joined


def test_command_lets_the_others_go_on_where_a_rank_dies():
    words, _ = launch.command("openmpi", 3, ["program"], deaths=True)
    assert "--with-ft ulfm" in " ".join(words)


@pytest.mark.parametrize("mpi", DROPINS)
def test_a_real_program_under_the_real_dropin(mpi, capfd, tmp_path):
    tree = library.tree()
    program = [tree / "build" / mpi / "bin" / "heat2d", tree / "examples" / "data" / "plate.ppm"]
    program += ["--dims", "4x2", "--steps", "3", "--output", tmp_path / "picture"]
    kept = tmp_path / "report.json"
    words = ("--mpi", mpi, "--nodes", "cyclic:4", "-n", 8, "--report", kept, "--")
    status, output, errors = run(capfd, *words, *program)
    assert status == 0 and "checksum" in output
    told = json.loads(kept.read_text())
    assert told["calls"]["MPI_Cart_create"]["taken"] == 8
    assert told["calls"]["MPI_Cart_create"]["taken_by_a_rank"] == [1, 1]
    assert told["nodes"] == [[node, 1] for node in (0, 1, 2, 3, 0, 1, 2, 3)]
    assert "20 → 12   40 %               12" in errors  # as caucus map --nodes cyclic:4 plans it
