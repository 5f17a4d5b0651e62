# SPDX-License-Identifier: BSD-3-Clause
"""What a run leaves where others may look: shared memory has no name while a program runs, and none
after it was killed; what was measured is kept for its owner alone. docs/limits.md promises that."""

import contextlib
import os
import re
import signal
import stat
import subprocess
import time
from pathlib import Path

import programs
import pytest

import mpi_launch

SHARED = Path("/dev/shm")
NAME = re.compile(r"caucus-[0-9a-f]{32}")
RANKS = 3


@pytest.fixture(params=programs.parameters(without=("intel", "abi", "system")))
def mpi(request):
    return programs.chosen(request)


def owned_names():
    return {path.name for path in SHARED.glob("caucus-*")}


def ranks_of(program):
    """(process, the shared memory of ours that it has mapped) of each rank of a program."""
    found = {}
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else [b""]
            if words[0].decode() == program:
                maps = (entry / "maps").read_text().splitlines()
                found[int(entry.name)] = [line for line in maps if NAME.search(line)]
        except OSError:
            continue  # it has ended meanwhile
    return found


def wait_for_ranks(program):
    """Until all ranks have mapped what they share, and its names are gone: that takes moments."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        found = ranks_of(program)
        lines = [line for lines in found.values() for line in lines]
        gone = all(line.endswith("(deleted)") for line in lines)
        if len(found) == RANKS and all(found.values()) and gone:
            return found
        time.sleep(0.05)
    raise AssertionError(f"no ranks that share memory without a name: {ranks_of(program)}")


def check_mode(process, line):
    """Where the kernel tells (root only): readable and writable for the owner, and nobody else."""
    try:
        found = os.stat(f"/proc/{process}/map_files/{line.split()[0]}")
    except OSError:
        return
    assert stat.S_IMODE(found.st_mode) == 0o600
    assert found.st_uid == os.geteuid()


def test_shared_memory_has_no_name_and_ends_with_the_ranks(mpi, tmp_path):
    program = tmp_path / "gradients"  # a name by which its ranks are told from others
    program.symlink_to(programs.program(mpi, "gradients"))
    words = [str(program), "1000000"]
    command, outer = mpi_launch.command(mpi, RANKS, words, {}, [programs.dropin(mpi)])
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    before = owned_names()
    with subprocess.Popen(command, env=outer, **quiet) as launcher:
        try:
            mapped = wait_for_ranks(str(program))
            for process, lines in mapped.items():
                check_mode(process, lines[0])
            for process in mapped:
                with contextlib.suppress(ProcessLookupError):  # MPI ends the others then
                    os.kill(process, signal.SIGKILL)
            launcher.wait(60)
        finally:
            launcher.kill()
    ours = {NAME.search(line).group() for lines in mapped.values() for line in lines}
    assert len(ours) >= 1
    assert not ours & owned_names()
    assert not before & ours


KILLER = """
    #include <fcntl.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <unistd.h>
    int posix_fallocate(int file, off_t offset, off_t length)
    {
        char path[64], name[256];
        (void)offset, (void)length;
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        ssize_t size = readlink(path, name, sizeof name);
        if (size > 0)
            size = write(open(getenv("KILLED_AT"), O_WRONLY | O_CREAT, 0600), name, (size_t)size);
        return raise(SIGKILL);
    }
"""


def test_a_rank_killed_while_it_makes_memory_leaves_nothing(mpi, tmp_path):
    source, library, told = (tmp_path / name for name in ("killer.c", "libkiller.so", "told"))
    source.write_text(KILLER)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True, timeout=60)
    words = [str(programs.program(mpi, "persistent_allreduce")), "1", "10"]
    command, env = mpi_launch.command(mpi, 2, words, {"KILLED_AT": str(told)}, [library])
    run = subprocess.run([str(word) for word in command], env=env, capture_output=True, timeout=60)
    assert run.returncode != 0
    assert not (SHARED / NAME.search(told.read_text()).group()).exists()


def test_what_was_measured_is_for_its_owner_alone(mpi, tmp_path):
    folder = tmp_path / "home" / "caucus"
    env = {"CAUCUS_CACHE": folder, "CAUCUS_MODEL": "auto", "MPIR_CVAR_NUM_CLIQUES": 2}
    if mpi != "mpich":
        pytest.skip("only MPICH makes one machine look like two nodes to MPI itself")
    before = os.umask(0)  # whatever the user's is
    try:
        programs.start(mpi, 2, [programs.program(mpi, "persistent_allreduce"), 1, 10], env)
    finally:
        os.umask(before)
    files = list(folder.iterdir())
    assert [path.name for path in files if path.name.startswith("model-")] != []
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
