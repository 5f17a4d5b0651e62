# SPDX-License-Identifier: BSD-3-Clause
"""caucus run with other launchers than the MPI's own, here a script that is told like srun; which
MPI a program is for; pairs that do not fit."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from caucus import (
    cli,
    endings,
    launch,
    library,
    linked,
    processes,
    report_page,
    report_times,
    start,
    waits,
)
from caucus.commands import run as run_command
from caucus.errors import Failure
from provision.mpi import prefix

STUB = """#!/bin/sh
# A launcher: -N nodes, -n ranks, then the program, once for each rank.
ranks=1
while [ $# -gt 0 ]; do
    case "$1" in
        -n) ranks=$2; shift 2 ;;
        -N*) shift ;;
        *) break ;;
    esac
done
echo "launcher preload=$LD_PRELOAD report=$CAUCUS_REPORT ranks=$ranks words=$*" >> "$STUB_LOG"
rank=0
status=0
while [ $rank -lt $ranks ]; do
    STUB_RANK=$rank "$@" || status=$?
    rank=$((rank + 1))
done
exit $status
"""
CALLS = {"calls": {"MPI_Barrier": {"taken": 2, "passed": 0, "algorithms": {"ring": 2}}}}
PROGRAM = f"""#!/bin/sh
echo "rank $STUB_RANK preload=$LD_PRELOAD mine=$MINE" >> "$STUB_LOG"
if [ "$STUB_RANK" = 0 ] && [ -n "$CAUCUS_REPORT" ]; then
    echo '{json.dumps(CALLS)}' > "$CAUCUS_REPORT"
