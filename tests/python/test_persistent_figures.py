# SPDX-License-Identifier: BSD-3-Clause
"""The judge of bench/persistent.py: what must pass passes, and every broken promise is seen."""

import persistent
from persistent_experiments import figures, measure
from persistent_experiments.cases import CORES


def run(ours=1.0, blocking=2.0, nonblocking=4.0, persistent=4.0, **fields):
    """A made-up run, in microseconds."""
    times = {
        "native blocking": [blocking],
        "native nonblocking": [nonblocking],
        "native persistent": [persistent],
        "nonblocking": [1.5],
        "persistent": [ours],
    }
    base = {"mpi": "mpich", "where": "one node", "collective": "reduce", "bytes": 4, "ranks": CORES}
    return {**base, "iterations": 500, "shapes": "same", "microseconds": times, **fields}


def failing(runs, back=()):
    found = figures.verdicts(figures.rows(runs), figures.back_rows(back))
    return [len(rows) for _, _, rows in found]


def test_what_keeps_all_promises():
    runs = [run(), run(ranks=2 * CORES), run(collective="bcast", bytes=65536)]
    assert failing(runs, [run()]) == [0, 0, 0, 0, 0]


def test_every_broken_promise_is_seen():
    assert failing([run(persistent=2.9)]) == [1, 0, 0, 0, 0]
    assert failing([run(persistent=1.9, ranks=2 * CORES)]) == [0, 1, 0, 0, 0]
    assert failing([run(blocking=0.9, bytes=65536)]) == [0, 0, 1, 0, 0]
    assert failing([run(nonblocking=2.9)]) == [0, 0, 0, 1, 0]
    assert failing([], [run(ours=1.6)]) == [0, 0, 0, 0, 1]


def test_without_a_native_persistent_call_the_nonblocking_one_is_the_rival():
    there = run()
    del there["microseconds"]["native persistent"]
    assert figures.rows([there])[0]["over_persistent"] == 4


def test_other_collectives_and_virtual_nodes_are_not_judged():
    assert failing([run(collective="alltoall", persistent=0.5, nonblocking=0.5)]) == [0] * 5
    assert failing([run(where="4 nodes", persistent=0.5, nonblocking=0.5)]) == [0] * 5


def test_median_and_band():
    assert figures.median([3, 1, 2]) == 2
    assert figures.median([4, 1, 2, 3]) == 2.5
    assert figures.band(list(range(11))) == (1, 9)


def test_settings_for_a_core_each():
    command = ["mpiexec", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-n", "1"]
    wanted = ["mpiexec", "--bind-to", "core", "--mca", "mpi_yield_when_idle", "0", "-n", "1"]
    assert measure.dedicated(command) == wanted
    name = "MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM"
    assert measure.dedicated(["-genv", name, "mpir"]) == ["-genv", name, "auto"]


def test_a_cell_of_two_parts_counts_once():
    for parts in ([run(persistent=2), run()], [run(), run(persistent=2)], [run(persistent=2)] * 2):
        found = figures.verdicts(figures.rows([*parts, run(bytes=64)]), [])
        assert [count for _, count, _ in found] == [2, 0, 2, 1, 0]
        assert [len(rows) for _, _, rows in found] == [1, 0, 0, 0, 0]
    back = figures.verdicts([], figures.back_rows([run(), run(shapes="new"), run()]))[-1]
    assert back[1] == 2


def test_when_is_that_of_each_part():
    assert persistent.when({"when": dict.fromkeys(persistent.PARTS, "then")}) == "then"
    said = persistent.when({"when": {"lab": "now"}})
    assert "ranks: at a time that was not noted; " in said and said.endswith("lab: now")
