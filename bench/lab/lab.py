# SPDX-License-Identifier: BSD-3-Clause
"""The lab itself: brings nodes up, runs programs on them, takes everything down."""

import json
import os
import random
import secrets
import select
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field

from . import cards, launch, network, placement, processes, registry, stream
from .errors import LabError, LabTimeout

WORDS = "amber birch cedar dune ember fjord glade heath inlet jade kelp larch moor north".split()
TOOLS = ("ip", "tc", "nsenter")
SYSTEM_PATH = os.pathsep.join(["/usr/sbin", "/sbin", "/usr/bin", "/bin"])


@dataclass
class Run:
    """What a program did: `cards` is what each node's card sent and received meanwhile, start and
    end of the MPI included; `nodes` is the node of each rank."""

    returncode: int
    stdout: str
    stderr: str
    seconds: float
    cards: list
    nodes: list = field(default_factory=list)

    def verify_crossed(self, least, most=None):
        cards.verify_crossed(self.cards, least, most)


def _tools():
    found = {}
    for tool in TOOLS:
        path = os.environ.get("PATH", "") + os.pathsep + SYSTEM_PATH
        found[tool] = shutil.which(tool, path=path)
        if found[tool] is None:
            package = "util-linux" if tool == "nsenter" else "iproute2"
            raise LabError(f"virtual nodes need {tool}: install Debian's {package}")
    return found


