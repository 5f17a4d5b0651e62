# SPDX-License-Identifier: BSD-3-Clause
"""Runs the loop and returns what it says."""

import json
import os
import signal
import subprocess
import tempfile

import mpi_launch

from .cases import CORES


class ExperimentError(Exception):
    """One sentence on what went wrong."""


def program(builds, mpi, name="persistent_loop"):
    path = builds / mpi / "bin" / name
    if not path.exists():
        raise ExperimentError(f"there is no {path}: run 'make build MPI={mpi}'.")
    return str(path)


def _words(builds, mpi, collective, size, iterations, repetitions, shapes="same"):
    return [
        program(builds, mpi),
        *("--collective", collective, "--bytes", str(size)),
        *("--iterations", str(iterations), "--repetitions", str(repetitions)),
        *("--shapes", shapes),
    ]


# What launch.py says for more ranks than cores, and what suits a core for each rank.
DEDICATED = {
    ("--bind-to", "none"): "core",
    ("mpi_yield_when_idle", "1"): "0",
    **{
        (f"MPIR_CVAR_{name}_POSIX_INTRA_ALGORITHM", "mpir"): "auto"
        for name in ("BCAST", "REDUCE", "ALLREDUCE", "BARRIER")
    },
}


def dedicated(command):
    """The same command for a machine where nobody shares a core."""
    before = [None, *command]
    return [DEDICATED.get(pair, pair[1]) for pair in zip(before, command)]


def settings(command, ranks):
    """The command with the settings for more ranks than cores and, where every rank has one, also
    with those for that: MPI is to be judged by the better."""
    return (command, dedicated(command)) if ranks <= CORES else (command,)


def start(command, env, timeout):
    """What it prints. It is begun in a session of its own, and ended with it."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=env, start_new_session=True, **pipes) as process:
        try:
            said, complaints = process.communicate(timeout=timeout)
        except BaseException as stopped:
            _end(process)
            if not isinstance(stopped, subprocess.TimeoutExpired):
                raise
            raise ExperimentError(f"no end within {timeout} s: {' '.join(command)}") from None
    if process.returncode:
        told = (complaints.strip() or said.strip())[-1500:]
        raise ExperimentError(f"{' '.join(command)} ended with {process.returncode}: {told}")
    return said


def _end(process):
    """mpiexec is asked first: it ends ranks that are in other sessions."""
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    for pipe in (process.stdout, process.stderr):
        pipe.close()


def here(builds, mpi, ranks, collective, size, iterations, repetitions, shapes, timeout=600):
    """On this machine. Where each rank has a core, MPI is run with the settings that suit that and
    with those for oversubscription; each variant keeps the better of both medians' samples."""
    words = _words(builds, mpi, collective, size, iterations, repetitions, shapes)
    found = None
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "loop.json")
        command, env = mpi_launch.command(mpi, ranks, [*words, "--json", path], {})
        for launch in settings(command, ranks):
            start(launch, env, timeout)
            with open(path) as file:
                found = _better(found, json.load(file))
    return {**found, "mpi": mpi, "where": "one node"}


def flags(builds, mpi, ranks):
    """What lines in shared memory take by hand: microseconds of each pattern."""
    found = {}
    command, env = mpi_launch.command(mpi, ranks, [program(builds, mpi, "node_flags")], {})
    for launch in settings(command, ranks):
        for line in start(launch, env, timeout=120).splitlines():
            name, _, rest = line.partition(": ")
            found[name] = min(float(rest.split()[0]), found.get(name, float("inf")))
    return {"mpi": mpi, "ranks": ranks, **found}


def _median(values):
    return sorted(values)[len(values) // 2]


def _better(a, b):
    if a is None:
        return b
    for name, values in b["microseconds"].items():
        if _median(values) < _median(a["microseconds"][name]):
            a["microseconds"][name] = values
    return a


def tune(lab, builds, mpi, ppn, path, timeout=300):
    """Has the virtual nodes measured, as caucus tune does; path is the file to write."""
    words = [program(builds, mpi, "machine_model"), "--output", path]
    lab.run(words, mpi=mpi, ppn=ppn, placement="blocks", timeout=timeout)


def across(lab, builds, mpi, ppn, model, collective, size, iterations, repetitions, timeout=900):
    """Over virtual nodes, with a model of theirs."""
    words = _words(builds, mpi, collective, size, iterations, repetitions)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "loop.json")
        lab.run(
            [*words, "--json", path],
            mpi=mpi,
            ppn=ppn,
            placement="blocks",
            timeout=timeout,
            env={"CAUCUS_MODEL": model},
        )
        with open(path) as file:
            found = json.load(file)
    return {**found, "mpi": mpi, "where": f"{lab.nodes} nodes"}