fi
[ -z "$STUB_SLEEP" ] || [ -z "$CAUCUS_REPORT" ] || sleep "$STUB_SLEEP"
[ -z "$STUB_SIGNAL" ] || kill -$STUB_SIGNAL $$
exit ${{STUB_STATUS:-0}}
"""


@pytest.fixture
def stub(tmp_path, monkeypatch):
    """A launcher and a program, and a drop-in that the loader leaves alone."""
    for name, text in (("stub_srun", STUB), ("solver", PROGRAM)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    stand_in = tmp_path / "libstandin.so"
    stand_in.write_bytes(b"")
    monkeypatch.setattr(launch, "dropin", lambda mpi: stand_in)
    monkeypatch.setenv("STUB_LOG", str(tmp_path / "log"))
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capfd, *words):
    status = cli.main(["run", *(str(word) for word in words)])
    captured = capfd.readouterr()
    return status, captured.out, captured.err


def log(stub):
    return (stub / "log").read_text().splitlines()


def test_a_launcher_gets_its_words_and_the_ranks_their_variables(stub, capfd):
    words = ("--launcher", "./stub_srun -N4", "-n", 2, "--env", "MINE=a b", "--", "./solver", "x y")
    status, _, errors = run(capfd, *words)
    launcher, *ranks = log(stub)
    assert status == 0 and "MPI_Barrier" in errors
    assert launcher.startswith("launcher preload= report= ranks=2 words=env MINE=a b ")
    assert launcher.endswith(f"LD_PRELOAD={stub}/libstandin.so ./solver x y")
    assert ranks == [f"rank {rank} preload={stub}/libstandin.so mine=a b" for rank in (0, 1)]
    assert [path.name for path in stub.glob(".caucus-*")] == []  # where the report was


def test_a_program_whose_path_looks_like_a_variable(stub, capfd):
    """To env(1), which would run the next word instead."""
    (stub / "a=1").mkdir()
    (stub / "solver").rename(stub / "a=1" / "solver")
    words = ("--launcher", "./stub_srun", "-n", 2, "--", "a=1/solver", "echo", "b=2", "x y")
    status, _, errors = run(capfd, *words)
    launcher, *ranks = log(stub)
    assert status == 0 and "MPI_Barrier" in errors
    assert launcher.endswith(" a=1/solver echo b=2 x y")
    assert ranks == [f"rank {rank} preload={stub}/libstandin.so mine=" for rank in (0, 1)]


@pytest.mark.parametrize("folder", ["my tools", "tools:2"])
def test_a_dropin_that_cannot_be_preloaded_is_refused(stub, capfd, monkeypatch, folder):
    """The loader would take its path for two."""
    stand_in = stub / folder / "libstandin.so"
    monkeypatch.setattr(launch, "dropin", lambda mpi: stand_in)
    stand_in.parent.mkdir()
    stand_in.touch()
    status, _, errors = run(capfd, "--launcher", "./stub_srun", "--", "./solver")
    assert (status, errors.count("\n")) == (1, 1)
    assert f"{stand_in} can't be preloaded: the loader parts LD_PRELOAD at spaces" in errors
    assert not (stub / "log").exists() and list(stub.glob(".caucus-*")) == []


def test_tools_of_the_user_come_before_ours(stub, capfd, monkeypatch):
    monkeypatch.setenv("MINE", "")
    own = stub / "libown.so"
    own.write_bytes(b"")
    words = ("--launcher", "./stub_srun", "--env", f"LD_PRELOAD={own}", "--", "./solver")
    assert run(capfd, *words)[0] == 0
    assert log(stub)[1] == f"rank 0 preload={own}:{stub}/libstandin.so mine="


def test_turns_without_caucus_run_without_it(stub, capfd, monkeypatch):
    """Also where a module preloads it for all users."""
    (stub / "libcaucus_dropin.so").touch()
    monkeypatch.setenv("LD_PRELOAD", f"{stub}/libcaucus_dropin.so {stub}/libcaucus_dropin.so.0.1")
    assert run(capfd, "--launcher", "./stub_srun", "--compare", 1, "--", "./solver")[0] == 0
    ranks = [line.split()[2] for line in log(stub) if line.startswith("rank")]
    assert ranks == [f"preload={stub}/libstandin.so", "preload=", f"preload={stub}/libstandin.so"]


@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_mpiexec_gives_ranks_no_dropin_of_the_environment(mpi, monkeypatch):
    if not prefix(mpi).exists():
        pytest.skip(f"{mpi} is not here")
    monkeypatch.setenv("LD_PRELOAD", "")
    start_of = words_of(ranks=1)._replace(mpi=mpi, program=["printenv", "LD_PRELOAD"])
    command, _ = start_of.command({"LD_PRELOAD": "/a/libcaucus_dropin.so:/b/libtool.so"}, True)
    words = " ".join(command)
    assert "/b/libtool.so:/d.so" in words and "libcaucus_dropin" not in words
    command, outer = start_of.command({"LD_PRELOAD": "/a/libcaucus_dropin.so"}, False)
    outer["LD_PRELOAD"] = "/a/libcaucus_dropin.so"
    said = subprocess.run(command, env=outer, capture_output=True, text=True, timeout=60)
    assert said.stdout == "\n"


@pytest.mark.parametrize("variable, status", [("STUB_STATUS", 7), ("STUB_SIGNAL", 11)])
def test_exit_status_is_the_programs(stub, capfd, monkeypatch, variable, status):
    monkeypatch.setenv(variable, str(status))
    expected = status if variable == "STUB_STATUS" else 128 + status
    assert run(capfd, "--launcher", "./stub_srun", "--", "./solver")[0] == expected


def test_exit_status_of_a_launcher_that_a_signal_ended(stub, capfd):
    (stub / "gone").write_text("#!/bin/sh\nkill -9 $$\n")
    (stub / "gone").chmod(0o755)
    assert run(capfd, "--launcher", "./gone", "--", "./solver")[0] == 137


def test_comparison_runs_by_turns_without_and_with(stub, capfd, monkeypatch):
    """The report costs time: the run that makes it is not one of those that are compared."""
    monkeypatch.setenv("STUB_SLEEP", "0.4")
    kept = stub / "report.json"
    words = ("--launcher", "./stub_srun", "--compare", 2, "--report", kept, "--", "./solver")
    status, _, errors = run(capfd, *words)
    assert status == 0 and "now, for comparison, 2 without Caucus and as many with" in errors
    assert "caucus run: 3 more runs, about " in errors
    launches = [line for line in log(stub) if line.startswith("launcher")]
    assert ["LD_PRELOAD" in line for line in launches] == [True, False, True, False, True]
    assert ["CAUCUS_REPORT" in line for line in launches] == [True, *[False] * 4]
    times = json.loads(kept.read_text())["run"]
    assert len(times["runs"]) == len(times["native_runs"]) == 2
    assert times["seconds"] == sum(times["runs"]) / 2 < 0.4
    assert f"{report_times.spread(times['native_runs'])} without Caucus → " in errors


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_the_report_stays_where_the_comparison_is_ended(stub, number, status):
    """The run that made it was a whole one."""
    report = f"""{{ echo '{json.dumps(CALLS)}' > "$CAUCUS_REPORT"; exit 0; }}"""
    words = ("run", "--launcher", "env", "--report", "kept.json", "--compare")
    solver = f'[ -z "$CAUCUS_REPORT" ] || {report}'
    process, pid = started(stub, solver, (*words, "--", "./solver"))
    for one in (process.pid, pid):  # as a terminal does it; the first may end the other
        with contextlib.suppress(ProcessLookupError):
            os.kill(one, number)
    found, said = left(stub, process)
    assert found == status and "MPI_Barrier" in said, said
    assert "MPI_Barrier" in json.loads((stub / "kept.json").read_text())["calls"]


def test_a_run_that_is_told_to_end_is_not_compared(stub):
    """Though its program ends well, as it has saved its state: the report is kept."""
    solver = f"""trap 'echo '"'"'{json.dumps(CALLS)}'"'"' > "$CAUCUS_REPORT"; exit 0' TERM"""
    words = ("run", "--launcher", "env", "--report", "kept.json", "--compare")
    process, _ = started(stub, solver, (*words, "--", "./solver"))
    process.terminate()
    found, said = left(stub, process)
    assert found == 0 and "MPI_Barrier" in said and "comparison" not in said
    assert "MPI_Barrier" in json.loads((stub / "kept.json").read_text())["calls"]


def test_how_long_a_comparison_takes_is_estimated():
    assert run_command._estimate(5, 30) == "5 more runs, about 2.5 minutes"
    assert run_command._estimate(1, 0.5) == "1 more run, about 500.0 ms"


@pytest.mark.parametrize("more", [(), ("--compare",)])
def test_a_crash_is_told_of_and_leaves_the_old_report(stub, capfd, monkeypatch, more):
    (stub / "solver").write_text("#!/bin/sh\nkill -11 $$\n")
    kept = stub / "report.json"
    kept.write_text("old")
    words = ("--launcher", "./stub_srun", "--report", kept, *more, "--", "./solver")
    status, _, errors = run(capfd, *words)
    assert (status, kept.read_text()) == (139, "old")
    assert (
        "caucus run: ended by signal 11 (segmentation fault): no report; to see whether it also "
        "crashes without Caucus: CAUCUS_DISABLE=all caucus run:" in " ".join(errors.split())
    )
    assert "is the report of an earlier run" in " ".join(errors.split())
    assert "comparison" not in errors
    assert sorted(path.name for path in stub.glob(".caucus-*")) == []


def test_half_a_report_takes_the_place_of_none(stub, capfd):
    (stub / "solver").write_text('#!/bin/sh\necho "{" > "$CAUCUS_REPORT"\n')
    kept = stub / "report.json"
    kept.write_text("old")
    words = ("--launcher", "./stub_srun", "--report", kept, "--", "./solver")
    status, _, errors = run(capfd, *words)
    assert (status, kept.read_text()) == (0, "old")
    assert "or a damaged one" in " ".join(errors.split())
    assert list(stub.glob(".caucus-*")) == []


@pytest.mark.parametrize(
    "status, words, by_signal",
    [
        (139, "ended by signal 11 (segmentation fault)", True),
        (11, "ended with status 11, as mpiexec says signal 11 (segmentation fault)", True),
        (3, "ended with status 3", False),
        (128, "ended with status 128", False),
        (255, "ended with status 255", False),
    ],
)
def test_how_a_program_ended(status, words, by_signal):
    assert (endings.ended(status), endings.is_signal(status)) == (words, by_signal)


def test_a_report_that_goes_to_a_pipe_leaves_that_a_pipe(stub, capfd):
    """What takes the place of a file must not take that of /dev/null."""
    os.mkfifo(stub / "pipe")
    reader = os.open(stub / "pipe", os.O_RDWR)
    words = ("--launcher", "./stub_srun", "--report", stub / "pipe", "--", "./solver")
    assert run(capfd, *words)[0] == 0
    assert (stub / "pipe").is_fifo()
    assert b'"MPI_Barrier"' in os.read(reader, 65536)
    os.close(reader)


def test_a_number_of_thousands_of_digits_is_none_of_ranks():
    assert start.Launcher(["srun", "-n", "9" * 5000], [], None, None).expected == 0


@pytest.mark.parametrize(
    "words, ranks",
    [
        ("nice -n 5 mpiexec -n 2", 2),
        ("mpiexec -n 2 nice -n 5", 2),
        ("srun -n 4 --ntasks=8", 8),
        ("/usr/bin/nice -n 5 srun", 0),
    ],
)
def test_ranks_are_what_the_launcher_is_told_last(words, ranks):
    assert start.Launcher(words.split(), [], None, None).expected == ranks


def test_a_report_by_a_link_to_what_is_not_there_yet(stub, capfd):
    (stub / "link").symlink_to("kept.json")
    words = ("--launcher", "./stub_srun", "--report", stub / "link", "--", "./solver")
    assert run(capfd, *words)[0] == 0
    assert (stub / "link").is_symlink() and "MPI_Barrier" in (stub / "kept.json").read_text()


SPAWNS = PROGRAM.replace("exit ", 'echo child > "$CAUCUS_REPORT.77"\nexit ')


@pytest.mark.parametrize("through", ["kept.json", "link"])
def test_reports_of_spawned_processes_lie_beside_that_of_the_program(stub, capfd, through):
    (stub / "solver").write_text(SPAWNS)
    (stub / "link").symlink_to("kept.json")
    words = ("--launcher", "./stub_srun", "--report", stub / through, "--", "./solver")
    status, _, errors = run(capfd, *words)
    assert (status, (stub / "kept.json.77").read_text()) == (0, "child\n")
    assert f"{stub}/kept.json.77 is the report of processes that the program has" in " ".join(
        errors.split()
    )
    assert list(stub.glob(".caucus-*")) == []


@pytest.mark.parametrize("words, start_of_it", [((), "{"), (("--report", "kept.json"), "")])
def test_reports_of_spawned_processes_are_kept_with_that_of_the_program(
    stub, capfd, words, start_of_it
):
    """And not where none was wanted, or it is damaged."""
    (stub / "solver").write_text(SPAWNS.replace("echo '{", f"echo '{start_of_it}"))
    errors = run(capfd, "--launcher", "./stub_srun", *words, "--", "./solver")[2]
    assert "has spawned" not in " ".join(errors.split())
    assert {path.name for path in stub.iterdir()} == {"log", "solver", "stub_srun", "libstandin.so"}


def test_comparison_means_nothing_on_nodes_that_are_described(stub, capfd):
    kept = stub / "report.json"
    words = ("--launcher", "./stub_srun", "-n", 4, "--nodes", "2x2", "--compare", "--report", kept)
    errors = run(capfd, *words, "--", "./solver")[2]
    assert sum(line.startswith("launcher") for line in log(stub)) == 1
    assert "only described: all messages go where they went before" in " ".join(errors.split())
    told = json.loads(kept.read_text())
    assert told["run"]["nodes"] == "2x2"
    assert told["run"]["settings"]["CAUCUS_NODES"] == "2x2"
    told["run"]["native_seconds"] = 1
    assert "Time of the whole run" not in report_page.page(told)


@pytest.mark.parametrize(
    "native, ours, words, green",
    [
        ([1, 2, 4], [1.5, 3, 5], "too noisy to tell, repeat with --compare 10", False),
        ([1, 2] * 5, [1, 2] * 5, "too noisy to tell, repeat with --compare 20", False),
        ([1, 1.1, 1.2], [1.15, 1.2, 1.25], "no difference beyond the noise", False),
        ([2, 3, 4], [1, 1.5, 1.75], "3.0 s (2.0 s to 4.0 s) without Caucus → 1.5 s", True),
        ([1, 1.5, 1.75], [2, 3, 4], "100 % more (medians and spread of 3", False),
    ],
)
def test_times_are_compared_beyond_the_noise(native, ours, words, green):
    times = {"runs": ours, "native_runs": native, "seconds": ours[1], "native_seconds": native[1]}
    told = {"calls": {}, "run": times}
    assert words in report_times.times_words(told)
    assert ("class=ours" in report_page.page(told)) == green


def test_a_time_limit_is_told_though_ranks_still_write(stub, capfd, monkeypatch):
    """So that their folder can't be removed."""
    real = os.rmdir

    def rmdir(path, **more):
        if os.path.basename(path).startswith(".caucus-"):
            raise OSError(39, "Directory not empty")
        real(path, **more)

    monkeypatch.setattr(os, "rmdir", rmdir)
    monkeypatch.setenv("STUB_SLEEP", "60")
    words = ("--launcher", "./stub_srun", "--timeout", "0.3", "--", "./solver")
    assert run(capfd, *words)[0] == 124


