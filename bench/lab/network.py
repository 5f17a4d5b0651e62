# SPDX-License-Identifier: BSD-3-Clause
"""The wiring as text for `ip -batch` and `tc -batch`: a switch, and one card per node.

switch (a bridge in a namespace of its own)
├─ port0 ══ tbf ══ veth ══ tbf ══ card of node0
├─ port1 ══ tbf ══ veth ══ tbf ══ card of node1
"""

import ipaddress
import re
import subprocess

from .errors import LabError

CARD = "eth0"
SWITCH = "switch0"
BURST = 65536
LONGEST_QUEUE_SECONDS = 0.2
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


def bits_per_second(rate):
    """200mbit → 200000000; None is a card without a limit."""
    if rate is None:
        return None
    match = re.fullmatch(r"([0-9.]+)([kmg]?)bit", str(rate).strip().lower())
    try:
        bits = int(float(match.group(1)) * UNITS[match.group(2)])
    except (AttributeError, ValueError):
        bits = 0
    if bits < 8:
        raise LabError(f"rate {rate!r} is not a card speed: write it as 200mbit or 1gbit")
    return bits


def addresses(subnet, nodes):
    """Address of the switch and of each node, with the length of the network's prefix."""
    try:
        network = ipaddress.ip_network(subnet)
    except ValueError as error:
        raise LabError(f"subnet {subnet!r} is not a network: {error}") from None
    if network.version != 4 or network.num_addresses < nodes + 3:
        raise LabError(f"subnet {subnet} has no room for {nodes} nodes and a switch")
    first = network.network_address
    return str(network.broadcast_address - 1), [str(first + 1 + i) for i in range(nodes)]


def limit(card, bits, burst):
    if bits is None:
        return ""
    return (
        f"qdisc add dev {card} root tbf rate {bits}bit burst {burst} "
        f"limit {int(bits / 8 * LONGEST_QUEUE_SECONDS) + burst}\n"
    )


def switch_links(address, prefix, packet, node_processes):
    lines = [
        "link set lo up",
        f"link add {SWITCH} type bridge mcast_snooping 0",
        f"link set {SWITCH} mtu {packet}",
        f"address add {address}/{prefix} dev {SWITCH}",
        f"link set {SWITCH} up",
    ]
    for node, process in enumerate(node_processes):
        lines += [
            f"link add port{node} mtu {packet} type veth "
            f"peer name {CARD} mtu {packet} netns {process}",
            f"link set port{node} master {SWITCH} up",
        ]
    return "\n".join(lines) + "\n"


def bits_of(lab, node):
    return lab["slow"].get(str(node), lab["bits"])


def node_limit(lab, node):
    return limit(CARD, bits_of(lab, node), lab["burst"])


def switch_limits(lab):
    ports = range(len(lab["addresses"]))
    return "".join(limit(f"port{node}", bits_of(lab, node), lab["burst"]) for node in ports)


def node_links(address, prefix):
    return f"link set lo up\naddress add {address}/{prefix} dev {CARD}\nlink set {CARD} up\n"


def batch(tool, lines):
    """Runs all lines in one `ip` or `tc`."""
    if not lines:
        return
    done = subprocess.run(
        [tool, "-batch", "-"], input=lines, capture_output=True, text=True, timeout=60
    )
    if done.returncode != 0:
        text = " ".join((done.stderr or done.stdout).split())
        raise LabError(f"{tool} could not wire the virtual nodes: {text}")
