# SPDX-License-Identifier: BSD-3-Clause
"""Runs the programs and returns what they say, as they say it."""

import json
import os
import subprocess
import tempfile

STREAM_LEAST, STREAM_MOST = 10**6, 2 * 10**7


class ExperimentError(Exception):
    """One sentence on what went wrong."""


def program(builds, mpi, name):
    path = builds / mpi / "bin" / name
    if not path.exists():
        raise ExperimentError(f"there is no {path}: run 'make build MPI={mpi}'.")
    return str(path)


def _in_lab(lab, mpi, ppn, placement, words, timeout=900):
    """Runs a program that writes a file of JSON, and reads it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "measured.json")
        run = lab.run(
            [*words, "--json", path], mpi=mpi, ppn=ppn, placement=placement, timeout=timeout
        )
        with open(path) as file:
            return {**json.load(file), "placement": placement, "mpi": mpi, "text": run.stdout}


def _amount(scale, numbers):
    return ["--sizes", ",".join(map(str, numbers))] + [
        *("--repetitions", str(scale.repetitions)),
        *("--seconds", str(scale.seconds)),
    ]


def halo(lab, builds, mpi, ppn, case, placement, scale):
    """Halo exchange over sizes and, right after, bare TCP streams both ways between two nodes, of
    as many bytes as the busiest card takes in while a repetition lasts."""
    words = [program(builds, mpi, "halo_exchange"), *case.words, *_amount(scale, scale.sizes)]
    result = _in_lab(lab, mpi, ppn, placement, words)
    for size in result["sizes"]:
        wanted = size["bytes"] * result["cart"]["off_node_worst"] * size["iterations"]
        stream = lab.stream(int(min(max(wanted, STREAM_LEAST), STREAM_MOST)), both_ways=True)
        size["stream"] = {
            "bytes": stream.size,
            "bytes_per_byte": stream.bytes_per_byte,
            "bytes_per_second": stream.size / stream.seconds,
        }
    return {**result, "case": case.name, "wraps": case.periodic}


def sweep(lab, builds, mpi, ppn, placement, scale):
    words = [program(builds, mpi, "stencil_sweep"), "--dims", f"{lab.nodes}x{ppn}"]
    return _in_lab(lab, mpi, ppn, placement, words + _amount(scale, scale.meshes))


def on_off_table(builds, mpi):
    """The table of neighbours, and whether all published figures came out exactly."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.json")
        words = [program(builds, mpi, "plan_on_off_table"), "--json", path]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
        if not os.path.exists(path):
            raise ExperimentError(f"plan_on_off_table failed: {done.stderr.strip()}")
        with open(path) as file:
            rows = json.load(file)
    return {"rows": rows, "exact": done.returncode == 0, "text": done.stdout}