def test_chaos_is_told(stub, capfd):
    kept = stub / "report.json"
    words = ("--launcher", "./stub_srun", "--chaos", 3, "--report", kept, "--", "./solver")
    assert run(capfd, *words)[0] == 0
    assert json.loads(kept.read_text())["run"]["settings"]["CAUCUS_CHAOS"] == "3"


def test_comparison_with_a_program_that_fails_alone(stub, capfd):
    (stub / "solver").write_text(PROGRAM.replace("exit ", '[ -n "$LD_PRELOAD" ] || exit 3\nexit '))
    status, _, errors = run(capfd, "--launcher", "./stub_srun", "--compare", 1, "--", "./solver")
    assert status == 0
    assert "without Caucus it ended with status 3" in errors and "→" not in errors


def test_what_cannot_be_written_is_said_before_the_run(stub, capfd):
    missing = stub / "missing" / "report.json"
    for words in (("--report", missing), ("--timeout", 9, "--svg", missing)):
        status, _, errors = run(capfd, "--launcher", "./stub_srun", *words, "--", "./solver")
        assert (status, errors.count("\n")) == (1, 1)
        assert (
            errors.startswith("caucus: the ")
            and f"can't be written to {missing}: No such" in errors
        )
    assert not (stub / "log").exists()


def test_an_old_report_survives_what_never_ran(stub, capfd):
    kept = stub / "report.json"
    kept.write_text("{}")
    status, _, errors = run(
        capfd, "--launcher", "./no-launcher", "--report", kept, "--", "./solver"
    )
    assert (status, kept.read_text()) == (1, "{}")
    assert "there is no ./no-launcher" in errors


