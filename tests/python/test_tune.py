# SPDX-License-Identifier: BSD-3-Clause
"""caucus tune and caucus bench start nothing that does not fit, and hand out no figures of programs
that ran alone."""

import json
import os
import re

import pytest

from caucus import benchmarks, builds, cli, launch, library, start, study
from caucus.commands.tune import END, read
from caucus.errors import Failure
from provision.mpi import prefix

MODEL = library.tree() / "build" / "mpich" / "bin" / "machine_model"
ALONE = """#!/bin/sh
shift 2
"$@"
"""  # -n N PROGRAM: as a launcher of another MPI, each is the only rank of its world
MEASURES = """#!/bin/sh
echo started >> "$0.log"
for last; do :; done
{
    echo '# Ranks: 2, nodes: 1'
    echo 'latency_within 2e-06 # of a message'
    echo '# End of what was measured.'
} > "$last"
"""  # into the file that the program is to write
OTHER = "#!/bin/sh\necho 'mpiexec (Open MPI) 5.0.0'\n"

pytestmark = pytest.mark.skipif(not MODEL.exists(), reason="nothing is built: run 'make build'")


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)
    return path


def tune(capfd, *words):
    status = cli.main(["tune", "--mpi", "mpich", *(str(word) for word in words)])
    captured = capfd.readouterr()
    return status, captured.out, captured.err


def test_programs_that_run_alone_are_no_measurement(capfd, tmp_path):
    kept = tmp_path / "model.txt"
    kept.write_text("of an earlier run")
    launcher = script(tmp_path / "alone", ALONE)
    status, said, errors = tune(capfd, "--launcher", launcher, "-n", 2, "--output", kept)
    assert status == 1 and said == ""
    assert "the programs saw 1 rank and not 2" in errors
    assert kept.read_text() == "of an earlier run"
    assert {path.name for path in tmp_path.iterdir()} == {"model.txt", "alone"}


def test_a_launcher_of_the_users_own(capfd, tmp_path):
    kept, launcher = tmp_path / "model.txt", f"{launch.mpiexec_of('mpich')} -n 2"
    status, said, _ = tune(capfd, "--launcher", launcher, "--output", kept, "--json")
    head = json.loads(said)["remarks"]
    assert status == 0 and head[0].startswith("Measured by caucus tune of Caucus ")
    assert re.fullmatch(r"MPI: MPICH Version: \d+\.\S+", head[1])
    assert head[2].startswith("Host: ") and head[3] == "Ranks: 2, nodes: 1, ranks of the first: 2"
    assert kept.read_text().startswith("# Measured by caucus tune")
    assert study.model_fault(str(kept)) == ""


def test_a_file_that_is_cut_off_anywhere_has_a_fault(capfd, tmp_path):
    kept = tmp_path / "model.txt"
    assert tune(capfd, "-n", 2, "--output", kept)[0] == 0
    text = kept.read_text()
    assert text.endswith(f"\n# {END}\n") and END not in str(read(kept))
    for length in range(0, len(text) - 1, 7):
        kept.write_text(text[:length])
        fault = study.model_fault(str(kept))
        assert str(kept) in fault and ("it is cut off" in fault or "it is empty" in fault), length


def test_more_ranks_than_cores_are_told_of(capfd, tmp_path, monkeypatch):
    monkeypatch.setattr(start, "cores", lambda: 1)
    for name in start.BATCH:
        monkeypatch.delenv(name, raising=False)
    kept = tmp_path / "model.txt"
    status, said, _ = tune(capfd, "-n", 2, "--output", kept, "--json")
    assert status == 0
    assert json.loads(said)["remarks"][0].startswith("2 ranks on 1 cores: what was measured is")
    assert kept.read_text().startswith("# 2 ranks on 1 cores")


def test_a_launcher_of_another_mpi_is_refused(capfd, tmp_path):
    launcher = script(tmp_path / "mpiexec", OTHER)
    status, _, errors = tune(capfd, "--launcher", launcher, "-n", 2)
    assert status == 2 and "starts programs of Open MPI" in errors and "MPICH" in errors


@pytest.fixture
def stand_in(tmp_path):
    return script(tmp_path / "stand-in", MEASURES)


def quick_tune(capfd, stand_in, path):
    return tune(capfd, "--launcher", stand_in, "-n", 2, "--output", path, "--json")


