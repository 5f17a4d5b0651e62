# SPDX-License-Identifier: BSD-3-Clause
"""The virtual nodes: what they count, how fast they are, and that nothing of them is left."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE / "bench"))

import lab as package  # noqa: E402
from lab import Lab, LabError, LabTimeout, NothingCrossed, registry  # noqa: E402
from provision.mpi import prefix as prefix_of  # noqa: E402

CAN, REASON = package.available()
needs_lab = pytest.mark.skipif(not CAN, reason=REASON or "virtual nodes can be had")
SIZES = [4, 4, 3, 5]
MPIS = ["mpich", "openmpi", "intel", "abi"]
SEGMENT = 1448  # bytes of a program in one packet, at most
HEADERS = 1.07  # 66 bytes for each 1448, and what the MPI itself adds


def namespaces_of(lab):
    """The network namespaces of a lab, as the kernel numbers them."""
    process = lab.description["process"]
    root = f"/proc/{process}/root/proc"
    nodes = [os.readlink(f"{root}/{node}/ns/net") for node in lab.description["nodes"]]
    return set(nodes) | {os.readlink(f"/proc/{process}/ns/net")}


def inhabited(namespaces):
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{process}/ns/net") in namespaces:
                found.append(int(process))
        except OSError:
            pass
    return found


def wait_until(condition, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def names():
    return [lab["name"] for lab in registry.labs()[0]]


def host_links():
    return sorted(os.listdir("/sys/class/net"))


@pytest.fixture(autouse=True)
def own_registry(tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_REGISTRY", str(tmp_path / "labs"))


@pytest.fixture(scope="module")
def four_nodes(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAB_REGISTRY", str(tmp_path_factory.mktemp("labs")))
        lab = Lab(nodes=4).up()
    yield lab
    lab.down()


@pytest.fixture(scope="session")
def probe(tmp_path_factory):
    """Builds the probe against an MPI, once."""
    built = {}

    def build(mpi):
        prefix = prefix_of(mpi)
        if not (prefix / "bin" / "mpiexec").exists():
            pytest.skip(f"{mpi} is not there: 'make build MPI={mpi}' brings it")
        if mpi not in built:
            program = tmp_path_factory.mktemp("probe") / f"probe_{mpi}"
            compiler = [str(prefix / "bin" / ("mpicc_abi" if mpi == "abi" else "mpicc"))]
            libraries = []
            if mpi == "intel":
                library = prefix / "lib"
                compiler = ["cc", f"-I{prefix}/include"]
                libraries = [f"-L{library}", "-lmpi", f"-Wl,-rpath,{library}"]
            source = TREE / "bench" / "lab_probe.c"
            words = compiler + ["-std=c17", "-O1", "-o", program, source] + libraries
            subprocess.run(words, check=True, timeout=60)
            built[mpi] = str(program)
        return built[mpi]

    return build


def probe_lines(run, word):
    return [line.split() for line in run.stdout.splitlines() if line.startswith(word + " ")]


def most_bytes(bare, packets, resent, lossy):
    """What may have passed a card: what programs sent and a hundredth that the MPI adds, a header
    for each packet, the ranges that packets tell of where some got lost, and what was sent again,
    as TCP does on a busy machine too."""
    return bare * 1.01 + packets * (66 + (28 if lossy else 0)) + resent * SEGMENT


def check_cards(run):
    """The figures of all cards; returns how many segments were sent again."""
    lines = probe_lines(run, "card")
    counted = [[int(word) for word in line[5:] if word.isdigit()] for line in lines]
    assert len(counted) == len(set(run.nodes))
    resent_anywhere = sum(figures[-1] for figures in counted)
    for sent, received, sent_bare, received_bare, out, came, resent in counted:
        assert out * SEGMENT >= sent_bare and came * SEGMENT >= received_bare
        assert sent_bare <= sent <= most_bytes(sent_bare, out, resent, resent_anywhere)
        limit = most_bytes(received_bare, came, resent_anywhere, resent_anywhere)
        assert received_bare <= received <= limit
    return resent_anywhere


def test_placement_by_blocks_cyclic_and_given():
    assert package.place([2, 1, 3], "blocks") == [0, 0, 1, 2, 2, 2]
    assert package.place([2, 1, 3], "cyclic") == [0, 1, 2, 0, 2, 2]
    assert package.place([1, 1, 1], [2, 0, 0]) == [2, 0, 0]
    for wrong in ("scattered", [], [3], [-1]):
        with pytest.raises(LabError):
            package.place([1, 1, 1], wrong)


def test_wrong_wishes_are_refused_in_words():
    for wish, word in (
        ({"nodes": 0}, "nodes"),
        ({"rate": "fast"}, "rate"),
        ({"rate": "0mbit"}, "rate"),
        ({"subnet": "10.1.1.0/30"}, "room"),
        ({"subnet": "nowhere"}, "subnet"),
        ({"mtu": 100}, "packet"),
    ):
        with pytest.raises(LabError, match=word):
            Lab(**wish)


def test_verify_crossed_names_the_node_and_the_figures():
    cards = [package.Card(1000, 1, 0, 0), package.Card(10, 1, 0, 0)]
    package.verify_crossed(cards, 1010, 1010)
    package.verify_crossed(cards, [900, 10])
    with pytest.raises(NothingCrossed, match="together sent 1,010 bytes, at least 2,000"):
        package.verify_crossed(cards, 2000)
    with pytest.raises(NothingCrossed, match="card of node 1 sent 10 bytes, at least 900"):
        package.verify_crossed(cards, [900, 900])
    with pytest.raises(NothingCrossed, match="card of node 0 sent 1,000 bytes, at most 999"):
        package.verify_crossed(cards, [900, 10], [999, 999])


def test_without_root_the_reason_is_told():
    if os.geteuid() != 0:
        assert not CAN and "root" in REASON
        return
    script = "import os; from lab import available; os.setuid(65534); print(available())"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=TREE / "bench", capture_output=True, text=True
    )
    assert "False" in done.stdout and "root" in done.stdout, done.stderr


@needs_lab
def test_nodes_come_up_and_go():
    before = host_links()
    lab = Lab(nodes=16)
    begun = time.monotonic()
    with lab:
        assert time.monotonic() - begun < 20
        assert lab.execute(["hostname"], node=15).stdout == "node15\n"
        assert lab.execute(["ls", "/sys/class/net"], node=3).stdout.split() == ["eth0", "lo"]
        assert host_links() == before
        namespaces = namespaces_of(lab)
        assert len(namespaces) == 17
        assert names() == [lab.name]
    assert inhabited(namespaces) == []
    assert names() == [] and registry.labs()[1] == []
    lab.down()


@needs_lab
def test_nothing_is_left_after_an_exception():
    with pytest.raises(ZeroDivisionError):
        with Lab(nodes=2) as lab:
            namespaces = namespaces_of(lab)
            lab.start(["sleep", "1000"], node=1)
            assert 1 / 0
    assert inhabited(namespaces) == [] and names() == []


OWNER = """
    import os, sys, time
    sys.path.insert(0, sys.argv[1])
    from lab import Lab
    with Lab(nodes=2) as lab:
        for node in (None, 0, 1):
            lab.start(["sh", "-c", "setsid sleep 1000 & sleep 1000"], node=node)
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        time.sleep(0.3)
        print(lab.name, flush=True)
        lab.execute(["sleep", "1000"], node=0, timeout=1000)