def ends(pid):
    """Whether a process has ended soon, perhaps not yet waited for by who took it over."""
    for _ in range(1000):
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False


MAIN = """
import sys
from pathlib import Path
from caucus import cli, launch, processes
launch.dropin = lambda mpi: Path("libstandin.so").resolve()
processes.PATIENCE = 0.2
sys.exit(cli.main())
"""


RUN = ("run", "--launcher", "./solver", "--", "./solver")


def started(stub, solver, words=RUN):
    """A command in a process of its own, and the number of that of its launcher, which is the
    program."""
    (stub / "solver").write_text(
        f'#!/bin/sh\n{solver}\necho "$$" > pid\nwhile :; do sleep 0.05; done\n'
    )
    words = [sys.executable, "-c", MAIN, *words]
    environment = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1])}
    process = subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True)
    pid = stub / "pid"
    while not (pid.exists() and pid.read_text().strip()):
        time.sleep(0.01)
    return process, int(pid.read_text())


def left(stub, process):
    """How it ends, and what it says, when nothing is left behind."""
    said = process.communicate(timeout=20)[1]  # which a program that is left behind would hold open
    assert list(stub.glob(".caucus-*")) == []
    return process.returncode, said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_told_to_end_leaves_nothing(stub, number):
    """As batch systems tell it, and a terminal that is closed."""
    process, pid = started(stub, "")
    process.send_signal(number)
    assert left(stub, process) == (128 + signal.SIGTERM, "")
    assert ends(pid)