@pytest.mark.parametrize("existed", [False, True])
def test_a_link_stays_and_what_it_points_to_is_written(capfd, tmp_path, stand_in, existed):
    link, file = tmp_path / "link", tmp_path / "site" / "model.txt"
    file.parent.mkdir()
    link.symlink_to(file)
    if existed:
        file.write_text("of an earlier run")
    status, said, _ = quick_tune(capfd, stand_in, link)
    assert status == 0 and json.loads(said)["parameters"] == {"latency_within": 2e-06}
    assert link.is_symlink() and "latency_within 2e-06" in file.read_text()
    assert {path.name for path in tmp_path.iterdir()} == {
        "link",
        "site",
        "stand-in",
        "stand-in.log",
    }


def test_a_pipe_stays_one(capfd, tmp_path, stand_in):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDWR)
    assert quick_tune(capfd, stand_in, tmp_path / "pipe")[0] == 0
    assert (tmp_path / "pipe").is_fifo()
    assert b"latency_within" in os.read(reader, 65536)
    os.close(reader)


def test_what_can_not_be_written_is_refused_before_the_measurement(capfd, tmp_path, stand_in):
    for path in ("/", tmp_path, tmp_path / "none" / "model.txt"):
        status, said, errors = quick_tune(capfd, stand_in, path)
        assert (status, said, errors.count("\n")) == (1, "", 1)
        assert errors.startswith(f"caucus: the model can't be written to {path}: ")
    assert [path.name for path in tmp_path.iterdir()] == ["stand-in"]


@pytest.fixture
def other_installed(tmp_path, monkeypatch):
    """An installation for MPICH, where there is no other mpiexec than Open MPI's."""
    dropin = library.tree() / "build" / "mpich" / "lib" / "libcaucus_dropin.so"
    monkeypatch.setattr(library, "tree", lambda: None)
    monkeypatch.setattr(builds, "program", lambda mpi, name: MODEL)
    monkeypatch.setattr(launch, "dropin", lambda mpi: dropin)
    mpiexec = script(tmp_path / "mpiexec", OTHER)
    monkeypatch.setattr(launch, "mpiexec_of", lambda mpi: mpiexec)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(prefix("mpich") / "lib"))


def test_what_is_installed_has_an_mpi_of_its_own(other_installed, capfd):
    status, _, errors = tune(capfd, "-n", 2)
    assert status == 2 and "starts programs of Open MPI" in errors
    assert cli.main(["tune", "--mpi", "openmpi"]) == 2
    errors = capfd.readouterr().err
    assert "--mpi openmpi: this Caucus is installed for MPICH" in errors


def test_benchmarks_too(other_installed, capfd):
    assert cli.main(["bench", "groups", "--quick", "--starts", "1"]) == 2
    assert "starts programs of Open MPI" in capfd.readouterr().err


def test_benchmarks_start_as_other_programs_do(monkeypatch, tmp_path):
    """As the MPI does by itself where there are cores enough; in a batch job with a folder that
    all nodes see."""
    mpiexec = script(tmp_path / "mpiexec", f'#!/bin/sh\necho "$PWD $*" >> {tmp_path}/log\nexit 1\n')
    monkeypatch.setattr(launch, "mpiexec_of", lambda mpi: mpiexec)
    monkeypatch.setattr(start, "cores", lambda: 2)
    monkeypatch.setenv("LD_PRELOAD", "")
    monkeypatch.chdir(tmp_path)
    for name in start.BATCH:
        monkeypatch.delenv(name, raising=False)

    def started(ranks):
        with pytest.raises(Failure, match="failed"):
            benchmarks.measure("halos", benchmarks.Wish("mpich", ranks, 1, True), lambda _: None)
        return (tmp_path / "log").read_text().splitlines()[-1]

    assert "POSIX_INTRA" not in started(2) and "POSIX_INTRA" in started(3)
    assert not started(2).startswith(str(tmp_path))
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    assert started(3).startswith(f"{tmp_path}/.caucus-") and "POSIX_INTRA" not in started(3)
    assert list(tmp_path.glob(".caucus-*")) == []


def test_a_benchmark_without_a_figure_fails(monkeypatch):
    monkeypatch.setattr(benchmarks, "_run", lambda *_: iter(()))
    wish = benchmarks.Wish("mpich", 2, 1, True)
    with pytest.raises(Failure, match="groups has measured nothing"):
        benchmarks.measure("groups", wish, lambda _: None)


def test_a_benchmark_of_fewer_ranks_fails(monkeypatch):
    monkeypatch.setattr(benchmarks, "_run", lambda *_: iter([{"ranks": 1}]))
    wish = benchmarks.Wish("mpich", 2, 1, True)
    with pytest.raises(Failure, match="saw 1 rank and not 2"):
        benchmarks.measure("collectives", wish, lambda _: None)