"""


@needs_lab
@pytest.mark.parametrize(
    "victim, number",
    [
        ("owner", signal.SIGKILL),
        ("owner", signal.SIGTERM),
        ("owner", signal.SIGINT),
        ("owner", signal.SIGHUP),
        ("keeper", signal.SIGKILL),
        ("keeper", signal.SIGTERM),
        ("process", signal.SIGKILL),
    ],
)
def test_nothing_is_left_after_a_violent_end(victim, number):
    words = [sys.executable, "-c", textwrap.dedent(OWNER), str(TREE / "bench")]
    owner = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        lab = Lab.attach(owner.stdout.readline().decode().strip())
        namespaces = namespaces_of(lab)
        assert len(inhabited(namespaces)) >= 10
        with Lab(nodes=1) as bystander:
            os.kill(owner.pid if victim == "owner" else lab.description[victim], number)
            assert wait_until(lambda: not inhabited(namespaces)), inhabited(namespaces)
            assert wait_until(lambda: names() == [bystander.name])
            registry.labs(clean=True)
            assert bystander.execute(["echo", "alive"], node=0).stdout == "alive\n"
        assert registry.labs() == ([], [])
    finally:
        os.killpg(owner.pid, signal.SIGKILL)  # with the child that outlived it
        owner.wait()
        owner.stdout.close()


@needs_lab
def test_two_labs_at_the_same_time_do_not_meet(probe):
    program = probe("mpich")
    runs = {}
    with Lab(nodes=2) as first, Lab(nodes=2) as second:
        assert first.description["addresses"] == second.description["addresses"]
        threads = [
            threading.Thread(target=lambda: runs.update(one=first.run([program, "100000", "20"]))),
            threading.Thread(target=lambda: runs.update(two=second.run([program, "100000", "5"]))),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    runs["one"].verify_crossed([2.0e6] * 2, [2.1e6 * HEADERS + 50_000] * 2)
    runs["two"].verify_crossed([0.5e6] * 2, [0.6e6 * HEADERS + 50_000] * 2)


@needs_lab
@pytest.mark.parametrize("placement", ["blocks", "cyclic", [3, 1, 1, 0, 2, 3, 2]])
@pytest.mark.parametrize("mpi", MPIS)
def test_every_mpi_sees_the_nodes_and_crosses_the_cards(four_nodes, probe, mpi, placement):
    run = four_nodes.run(
        [probe(mpi), "100000", "10"], mpi=mpi, ppn=SIZES, placement=placement, timeout=60
    )
    ranks = {int(line[1]): line for line in probe_lines(run, "rank")}
    assert [ranks[rank][5] for rank in sorted(ranks)] == [f"node{node}" for node in run.nodes]
    lowest = [run.nodes.index(node) for node in run.nodes]
    assert [int(ranks[rank][3]) for rank in sorted(ranks)] == lowest
    check_cards(run)
    least = [0] * 4
    for line in ranks.values():
        least[run.nodes[int(line[1])]] += 1_000_000
    run.verify_crossed(least)


@needs_lab
def test_what_tcp_sends_again_is_known(probe):
    program = probe("mpich")
    with Lab(nodes=4) as lab:
        for port in range(4):  # with next to no room, a switch loses packets
            queue = "root tbf rate 200mbit burst 64kb limit 5000".split()
            lab.execute(["tc", "qdisc", "replace", "dev", f"port{port}", *queue])
        resent = [check_cards(lab.run([program, "100000", "10"], ppn=SIZES)) for _ in range(3)]
    assert max(resent) > 0


@needs_lab
def test_a_way_round_the_network_is_noticed(four_nodes, probe):
    run = four_nodes.run([probe("mpich"), "100000", "10"], placement=[2, 2, 2, 2])
    with pytest.raises(NothingCrossed, match="way round"):
        run.verify_crossed(1_000_000)


PRELOADED = """
    #define _GNU_SOURCE
    #include <errno.h>
    #include <stdio.h>
    __attribute__((constructor)) static void tell(void)
    {
        fprintf(stderr, "preloaded into %s\\n", program_invocation_short_name);
    }