def test_a_program_that_is_told_to_end_has_the_time_that_it_takes(stub):
    solver = """trap 'sleep 1; echo "$CAUCUS_REPORT" > saved; exit 3' TERM"""
    process, _ = started(stub, solver)
    process.terminate()
    assert left(stub, process) == (3, "")
    assert (stub / "saved").exists()


def test_a_second_signal_ends_a_program_that_goes_on(stub):
    process, pid = started(stub, "trap '' TERM")
    process.terminate()
    time.sleep(0.5)
    assert process.poll() is None
    process.terminate()
    time.sleep(0.05)
    process.terminate()  # which does not keep the first two from ending it
    assert left(stub, process) == (128 + signal.SIGTERM, "")
    assert ends(pid)


def test_signals_of_users_reach_the_launcher(stub):
    process, _ = started(stub, "trap 'echo 1 >> got' USR1; trap 'echo 2 >> got; exit 0' USR2")
    process.send_signal(signal.SIGUSR1)
    while not (stub / "got").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGUSR2)
    assert left(stub, process)[0] == 0
    assert (stub / "got").read_text() == "1\n2\n"


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_nothing_runs_on_where_asking_fails(stub, monkeypatch, error):
    (stub / "solver").write_text('#!/bin/sh\necho "$$" > pid\nexec sleep 60\n')

    def ask(*_):
        raise error

    monkeypatch.setattr(waits, "ask", ask)
    monkeypatch.setattr(cli, "leave", lambda status: status)
    cli.main(["run", "--launcher", "./solver", "--timeout", "0.5", "--", "./solver"])
    assert ends(int((stub / "pid").read_text()))
    assert list(stub.glob(".caucus-*")) == []


def test_a_measurement_that_is_told_to_end_leaves_nothing(stub):
    model = library.tree() / "build" / "mpich" / "bin" / "machine_model"
    if not model.exists():
        pytest.skip("nothing is built: run 'make build'")
    words = ("tune", "--mpi", "mpich", "--launcher", "./solver", "--output", "model.txt")
    process, pid = started(stub, "", words)
    process.terminate()
    assert left(stub, process) == (128 + signal.SIGTERM, "")
    assert ends(pid) and list(stub.glob("*model*")) == []


def test_a_program_of_ours_has_an_end(stub, monkeypatch):
    """Whatever it does when it is told to."""
    monkeypatch.setattr(processes, "PATIENCE", 0.2)
    command = (["sh", "-c", "trap '' TERM; echo $$ > pid; exec sleep 60"], dict(os.environ))
    with pytest.raises(Failure, match="no end of it after 0.5 s: fewer ranks may help"):
        processes.heard(command, 0.5, "it")
    assert ends(int((stub / "pid").read_text()))
    with pytest.raises(Failure, match="no-such can't be started: No such file"):
        processes.heard((["no-such"], dict(os.environ)), 1, "it")
    said = processes.heard((["printf", "a\\344"], dict(os.environ)), 9, "it")  # in Latin-1
    assert (said.returncode, said.stdout) == (0, "a\ufffd")


@pytest.mark.parametrize(
    "words, more, said",
    [
        ("./stub_srun -N4", ("-n", 2), True),
        ("./stub_srun -N4 -n 2", (), True),
        ("./stub_srun -N4", (), False),
        ("./stub_srun -n 1", (), False),
    ],
)
def test_ranks_that_do_not_find_one_another(stub, capfd, words, more, said):
    alone = PROGRAM.replace(json.dumps(CALLS), json.dumps({"ranks": 1, **CALLS}))
    (stub / "solver").write_text(alone)
    errors = run(capfd, "--launcher", words, *more, "--", "./solver")[2]
    assert ("MPI_COMM_WORLD had one rank and not 2" in errors) == said


WRONG = [
    (("--launcher", "./stub_srun", "--hostfile", "solver"), "--hostfile is for mpiexec"),
    (("--launcher", "./stub_srun", "--mpiexec-args=-v"), "--mpiexec-args are for mpiexec"),
    (("--hostfile", "no-hosts"), "--hostfile no-hosts: there is no such file"),
    (("--launcher", "srun '-N4"), "No closing quotation"),
    (("-n", 4, "--nodes", "3x8"), "--nodes: '3x8' describes 24 ranks, but there are 4"),
    (("-n", 2, "--nodes", "cyclic:4"), "'cyclic:4' describes 4 nodes, but there are only 2 ranks"),
    (("-n", 2, "--nodes", "ppn:0"), "--nodes: 'ppn:0' describes no nodes: '0' is not a number"),
    (("--launcher", "./stub_srun -n 3", "--nodes", "2*2"), "describes 4 ranks, but there are 3"),
    (("--launcher", "./stub_srun -n 4", "--nodes", "2x4"), "describes 8 ranks, but there are 4"),
    (("--mpiexec-args=-n 4", "--nodes", "2x4"), "describes 8 ranks, but there are 4"),
    (("--nodes", "0x4"), "--nodes 0x4: at least one node of one rank is needed"),
]


