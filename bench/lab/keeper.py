# SPDX-License-Identifier: BSD-3-Clause
"""The process that holds a lab: `python3 keeper.py`, started by the lab's owner.

      owner ──pipe, pidfd── keeper ──pipe, death signal── first process of the lab ── one per node

The keeper waits for its owner to end, in whatever way, and then kills the first process of the
lab's process namespace; the kernel kills all others of that namespace with it (those of the nodes
and of the MPI jobs on them, and nobody else), and removes cards and mounts, which nothing holds
any more. If the keeper itself is killed, the death signal and the pipe do the same.

It reads one line of JSON, the wiring wanted, and answers with one line, the lab as it stands.
"""

import json
import os
import select
import signal
import socket
import sys

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from lab import namespaces, network, registry, remote  # noqa: E402


def _reap(*_):
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _send(pipe, message):
    os.write(pipe, (json.dumps(message) + "\n").encode())


def _receive(pipe, who):
    """One line of JSON; an error it carries, or none at all, ends the wait."""
    text = b""
    while not text.endswith(b"\n"):
        part = os.read(pipe, 1 << 16)
        if not part:
            raise OSError(f"{who} ended without an answer")
        text += part
    message = json.loads(text)
    if "error" in message:
        raise OSError(message["error"])
    return message


def _first_process_of_node(lab, node, go, ready):
    """Runs in the node's namespaces until the lab ends; everything on the node descends from it."""
    socket.sethostname(lab["hosts"][node])
    namespaces.mount_own_views()
    namespaces.mount("private", lab["temporary"], "tmpfs", 2 | 4, "mode=1777")
    _quiet_ipv6()
    os.read(go, 1)
    network.batch(lab["ip"], network.node_links(lab["addresses"][node], lab["prefix"]))
    network.batch(lab["tc"], network.node_limit(lab, node))
    if not lab["segmentation"]:
        namespaces.send_packets_singly(network.CARD)
    _send(ready, {"node": node})
    os.closerange(0, 256)
    signal.signal(signal.SIGCHLD, _reap)
    while True:
        signal.pause()


def _fork_node(lab, node, go, ready):
    """Leaves this process as it is: a child takes the new namespaces, its child lives in them."""
    answer, question = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            namespaces.unshare(namespaces.NEW_EVERYTHING)
            process = os.fork()
            if process == 0:
                _first_process_of_node(lab, node, go, ready)
            _send(question, {"process": process})
        except BaseException as error:
            try:
                _send(question, {"error": str(error)})
                _send(ready, {"error": f"node {node}: {error}"})
            finally:
                os._exit(1)
        os._exit(0)
    os.close(question)
    os.waitpid(child, 0)
    process = _receive(answer, f"node {node}")["process"]
    os.close(answer)
    return process


def _quiet_ipv6():
    """No neighbour discovery on the cards: only the program's traffic is to be counted."""
    try:
        with open("/proc/sys/net/ipv6/conf/default/disable_ipv6", "w") as switch:
            switch.write("1")
    except OSError:
        pass


def _wire(lab):
    """Runs as the first process of the lab: makes switch, nodes and cards."""
    namespaces.own_mounts()
    namespaces.mount_own_views()
    socket.sethostname("switch")
    namespaces.mount("lab", lab["folder"], "tmpfs", 2, "mode=0755")
    os.mkdir(lab["temporary"])
    os.chmod(lab["temporary"], 0o1777)
    if os.path.exists("/etc/hosts"):
        names = os.path.join(lab["folder"], "hosts")
        with open(names, "w") as file:
            file.write(f"127.0.0.1 localhost\n{lab['switch']} switch\n")
            for pair in zip(lab["addresses"], lab["hosts"]):
                file.write("{} {}\n".format(*pair))
        namespaces.mount(names, "/etc/hosts", None, namespaces.BIND)
    _quiet_ipv6()
    waiting, go = os.pipe()
    answers, ready = os.pipe()
    nodes = range(len(lab["hosts"]))
    lab["nodes"] = [_fork_node(lab, node, waiting, ready) for node in nodes]
    os.close(ready)
    network.batch(
        lab["ip"],
        network.switch_links(lab["switch"], lab["prefix"], lab["packet"], lab["nodes"]),
    )
    network.batch(lab["tc"], network.switch_limits(lab))
    remote.write(lab)
    os.write(go, b"." * len(nodes))
    with os.fdopen(answers) as lines:
        for _ in nodes:
            answer = json.loads(lines.readline() or '{"error": "a node ended early"}')
            if "error" in answer:
                raise OSError(answer["error"])
    os.close(go)
    os.close(waiting)


def _first_process_of_lab(lab, keeper_ended, answer):
    try:
        namespaces.die_with_parent()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        _wire(lab)
        _send(answer, lab)
    except BaseException as error:
        _send(answer, {"error": str(error)})
        os._exit(1)
    signal.signal(signal.SIGCHLD, _reap)
    _reap()
    os.read(keeper_ended, 1)
    os._exit(0)


def _stop_pipe():
    """A descriptor that becomes readable when a signal asks the keeper to end. Nothing is raised
    in the middle of anything, so that the end is orderly wherever the signal finds the keeper."""
    stopped, stop = os.pipe()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: os.write(stop, b"."))
    return stopped


def _wait(descriptors):
    """Returns the descriptors that have something to tell, be it that their other end is gone."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return [descriptor for descriptor, _ in poll.poll()]


def _fork_lab(lab):
    """Returns the lab's first process and a descriptor that tells its answer, then its end. Our
    end of `keeper_lives` is held open until we end ourselves."""
    namespaces.unshare(namespaces.NEW_EVERYTHING)
    keeper_ended, keeper_lives = os.pipe()
    below, answer = os.pipe()
    first = os.fork()
    if first == 0:
        for pipe in (0, 1, keeper_lives, below):
            os.close(pipe)
        os.open(os.devnull, os.O_RDWR)
        os.dup2(0, 1)
        _first_process_of_lab(lab, keeper_ended, answer)
    os.close(keeper_ended)
    os.close(answer)
    return first, below


def _hold(lab, entry, first, below, stopped):
    """Answers the owner when the lab is up, and returns when the lab is to go."""
    ends = [stopped]
    if lab["owned"]:
        ends.append(0)
    if lab["owner_descriptor"] is not None:
        ends.append(lab["owner_descriptor"])
    if below not in _wait(ends + [below]):
        return
    described = _receive(below, "the lab")
    described["keeper"] = os.getpid()
    described["process"] = first
    os.pwrite(entry, json.dumps(described).encode(), 0)
    _send(1, described)
    os.close(1)
    _wait(ends + [below])


def main():
    stopped = _stop_pipe()
    first = None
    entry = None
    folder = None
    try:
        lab = _receive(0, "the owner")
        folder = os.open(lab["folder"], os.O_DIRECTORY | os.O_CLOEXEC)
        registry.labs(clean=True)
        entry = registry.enter(lab["name"])
        first, below = _fork_lab(lab)
        _hold(lab, entry, first, below, stopped)
    except Exception as error:
        try:
            _send(1, {"error": str(error)})
        except OSError:
            pass  # the owner is gone as well
    finally:
        if first:
            os.kill(first, signal.SIGKILL)
            os.waitpid(first, 0)
        if entry is not None:
            os.unlink(lab["name"] + ".json", dir_fd=folder)


if __name__ == "__main__":
    main()
