# SPDX-License-Identifier: BSD-3-Clause
"""The lab from the command line."""

import argparse
import signal
import sys

from . import launch, registry
from .errors import LabError
from .lab import Lab, available

EXAMPLES = """examples:
  lab run --nodes 8 --ppn 4 --rate 200mbit --mpi mpich -- ./program 10   a lab for one run
  lab up --nodes 4 --rate 1gbit                                          a lab that stays
  lab run --ppn 4,4,3,5 --placement cyclic --mpi openmpi -- ./program    … is used
  lab exec --node 0 -- ping -c 1 node1
  lab down                                                               … and goes
"""


def _numbers(text):
    numbers = [int(word) for word in text.split(",")]
    return numbers[0] if len(numbers) == 1 else numbers


def _placement(text):
    return text if text in ("blocks", "cyclic") else [int(word) for word in text.split(",")]


def _setting(text):
    name, sign, value = text.partition("=")
    if not (name and sign):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def _rate(text):
    return None if text == "none" else text


def _bytes(text):
    units = {"k": 10**3, "m": 10**6, "g": 10**9}
    last = text[-1:].lower()
    return int(text[:-1]) * units[last] if last in units else int(text)


def _wiring(parser, nodes=None):
    parser.add_argument("--nodes", type=int, default=nodes, help="how many virtual nodes")
    parser.add_argument(
        "--rate", type=_rate, default="200mbit", help="speed of each card, or none (200mbit)"
    )
    parser.add_argument("--subnet", default="10.77.0.0/16", help="addresses of the nodes")
    parser.add_argument("--mtu", type=int, default=1500, help="largest packet in bytes (1500)")
    parser.add_argument(
        "--segmentation",
        action="store_true",
        help="let cards take packets of 64 KiB: cheaper, but most headers are not counted",
    )


def _limit(parser, seconds):
    parser.add_argument(
        "--timeout", type=float, default=seconds, help=f"seconds it may run ({seconds})"
    )


def _choice(parser):
    parser.add_argument("--lab", metavar="NAME", help="a lab that is up (default: the only one)")
    _wiring(parser)


def _parser():
    parser = argparse.ArgumentParser(
        prog="lab",
        description="Virtual nodes on one machine, with network cards of a chosen speed.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    up = verbs.add_parser("up", help="bring up a lab that stays until it is taken down")
    _wiring(up, nodes=8)
    run = verbs.add_parser("run", help="run an MPI program, in a new lab if --nodes is given")
    _choice(run)
    run.add_argument(
        "--mpi", default="mpich", help=", ".join(launch.MPIS) + ", or a directory (mpich)"
    )
    run.add_argument("--ppn", type=_numbers, default=1, help="ranks per node: 4, or 4,4,3,5")
    run.add_argument(
        "--placement", type=_placement, default="blocks", help="blocks, cyclic, or 0,1,1,0,…"
    )
    run.add_argument(
        "--env", type=_setting, action="append", default=[], help="NAME=VALUE for the ranks"
    )
    run.add_argument("--cards", action="store_true", help="print what each card carried")
    _limit(run, 600)
    run.add_argument("program", nargs="+", metavar="-- PROGRAM")
    command = verbs.add_parser("exec", help="run a plain command on a node")
    _choice(command)
    command.add_argument("--node", type=int, default=0)
    _limit(command, 600)
    command.add_argument("program", nargs="+", metavar="-- COMMAND")
    stream = verbs.add_parser("stream", help="time and count a bare TCP stream between two nodes")
    _choice(stream)
    stream.add_argument("--size", type=_bytes, default=10**7, help="bytes, or 20m (10m)")
    stream.add_argument("--source", type=int, default=0)
    stream.add_argument("--target", type=int, default=1)
    stream.add_argument("--both-ways", action="store_true")
    verbs.add_parser("status", help="list the labs")
    down = verbs.add_parser("down", help="take a lab down")
    down.add_argument("lab", nargs="?", metavar="NAME")
    down.add_argument("--all", action="store_true")
    verbs.add_parser("clean", help="forget labs whose keeper died; living labs are left alone")
    verbs.add_parser("check", help="say whether virtual nodes can be had here")
    return parser


def _made(options):
    return {
        "nodes": options.nodes,
        "rate": options.rate,
        "subnet": options.subnet,
        "mtu": options.mtu,
        "segmentation": options.segmentation,
    }


class _Chosen:
    """A lab of our own if --nodes was given, else one that is up."""

    def __init__(self, options):
        self.own = options.nodes is not None
        self.lab = Lab(**_made(options)) if self.own else Lab.attach(options.lab)

    def __enter__(self):
        return self.lab.up() if self.own else self.lab

    def __exit__(self, *_):
        if self.own:
            self.lab.down()


def _up(options):
    lab = Lab(owned=False, **_made(options)).up()
    print(lab.name)


def _run(options):
    with _Chosen(options) as lab:
        run = lab.run(
            options.program,
            mpi=options.mpi,
            ppn=options.ppn,
            placement=options.placement,
            env=dict(options.env),
            timeout=options.timeout,
            capture=False,
            check=False,
        )
    if options.cards:
        print("node  ranks  sent bytes  received bytes  packets sent", file=sys.stderr)
        for node, card in enumerate(run.cards):
            print(
                f"{node:4}  {run.nodes.count(node):5}  {card.sent_bytes:10}  "
                f"{card.received_bytes:14}  {card.sent_packets:12}",
                file=sys.stderr,
            )
    return run.returncode


def _exec(options):
    with _Chosen(options) as lab:
        return lab.execute(
            options.program,
            node=options.node,
            timeout=options.timeout,
            capture=False,
            check=False,
        ).returncode


def _stream(options):
    if options.nodes is None and options.lab is None and not registry.labs()[0]:
        options.nodes = 2
    with _Chosen(options) as lab:
        got = lab.stream(options.size, options.source, options.target, options.both_ways)
    print(
        f"{got.size} bytes in {got.seconds:.4f} s, {got.bits_per_second / 1e6:.1f} Mbit/s; "
        f"card of the sender {got.sent_bytes} bytes ({got.bytes_per_byte:.4f} per byte), "
        f"of the receiver {got.received_bytes}"
    )


def _status(_):
    living, dead = registry.labs()
    for lab in living:
        keeper = lab.get("keeper", "coming up")
        print(f"{lab['name']}  nodes {len(lab['nodes'])}  rate {lab.get('rate')}  keeper {keeper}")
    for name in dead:
        print(f"{name}  dead: `lab clean` forgets it")
    if not living and not dead:
        print("no lab is up")


def _down(options):
    if options.all:
        chosen = [lab["name"] for lab in registry.labs()[0] if lab["nodes"]]
    else:
        chosen = [registry.find(options.lab)["name"]]
    for name in chosen:
        Lab.attach(name).down()
        print(f"{name} is down")


def _clean(_):
    for name in registry.labs(clean=True)[1]:
        print(f"{name} forgotten")


def _check(_):
    can, reason = available()
    print("virtual nodes can be had here" if can else reason)
    return 0 if can else 1


def _interrupt(*_):
    raise KeyboardInterrupt


def main(words=None):
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)  # so that what runs in a lab that stays ends as well
    options = _parser().parse_args(words)
    verbs = {
        "up": _up,
        "run": _run,
        "exec": _exec,
        "stream": _stream,
        "status": _status,
        "down": _down,
        "clean": _clean,
        "check": _check,
    }
    try:
        return verbs[options.verb](options) or 0
    except LabError as error:
        print(f"lab: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
