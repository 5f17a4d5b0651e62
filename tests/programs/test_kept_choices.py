# SPDX-License-Identifier: BSD-3-Clause
"""What CAUCUS_SELECT has found out is kept for the next run, which takes it over without measuring;
a file that cannot be relied on is measured again, with a sentence."""

import programs
import pytest

pytestmark = pytest.mark.skipif(
    not programs.program("mpich", "heat2d").exists(), reason="it needs a build for MPICH"
)


def run(folder, ranks=2, **more):
    """What is known at the end, and what was said on standard error."""
    program = programs.BUILD / "mpich" / "tests" / "kept_choices"
    env = {
        "CAUCUS_SELECT": "measure",
        "CAUCUS_SELECT_MS": "5000",  # enough to measure at any load: what takes longer is not kept
        "CAUCUS_CACHE": str(folder),
        "CAUCUS_MODEL": "default",
        "CAUCUS_VERBOSE": "1",
        **more,
    }
    done = programs.start("mpich", ranks, [program], env)
    said = [line for line in done.stderr.splitlines() if "caucus" in line]
    return sorted(done.stdout.splitlines()), said


def measured(said):
    return sum("measured:" in line for line in said)


def the_file(folder):
    found = [path for path in folder.iterdir() if path.name.startswith("choices-")]
    assert len(found) == 1, found
    return found[0]


def test_the_next_run_takes_them_over(tmp_path):
    known, said = run(tmp_path)
    assert measured(said) == 2 and len(known) == 2, (known, said)
    assert sorted(line.split()[:2] for line in known) == [
        ["blocking", "allgather"],
        ["persistent", "allgather"],
    ]
    path = the_file(tmp_path)
    assert path.stat().st_mode & 0o77 == 0
    assert sorted(path.read_text().splitlines()[1:]) == known
    again, said = run(tmp_path)
    assert again == known and measured(said) == 0
    assert sum("choices of earlier runs" in line for line in said) == 1, said


@pytest.mark.parametrize("nodes, kept", [("1x4", []), ("2x2", ["persistent"])])
def test_by_itself_it_measures_inits_on_several_nodes(tmp_path, nodes, kept):
    """And the next run, whose nodes lie alike, does not measure."""
    known, said = run(tmp_path, 4, CAUCUS_SELECT="auto", CAUCUS_NODES=nodes)
    assert [line.split()[0] for line in known] == kept and measured(said) == len(kept), said
    again, said = run(tmp_path, 4, CAUCUS_SELECT="auto", CAUCUS_NODES=nodes)
    assert again == known and measured(said) == 0


def test_what_the_file_says_is_taken(tmp_path):
    """Also what no measurement would find."""
    run(tmp_path)
    path = the_file(tmp_path)
    lines = path.read_text().splitlines()
    wanted = [" ".join([*line.split()[:-1], "ring"]) for line in lines[1:]]
    path.write_text("\n".join([lines[0], *wanted, ""]))
    assert run(tmp_path)[0] == sorted(wanted)


def test_a_full_file_makes_room(tmp_path):
    """Of the oldest ones."""
    run(tmp_path)
    path = the_file(tmp_path)
    head, *_ = path.read_text().splitlines()
    kinds = [(size, element) for element in (4, 8, 16, 24) for size in range(64)]
    others = [f"persistent allreduce {size} {element} 1 1 ours ring" for size, element in kinds]
    path.write_text("\n".join([head, *others, ""]))
    known, said = run(tmp_path)
    assert measured(said) == 2 and others[-1] in known, said
    lines = path.read_text().splitlines()[1:]
    assert others[0] not in lines and {line.split()[1] for line in lines[-2:]} == {"allgather"}
    assert measured(run(tmp_path)[1]) == 0


def test_other_ranks_and_other_nodes_have_another_file(tmp_path):
    run(tmp_path, 2)
    run(tmp_path, 4)
    run(tmp_path, 4, CAUCUS_NODES="2x2")
    run(tmp_path, 4, CAUCUS_NODES="cyclic:2")
    assert len(list(tmp_path.iterdir())) == 4


def test_an_algorithm_of_another_version_is_left_out(tmp_path):
    known, _ = run(tmp_path)
    path = the_file(tmp_path)
    path.write_text("".join(f"{line.rsplit(' ', 1)[0]} of_tomorrow\n" for line in known))
    again, said = run(tmp_path)
    assert measured(said) == 2 and len(again) == 2


@pytest.mark.parametrize(
    "change",
    [lambda text: text[:-4] + "\n\n blocking all", lambda text: "\0" + text],
    ids=["cut", "no text"],
)
def test_a_damaged_file_is_made_anew(tmp_path, change):
    run(tmp_path)
    path = the_file(tmp_path)
    path.write_text(change(path.read_text()))
    known, said = run(tmp_path)
    assert measured(said) == 2
    assert sum("is not as it was written" in line for line in said) >= 1, said
    assert sorted(path.read_text().splitlines()[1:]) == known


def test_a_file_that_others_may_write_is_not_used(tmp_path):
    run(tmp_path)
    the_file(tmp_path).chmod(0o666)
    _, said = run(tmp_path)
    assert any("may be written by others" in line for line in said) and measured(said) == 2
    assert measured(run(tmp_path)[1]) == 0


def test_nothing_is_kept_where_nothing_is_asked_for(tmp_path):
    run("none", HOME=str(tmp_path), XDG_CACHE_HOME="")
    assert list(tmp_path.iterdir()) == []