"""


@needs_lab
@pytest.mark.parametrize("mpi", MPIS)
def test_variables_reach_the_ranks_alone(four_nodes, probe, tmp_path, mpi):
    program = probe(mpi)
    source, library = tmp_path / "tell.c", tmp_path / "libtell.so"
    source.write_text(textwrap.dedent(PRELOADED))
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True, timeout=60)
    run = four_nodes.run([program], mpi=mpi, ppn=2, env={"LD_PRELOAD": library})
    lines = [line for line in run.stderr.splitlines() if "preloaded" in line]
    assert lines == [f"preloaded into {Path(program).name}"] * 8
    # Open MPI's mpiexec may never end where a program ends at once (docs/mpi-faults.md).
    words = ["sh", "-c", 'echo "<$WORDS>" $LAB_CARD; pwd; sleep 1']
    run = four_nodes.run(
        words, mpi=mpi, ppn=1, env={"WORDS": "two words=2, 'three'"}, directory=tmp_path
    )
    assert run.stdout.count("<two words=2, 'three'> eth0\n") == 4
    assert run.stdout.count(f"{tmp_path}\n") == 4


@needs_lab
@pytest.mark.parametrize("both_ways", [False, True])
@pytest.mark.parametrize("rate", ["50mbit", "200mbit"])
def test_cards_have_the_speed_asked_for(rate, both_ways):
    speeds = []
    with Lab(nodes=2, rate=rate) as lab:
        for _ in range(5):  # a busy machine may be slower, never faster
            stream = lab.stream(lab.bits_per_second // 16, both_ways=both_ways)
            assert 1.04 < stream.bytes_per_byte < 1.08
            speeds.append(stream.sent_bytes * 8 / stream.seconds / lab.bits_per_second)
            assert speeds[-1] < 1.15
            if speeds[-1] > 0.85:
                return
    raise AssertionError(f"the fastest stream had {max(speeds):.2f} of the speed asked for")


@needs_lab
def test_a_program_that_does_not_end_is_stopped(four_nodes, probe):
    probe("mpich")
    namespaces = namespaces_of(four_nodes)
    before = len(inhabited(namespaces))
    with pytest.raises(LabTimeout, match="within 1 s") as caught:
        four_nodes.run(["sh", "-c", "echo begun; exec sleep 1000"], ppn=2, timeout=1)
    assert "begun" in caught.value.stdout
    assert wait_until(lambda: len(inhabited(namespaces)) == before)
    with pytest.raises(LabError, match="ended with code 3"):
        four_nodes.execute(["sh", "-c", "exit 3"], node=0)
    assert four_nodes.execute(["echo", "well"], node=0).stdout == "well\n"


@needs_lab
def test_command_line_from_up_to_down(probe, tmp_path):
    def lab(*words, code=0):
        done = subprocess.run(
            [sys.executable, str(TREE / "bench" / "lab"), *words],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    name = lab("up", "--nodes", "2").strip()
    try:
        inside = namespaces_of(Lab.attach(name))
        before = len(inhabited(inside))
        words = [sys.executable, TREE / "bench" / "lab", "exec", "--", "sh", "-c"]
        running = subprocess.Popen(
            words + ["echo begun; sleep 1000"], stdout=subprocess.PIPE, text=True
        )
        assert running.stdout.readline() == "begun\n"
        running.terminate()
        assert running.wait(timeout=30) == 130
        running.stdout.close()
        assert wait_until(lambda: len(inhabited(inside)) == before)
        assert name in lab("status")
        lab("clean")
        assert "node1" in lab("exec", "--node", "1", "--", "hostname")
        told = lab("run", "--lab", name, "--ppn", "2,1", "--cards", "--", probe("mpich"), "1000")
        assert "rank 2 node 2 host node1" in told and "sent bytes" in told
    finally:
        assert "is down" in lab("down", name)
    assert "no lab is up" in lab("status")
    assert "no lab is up" in lab("exec", "--", "hostname", code=1)
    assert "node0" in lab("exec", "--nodes", "1", "--rate", "none", "--", "hostname")