class Lab:
    """N virtual nodes. A context manager; `up()` and `down()` do the same by hand.

    nodes   how many
    rate    speed of each card and direction, "200mbit", "1gbit"; None: no limit
    subnet  addresses on the nodes (a lab has a network of its own, so any will do)
    mtu     largest packet of a card
    segmentation  True: the cards take packets of up to 64 KiB, as cards that cut packets
            themselves do; cheaper, but the counters then lack most headers
    burst   bytes that a card lets through at once after a pause
    slow    {node: rate} of cards that are not like the others
    owned   False: the lab stays when this process ends, until somebody takes it down
    """

    def __init__(
        self,
        nodes=8,
        rate="200mbit",
        subnet="10.77.0.0/16",
        mtu=1500,
        segmentation=False,
        owned=True,
        burst=network.BURST,
        slow=(),
    ):
        if not 1 <= nodes <= 1024:
            raise LabError(f"a lab has 1 to 1024 nodes, not {nodes}")
        if not 1280 <= mtu <= 65535:
            raise LabError(f"a card's largest packet is 1280 to 65535 bytes, not {mtu}")
        switch, addresses = network.addresses(subnet, nodes)
        self.name = f"{random.SystemRandom().choice(WORDS)}-{os.getpid()}-{secrets.token_hex(2)}"
        self.owned = owned
        self._wanted = {
            "name": self.name,
            "rate": rate,
            "bits": network.bits_per_second(rate),
            "prefix": int(subnet.partition("/")[2] or 32),
            "packet": mtu,
            "segmentation": segmentation,
            "burst": burst,
            "slow": {str(node): network.bits_per_second(of) for node, of in dict(slow).items()},
            "switch": switch,
            "addresses": addresses,
            "hosts": [f"node{i}" for i in range(nodes)],
            "owned": owned,
        }
        self._keeper = None
        self._owner = None
        self._started = []
        self.description = None

    @classmethod
    def attach(cls, name=None):
        """A living lab of another process, to be used, not owned."""
        description = registry.find(name)
        lab = cls(nodes=len(description["nodes"]), owned=False)
        lab.name = description["name"]
        lab.description = description
        return lab

    def __enter__(self):
        return self.up()

    def __exit__(self, *_):
        self.down()

    @property
    def nodes(self):
        return len(self._wanted["hosts"])

    @property
    def bits_per_second(self):
        return self.description["bits"]

    def up(self, timeout=60):
        if self.description is not None:
            return self
        if not sys.platform.startswith("linux"):
            raise LabError("virtual nodes need Linux")
        if os.geteuid() != 0:
            raise LabError("virtual nodes need root: network namespaces are not ours to make")
        folder = registry.directory()
        owner = os.pidfd_open(os.getpid()) if self.owned and hasattr(os, "pidfd_open") else None
        wanted = dict(self._wanted, **_tools(), folder=folder, owner_descriptor=owner)
        wanted["temporary"] = os.path.join(folder, "tmp")
        keeper = subprocess.Popen(
            [sys.executable, os.path.join(os.path.dirname(__file__), "keeper.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
            pass_fds=[] if owner is None else [owner],
        )
        if owner is not None:
            os.close(owner)
        self._keeper, self._owner = keeper, os.getpid()
        try:
            keeper.stdin.write((json.dumps(wanted) + "\n").encode())
            keeper.stdin.flush()
            answer = self._answer(timeout)
        except BaseException:
            self.down()
            raise
        self.description = answer
        return self

    def _answer(self, timeout):
        """The keeper's line of JSON, or why there is none."""
        if not select.select([self._keeper.stdout], [], [], timeout)[0]:
            raise LabTimeout(f"the virtual nodes were not up after {timeout} s")
        answer = json.loads(self._keeper.stdout.readline() or "{}")
        if "nodes" not in answer:
            reason = answer.get("error", "its keeper ended without a word")
            raise LabError(f"the virtual nodes did not come up: {reason}")
        return answer

    def down(self):
        """Takes everything of the lab away; does nothing the second time, or in a forked child."""
        keeper, self._keeper = self._keeper, None
        description, self.description = self.description, None
        if keeper is None:
            if description is not None:
                processes.end(description["keeper"])
            return
        if self._owner != os.getpid():
            return
        keeper.stdin.close()
        keeper.terminate()
        try:
            keeper.wait(timeout=10)
        except subprocess.TimeoutExpired:
            keeper.kill()
            keeper.wait()
        keeper.stdout.close()
        for process in self._started:
            process.wait(timeout=10)  # its end inside the lab is dead; this lets it notice
        self._started = []

    def counters(self):
        """What each node's card has sent and received until now; subtract two readings."""
        root = f"/proc/{self._process()}/root/proc"
        found = []
        for node in self.description["nodes"]:
            with open(f"{root}/{node}/net/dev") as table:
                found.append(cards.parse(table.read()))
        return found

    def _process(self):
        if self.description is None:
            raise LabError("the lab is not up")
        return self.description["process"]

    def _enter(self, node, directory, command):
        """The command line that runs a command on a node, or at the switch (None)."""
        enter = [self.description["nsenter"], "--target", str(self._process())]
        spaces = ["--mount", "--uts", "--ipc", "--net", "--pid", "--"]
        words = enter + spaces
        if node is not None:
            inner = str(self.description["nodes"][node])
            words += [self.description["nsenter"], "--target", inner] + spaces
        there = 'cd "$1" || exit 255; shift; exec "$@"'
        return words + ["/bin/sh", "-c", there, "sh", directory] + list(command)

    def start(self, command, node=None, env=None, directory=None, tag=None, **options):
        """Starts a command on a node, or at the switch (None); returns the Popen.

        All that descends from it ends with the lab at the latest."""
        directory = os.path.abspath(directory or os.getcwd())
        environment = dict(os.environ, TMPDIR=self.description["temporary"], LAB_CARD=network.CARD)
        environment.update({name: str(value) for name, value in (env or {}).items()})
        environment["LAB_DIRECTORY"] = directory
        environment["LAB_TAG"] = tag or secrets.token_hex(8)
        options.setdefault("stdin", subprocess.DEVNULL)
        process = subprocess.Popen(
            self._enter(node, directory, [str(word) for word in command]),
            env=environment,
            start_new_session=True,
            **options,
        )
        self._started = [old for old in self._started if old.poll() is None] + [process]
        return process

    def _finish(self, command, tag, timeout, capture, **where):
        """Runs a command to its end, or to the end of its time; nothing of it outlives the call."""
        pipe = subprocess.PIPE if capture else None
        before = self.counters()
        begun = time.monotonic()
        process = self.start(
            command, tag=tag, stdout=pipe, stderr=pipe, text=True, errors="replace", **where
        )
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            processes.kill_tagged(tag)
            stdout, stderr = self._rest(process)
            told = "".join(f"\n{text.strip()[-2000:]}" for text in (stdout, stderr) if text)
            raise LabTimeout(
                f"{command[0]} did not end within {timeout} s and was stopped; its output:{told}",
                stdout or "",
                stderr or "",
            ) from None
        finally:
            processes.kill_tagged(tag)
        seconds = time.monotonic() - begun
        used = [after - first for after, first in zip(self.counters(), before)]
        return Run(process.returncode, stdout or "", stderr or "", seconds, used)

    @staticmethod
    def _rest(process):
        """The output of a program that was stopped, unless somebody still keeps it open."""
        try:
            return process.communicate(timeout=10)
        except subprocess.TimeoutExpired as error:
            return error.output or "", error.stderr or ""

    def execute(self, command, node=None, timeout=60, capture=True, check=True, **where):
        """Runs a plain command on one node, or at the switch (None)."""
        run = self._finish(
            list(command), secrets.token_hex(8), timeout, capture, **where, node=node
        )
        return self._checked(run, command, check)

    def run(
        self,
        program,
        mpi="mpich",
        ppn=1,
        placement="blocks",
        env=None,
        timeout=120,
        capture=True,
        check=True,
        directory=None,
    ):
        """Runs an MPI program across the nodes.

        program    list of words
        mpi        mpich, openmpi, intel, abi, system, or the directory of an MPI
        ppn        ranks of each node: a number, or a list with one per node
        placement  "blocks", "cyclic", or the node of each rank (ppn is then not looked at)
        env        variables for the ranks alone, LD_PRELOAD among them
        check      raise LabError when the program fails
        """
        nodes = self.place(ppn, placement)
        prefix = launch.prefix_of(mpi)
        tag = secrets.token_hex(8)
        command, own = launch.kind_of(mpi, prefix)(
            prefix, self.description, tag, nodes, [str(word) for word in program], env or {}
        )
        run = self._finish(command, tag, timeout, capture, env=own, directory=directory)
        run.nodes = nodes
        return self._checked(run, program, check)

    def place(self, ppn, how):
        if isinstance(how, str):
            return placement.place(placement.sizes_of(self.nodes, ppn), how)
        return placement.place([1] * self.nodes, how)

    @staticmethod
    def _checked(run, command, check):
        if check and run.returncode != 0:
            told = (run.stderr.strip() or run.stdout.strip())[-2000:]
            raise LabError(f"{command[0]} ended with code {run.returncode}: {told}")
        return run

    def stream(self, size, source=0, target=1, both_ways=False, timeout=300):
        """A bare TCP stream of `size` bytes from node to node: what MPI's figures divide by."""
        return stream.measure(self, size, source, target, both_ways, timeout)


def available():
    """(True, "") where virtual nodes can be had, otherwise (False, one sentence why not)."""
    try:
        with Lab(nodes=1, rate="1gbit"):
            return True, ""
    except (LabError, OSError) as error:
        return False, str(error)