PROGRAMS = [
    (("--launcher", "./stub_srun", "--", "./solver", ":", "-n", 2, "./solver"), "':' between"),
    (("--launcher", "./stub_srun -n 1 ./solver :", "--", "./solver"), "':' between programs with"),
    (("--launcher", "./stub_srun --multi-prog", "--", "file"), "--multi-prog with --launcher:"),
]


@pytest.mark.parametrize("words, sentence", PROGRAMS)
def test_only_one_program_can_follow_a_launcher(stub, capfd, words, sentence):
    status, _, errors = run(capfd, *words)
    assert (status, errors.count("\n")) == (2, 1)
    assert sentence in errors and "only the first program would run under Caucus" in errors


def test_ranks_of_several_programs_are_not_known(stub, capfd, monkeypatch):
    """Two of the first, five with the others: nobody is missed who may not be there."""
    (stub / "mpiexec").write_text("#!/bin/sh\nexec sleep 60\n")
    (stub / "mpiexec").chmod(0o755)
    monkeypatch.setattr(launch, "mpiexec_of", lambda mpi: stub / "mpiexec")
    asked = []

    def ask(folder, ranks, patience):
        asked.append(ranks)
        return {1: [waits.Wait("here", [])]}

    monkeypatch.setattr(waits, "ask", ask)
    words = ("--mpi", "mpich", "-n", 2, "--nodes", "5x1", "--timeout", "0.3", "--", "./solver")
    assert "describes 5 ranks, but there are 2" in run(capfd, *words)[2]
    status, _, errors = run(capfd, *words, ":", "-n", 3, "./solver")
    assert status == 124 and asked == [sys.maxsize]
    assert "nothing was heard of rank 0" in errors
    words = ("--launcher", "./mpiexec -n 3", "--mpi", "mpich", "--timeout", "0.3", "--", "./solver")
    assert "nothing was heard of ranks 0, 2" in run(capfd, *words)[2] and asked[1:] == [3]


def test_what_scripts_of_intel_mpi_have_set_stays(tmp_path, monkeypatch):
    mpiexec = tmp_path / "bin" / "mpiexec"
    (tmp_path / "lib").mkdir()
    for name in ("I_MPI_ROOT", "FI_PROVIDER_PATH", "LD_LIBRARY_PATH"):
        monkeypatch.delenv(name, raising=False)
    paths = {"LD_LIBRARY_PATH": f"{tmp_path}/lib"}
    assert launch._intel(mpiexec)[1] == {**paths, "I_MPI_ROOT": str(tmp_path)}
    (tmp_path / "lib" / "libtcp-fi.so").touch()
    assert launch._intel(mpiexec)[1]["FI_PROVIDER_PATH"] == f"{tmp_path}/lib"
    monkeypatch.setenv("FI_PROVIDER_PATH", "/opt/prov")
    monkeypatch.setenv("I_MPI_ROOT", "/opt/mpi")
    assert launch._intel(mpiexec)[1] == paths


@pytest.mark.parametrize("words, sentence", WRONG)
def test_words_that_make_no_sense(stub, capfd, words, sentence):
    status, _, errors = run(capfd, *words, "--", "./solver")
    assert (status, errors.count("\n")) == (2, 1)
    assert sentence in errors


def words_of(**given):
    launcher = start.Launcher([], [], None, 2)._replace(**given)
    return start.Start("openmpi", launcher, Path("/d.so"), ["./solver"])


@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_mpiexec_is_told_nothing_that_changes_how_it_binds(mpi, monkeypatch):
    """Unless ranks outnumber the cores of this machine, which alone runs them."""
    if not prefix(mpi).exists():
        pytest.skip(f"{mpi} is not here")
    for name in start.BATCH:
        monkeypatch.delenv(name, raising=False)
    cores = len(os.sched_getaffinity(0))
    signs = ("--bind-to", "--oversubscribe", "POSIX_INTRA_ALGORITHM", "yield_when_idle")

    def found(others="", **given):
        given = words_of(**given)._replace(mpi=mpi, program=["./solver", *others.split()])
        words = " ".join(given.command({"A": 1}, True)[0])
        assert "A=1" in words or "A 1" in words
        assert "/d.so" in words
        return [sign for sign in signs if sign in words]

    assert found(ranks=cores) == []
    assert found(ranks=cores + 1) != []
    assert found(ranks=1, others=f": -n {cores} ./solver") != []
    assert found(ranks=cores, others=": ./solver") != []
    assert cores == 1 or found(ranks=1, others=f"-np 9 : -n {cores - 1} ./solver") == []
    assert found(ranks=cores + 1, hostfile="/hosts") == []
    assert found(ranks=None, more=["--bind-to", "core"]) == ["--bind-to"]
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    assert found(ranks=cores + 1) == []


def test_hostfiles_and_words_reach_mpiexec():
    if not prefix("openmpi").exists() or not prefix("mpich").exists():
        pytest.skip("an MPI is not here")
    given = words_of(ranks=8, hostfile="hosts", more=["--map-by", "node"])
    joined = " ".join(given.command({}, False)[0])
    assert "--map-by node --hostfile hosts -n 8 ./solver" in joined
    assert "-f hosts -n 8 ./solver" in " ".join(given._replace(mpi="mpich").command({}, False)[0])


