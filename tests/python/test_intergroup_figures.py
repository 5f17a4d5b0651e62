# SPDX-License-Identifier: BSD-3-Clause
"""The judge of bench/intergroup.py: what must pass passes, and every broken promise is seen."""

import intergroup
import untuned
from intergroup_experiments import cases, figures, tables


def cell(ours=1.0, blocking=1.0, native=6.0, nonblocking=7.0, card=1.0, **fields):
    """A made-up cell, in seconds; bare TCP streams take one."""
    seconds = {
        "native blocking": [native],
        "native nonblocking": [nonblocking],
        "blocking": [blocking],
        "persistent": [ours],
    }
    base = {"mpi": "mpich", "model": "tuned", "nodes": 8, "ppn": 2, "groups": "4:4"}
    base.update(sizes=[8, 8], collective="allgather", shape="regular", bytes=cases.MIB)
    base.update(algorithm="ring", wrong=[], stream=[1.0], streams=[1.0], seconds=seconds)
    return {**base, "in": {"persistent": [card]}, "busiest": {"persistent": [card]}, **fields}


def failing(*cells):
    found = figures.verdicts(figures.rows(cells))
    return [number for number, verdict in enumerate(found) if verdict["failing"]]


def test_what_keeps_all_promises():
    uneven = {"collective": "allgatherv", "shape": "heavy"}
    assert failing(cell(), cell(mpi="openmpi"), cell(**uneven)) == []
    assert failing(cell(1.39, 1.39, 8, 8, **uneven)) == []
    assert failing(cell(1.2, 1.2, 2, 2, mpi="openmpi")) == []
    assert failing(cell(collective="reduce_scatter", mpi="openmpi", ours=1.4)) == []


def test_every_broken_promise_is_seen():
    uneven = {"collective": "allgatherv", "shape": "heavy"}
    assert failing(cell(1.26, native=8, nonblocking=8)) == [0]
    assert failing(cell(1.41, native=8, nonblocking=8, **uneven)) == [1]
    assert failing(cell(1.26, native=8, bytes=8 * cases.MIB, **uneven)) == [2]
    assert failing(cell(card=1.06)) == [3, 4]
    assert failing(cell(native=4.9)) == [5]
    assert failing(cell(1.5, native=7, nonblocking=7, bytes=2 * cases.MIB)) == [0, 5, 6]
    assert failing(cell(mpi="openmpi", native=1.5)) == [7]
    assert failing(cell(1.24, mpi="openmpi", native=5.01 * 0.9, nonblocking=4.9)) == []
    assert failing(cell(bytes=1024, ours=6.4, blocking=6)) == [8]
    assert failing(cell(bytes=1024, ours=1, blocking=6.4)) == [9]
    assert failing(cell(collective="reduce_scatter", mpi="openmpi", ours=1.6)) == [10]
    assert failing(cell(collective="allreduce", ours=3.1)) == [11]


def test_the_default_machine_is_not_judged():
    assert failing(cell(ours=100.0, model="default")) == []


def test_the_worst_cell_is_named():
    found = figures.verdicts(figures.rows([cell(1.1), cell(1.2, groups="1:7")]))
    assert "1:7" in tables.verdicts(found)[2][0][4]
    assert tables.verdicts(found)[2][0][3] == "1.20"


def test_every_cell_of_a_machine_is_known_to_the_program():
    for scale in (cases.FULL, cases.QUICK):
        for nodes in scale.machines:
            for groups in scale.groups[nodes]:
                for collective, shape, size in cases.cells(scale, nodes, groups):
                    assert size > 0 and (shape == "regular" or collective == "allgatherv")


def test_a_call_of_ours_that_fails_breaks_its_promises():
    """Its samples are not there: whether it was wrong, or returned an error."""
    for wrong in ([], ["persistent"]):
        lost = cell(wrong=wrong)
        del lost["seconds"]["persistent"]
        assert failing(lost) == [0, 3, 4, 5, 8]
        assert len(figures.failures(figures.rows([lost]))) == 1
    lost = cell(wrong=["blocking"])
    del lost["seconds"]["blocking"]
    assert failing(lost) == [9]
    assert figures.failures(figures.rows([cell()])) == []


def run(*cells, problems=()):
    return {"cells": list(cells), "problems": list(problems), "conditions": "here"}


def test_several_runs_together():
    late = "mpich, 8 nodes, 4:4: left out, there was no time."
    killed = "mpich, 8 nodes, 4:4: intergroup_loop: killed in MPI_Finalize"
    first = run(cell(9.0), cell(shape="heavy"), problems=[killed])
    found = intergroup.together([first, run(cell(1.0), problems=[late])])
    assert [one["seconds"]["persistent"] for one in found["cells"]] == [[1.0], [1.0]]
    assert found["problems"] == [killed]
    assert intergroup.together([run(problems=[late])])["problems"] == [late]


def test_untuned_leaves_out_what_has_no_figures():
    whole = {model: figures.rows([cell()]) for model in untuned.MODELS}
    assert untuned.is_whole(whole) and untuned.line(whole)
    for lost in (cell(stream=[]), cell(seconds={"native blocking": [1.0]})):
        assert not untuned.is_whole({**whole, "tuned": figures.rows([lost])})
    assert not untuned.is_whole({**whole, "tuned": []})
