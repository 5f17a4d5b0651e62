# SPDX-License-Identifier: BSD-3-Clause
"""caucus run with other launchers than the MPI's own, here a script that is told like srun; which
MPI a program is for; pairs that do not fit."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from caucus import cli, launch, linked, report, start
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


def test_libraries_of_the_user_stay_behind_ours(stub, capfd, monkeypatch):
    monkeypatch.setenv("MINE", "")
    own = stub / "libown.so"
    own.write_bytes(b"")
    words = ("--launcher", "./stub_srun", "--env", f"LD_PRELOAD={own}", "--", "./solver")
    assert run(capfd, *words)[0] == 0
    assert log(stub)[1] == f"rank 0 preload={stub}/libstandin.so:{own} mine="


@pytest.mark.parametrize("variable, status", [("STUB_STATUS", 7), ("STUB_SIGNAL", 11)])
def test_exit_status_is_the_programs(stub, capfd, monkeypatch, variable, status):
    monkeypatch.setenv(variable, str(status))
    expected = status if variable == "STUB_STATUS" else 128 + status
    assert run(capfd, "--launcher", "./stub_srun", "--", "./solver")[0] == expected


def test_exit_status_of_a_launcher_that_a_signal_ended(stub, capfd):
    (stub / "gone").write_text("#!/bin/sh\nkill -9 $$\n")
    (stub / "gone").chmod(0o755)
    assert run(capfd, "--launcher", "./gone", "--", "./solver")[0] == 137


def test_comparison_runs_it_again_without(stub, capfd, monkeypatch):
    monkeypatch.setenv("STUB_SLEEP", "0.3")
    kept = stub / "report.json"
    words = ("--launcher", "./stub_srun", "--compare", "--report", kept, "--", "./solver")
    status, _, errors = run(capfd, *words)
    assert status == 0 and "without Caucus, for comparison" in errors
    assert log(stub)[2:] == [
        "launcher preload= report= ranks=1 words=./solver",
        "rank 0 preload= mine=",
    ]
    run_times = json.loads(kept.read_text())["run"]
    assert run_times["seconds"] > 0.3 > run_times["native_seconds"] > 0
    assert f"{report.duration(run_times['native_seconds'])} without Caucus → " in errors
    assert " % more (one run of each" in " ".join(errors.split())


def test_comparison_with_a_program_that_fails_alone(stub, capfd):
    (stub / "solver").write_text(
        PROGRAM.replace("exit ", '[ -n "$CAUCUS_REPORT" ] || exit 3\nexit ')
    )
    status, _, errors = run(capfd, "--launcher", "./stub_srun", "--compare", "--", "./solver")
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


def test_a_run_that_is_told_to_end_leaves_nothing(stub):
    """As batch systems tell it."""
    (stub / "solver").write_text('#!/bin/sh\necho "$$" > pid\nexec sleep 60\n')
    main = "import sys; from pathlib import Path; from caucus import cli, launch; " + (
        "launch.dropin = lambda mpi: Path('libstandin.so').resolve(); sys.exit(cli.main())"
    )
    words = [sys.executable, "-c", main, "run", "--launcher", "./solver"]
    environment = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1])}
    process = subprocess.Popen([*words, "--", "./solver"], env=environment)
    pid = stub / "pid"
    while not (pid.exists() and pid.read_text().strip()):
        time.sleep(0.01)
    process.terminate()
    assert process.wait(20) == 128 + signal.SIGTERM
    assert ends(int(pid.read_text()))
    assert list(stub.glob(".caucus-*")) == []


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
]


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

    def found(**given):
        words = " ".join(words_of(**given)._replace(mpi=mpi).command({"A": 1}, True)[0])
        assert "A=1" in words or "A 1" in words
        assert "/d.so" in words
        return [sign for sign in signs if sign in words]

    assert found(ranks=cores) == []
    assert found(ranks=cores + 1) != []
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
    for name, library in (("mpich", "12"), ("openmpi", "40")):
        link(tmp_path, name, f"libmpi.so.{library}", "-Wl,-rpath,$ORIGIN")
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


def test_a_library_that_is_not_there_has_a_name(programs):
    (programs / "libmpi.so.40").unlink()
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