COMPILER = shutil.which("cc")


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Programs that need libraries called as those of MPIs."""
    if not COMPILER:
        pytest.skip("no compiler")
    (tmp_path / "empty.c").write_text("void nothing(void) {}\n")
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    for name in ("libmpi.so.12", "libmpi.so.40", "libmpi_abi.so.1", "libother.so"):
        words = ["-shared", "-fPIC", f"-Wl,-soname,{name}", "-o", name, "empty.c"]
        subprocess.run([COMPILER, *words], cwd=tmp_path, check=True)
    for name, number in (("mpich", "12"), ("openmpi", "40")):
        link(tmp_path, name, f"libmpi.so.{number}", "-Wl,-rpath,$ORIGIN")
    link(tmp_path, "abi", "libmpi_abi.so.1", "-Wl,-rpath,$ORIGIN")
    link(tmp_path, "plain", "libother.so", "-Wl,-rpath,$ORIGIN")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return tmp_path


def link(folder, name, library, *more):
    words = ["-Wl,--no-as-needed", "-o", name, "main.c", library, *more]
    subprocess.run([COMPILER, *words], cwd=folder, check=True)


def families(*words):
    return [one.family for one in linked.of_program(words, os.environ)]


def test_the_mpi_of_a_program_is_read_from_it(programs):
    assert [families(programs / name) for name in ("mpich", "openmpi", "abi", "plain")] == [
        ["mpich"],
        ["openmpi"],
        ["abi"],
        [],
    ]
    found = linked.of_program([programs / "openmpi"], os.environ)[0]
    assert found.path == programs / "libmpi.so.40"
    assert found.spoken == f"Open MPI ({programs}/libmpi.so.40)"


def test_it_is_found_through_libraries_wrappers_and_scripts(programs):
    needs = ["-shared", "-fPIC", "-o", "libsolver.so", "empty.c", "-Wl,--no-as-needed"]
    words = [COMPILER, *needs, "libmpi.so.40", "-Wl,-rpath,$ORIGIN"]
    subprocess.run(words, cwd=programs, check=True)
    link(programs, "through", "libsolver.so", "-Wl,-rpath,$ORIGIN")
    script = programs / "wrapper"
    script.write_text('#!/bin/sh\n# for mpich\nulimit -s unlimited\nexec "openmpi" "$@"\n')
    script.chmod(0o755)
    assert families(programs / "through") == ["openmpi"]
    assert families(script, "input") == ["openmpi"]
    assert families("env", "A=1", programs / "mpich") == ["mpich"]
    assert families("no-such-program") == []


def test_a_library_that_is_not_there_has_a_name(programs, monkeypatch):
    """On a machine that has no other one of that name."""
    (programs / "libmpi.so.40").unlink()
    monkeypatch.setattr(linked, "SYSTEM_FOLDERS", ())
    monkeypatch.setattr(linked, "_cached", lambda name: [])
    found = linked.of_program([programs / "openmpi"], {})
    assert [(one.family, one.path) for one in found] == [("openmpi", None)]
    assert launch.mpi_of(found[0]) == "openmpi"


def test_damaged_files_are_no_programs(programs):
    whole = (programs / "mpich").read_bytes()
    damaged = programs / "damaged"
    for length in (0, 3, 20, 63, 200, len(whole) // 2):
        damaged.write_bytes(whole[:length])
        damaged.chmod(0o755)
        assert families(damaged) in ([], ["mpich"])
    damaged.write_bytes(whole[:32] + b"\xff" * 8 + whole[40:])  # where its table of segments is
    assert families(damaged) == []
    (programs / "libmpi.so.12").write_bytes(b"")
    assert families(programs / "mpich") == ["mpich"]
    (programs / "libmpi.so.12").write_bytes(b"Open MPI v1.10")  # whose library had this name
    assert families(programs / "mpich") == ["openmpi"]


def test_python_is_for_the_mpi_of_its_mpi4py(tmp_path):
    pytest.importorskip("mpi4py")
    script = tmp_path / "solver.py"
    script.write_text(f"#!{sys.executable}\nimport mpi4py\n")
    script.chmod(0o755)
    found = families(sys.executable, script)
    assert found and set(found) <= {"mpich", "openmpi", "abi"}
    assert families(script) == found


def test_nothing_but_python_is_run_to_find_its_mpi(stub, capfd):
    """Whatever it is called: it would do its work once more."""
    for name in ("python_job", "python3.sh"):
        (stub / name).write_text('#!/bin/sh\necho "$0 $*" >> ran\n')
        (stub / name).chmod(0o755)
        (stub / "solver").write_text(f"#!/bin/sh\n: ./{name} cleanup\n")
        run(capfd, "--launcher", "./stub_srun", "--", "./solver")
        (stub / "solver").write_text(f"#!./{name}\n")
        linked.of_program(["./solver"], os.environ)
        linked.of_program([f"./{name}"], os.environ)
    assert not (stub / "ran").exists()
    for name in ("python", "python3", "python3.11", "python3.13t", "/usr/bin/python3"):
        assert linked._is_python(name)


def test_pairs_that_do_not_fit_are_refused(programs, stub, capfd, monkeypatch):
    monkeypatch.setattr(launch, "dropin", lambda mpi: programs / "libdropin.so")
    words = ["-shared", "-fPIC", "-o", "libdropin.so", "empty.c", "-Wl,--no-as-needed"]
    command = [COMPILER, *words, "libmpi.so.12", "-Wl,-rpath,$ORIGIN"]
    subprocess.run(command, cwd=programs, check=True)
    status, _, errors = run(capfd, "--launcher", "./stub_srun", "--", "openmpi")
    assert (status, errors.count("\n")) == (2, 1)
    assert f"openmpi is linked with Open MPI ({programs}/libmpi.so.40), and this drop-in" in errors
    mpiexec = programs / "mpiexec"
    mpiexec.write_text("#!/bin/sh\necho 'mpiexec (Open MPI) 5.0'\n")
    mpiexec.chmod(0o755)
    status, _, errors = run(capfd, "--launcher", "mpiexec", "--", "mpich")
    assert (status, errors.count("\n")) == (2, 1)
    assert f"{mpiexec} starts programs of Open MPI" in errors
    assert not (stub / "log").exists()
    assert run(capfd, "--launcher", "./stub_srun", "--", "mpich")[0] == 0


NOT_THERE = [
    ("./nosuch", "there is no ./nosuch"),
    ("nosuch", "there is no program nosuch on the PATH"),
    ("halo", "there is no program halo on the PATH: write ./halo"),
    ("./input", "./input can't be executed: see chmod +x"),
    ("./folder", "./folder is a folder"),
]


@pytest.mark.parametrize("program, sentence", NOT_THERE)
def test_a_program_that_cannot_be_started_is_said_before(stub, capfd, program, sentence):
    (stub / "solver").rename("halo")
    (stub / "input").write_text("")
    (stub / "folder").mkdir()
    assert run(capfd, "-n", 1, "--", program) == (1, "", f"caucus: {sentence}\n")


def test_a_program_without_mpi_is_seen(programs, stub, capfd):
    errors = run(capfd, "--launcher", "./stub_srun", "--", "plain")[2]
    assert "wrote no report: plain is linked with no MPI" in errors
    (stub / "solver").write_text("#!/bin/sh\n")  # which can't be seen into
    errors = run(capfd, "--launcher", "./stub_srun", "--", "./solver")[2]
    assert "the program did not reach MPI_Finalize" in " ".join(errors.split())


def test_the_mpiexec_of_the_dropin_is_taken(programs, monkeypatch):
    """And not another one that stands first on the PATH."""
    link(programs, "libdropin.so", "libmpi.so.12", "-Wl,-rpath,$ORIGIN", "-shared")
    monkeypatch.setattr(launch, "dropin", lambda mpi: programs / "libdropin.so")
    for name, said in (("mpiexec", "mpiexec (Open MPI) 4"), ("mpiexec.mpich", "HYDRA")):
        (programs / name).write_text(f"#!/bin/sh\necho '{said}'\n")
        (programs / name).chmod(0o755)
    assert launch.mpiexec_of("system") == programs / "mpiexec.mpich"
    link(programs, "libdropin.so", "libmpi.so.40", "-Wl,-rpath,$ORIGIN", "-shared")
    assert launch.mpiexec_of("system") == programs / "mpiexec"


def test_an_mpi_that_is_not_built_for(programs, stub, capfd, monkeypatch):
    """Its build can't be had by naming it, least of all of an installed Caucus."""
    link(programs, "libdropin.so", "libmpi.so.12", "-Wl,-rpath,$ORIGIN", "-shared")
    monkeypatch.setattr(launch, "dropin", lambda mpi: programs / "libdropin.so")
    advice = "load the installation that was built for Open MPI, or build one\n"
    words = ("--launcher", "./stub_srun", "--", "openmpi")
    assert run(capfd, *words)[2].endswith(f"and this drop-in is for MPICH: {advice}")
    monkeypatch.setattr(library, "tree", lambda: None)
    status, _, errors = run(capfd, "--mpi", "openmpi", *words)
    assert status == 2 and errors.endswith(advice)
    assert errors.startswith("caucus: --mpi openmpi: this Caucus is installed for MPICH (")


def test_an_mpi_says_its_version(programs, monkeypatch):
    """Whatever modules lie in the working folder."""
    for name in ("struct", "ctypes", "types", "importlib"):
        (programs / f"{name}.py").write_text("raise RuntimeError('not to be imported')\n")
    monkeypatch.chdir(programs)
    said = "Open MPI v4.1.4, package: Debian OpenMPI"
    source = "#include <string.h>\nint MPI_Get_library_version(char *text, int *length)"
    (programs / "version.c").write_text(
        f'{source} {{ strcpy(text, "{said}"); *length = 9; return 0; }}\n'
    )
    words = ["-shared", "-fPIC", "-o", "libmpi.so.40", "version.c"]
    subprocess.run([COMPILER, *words], cwd=programs, check=True)
    assert linked.version(programs / "libmpi.so.40") == "Open MPI 4.1.4"
    assert linked.version(programs / "libmpi.so.12") == ""
