# SPDX-License-Identifier: BSD-3-Clause
"""How each MPI is started across the nodes: one function per kind of mpiexec.

Each returns (command, environment of mpiexec). All keep ranks of different nodes on TCP and leave
ranks of one node to the MPI's own shared memory.
"""

import os
import shutil
import subprocess
import sys

from . import remote
from .errors import LabError
from .network import CARD, SWITCH

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[1:1] = [os.path.join(TREE, "tools")]

from provision import mpi as brought  # noqa: E402

MPIS = ("mpich", "openmpi", "intel", "abi", "system")


def prefix_of(mpi):
    """Directory that holds bin/mpiexec."""
    if mpi == "system":
        found = shutil.which("mpiexec")
        if found is None:
            raise LabError("there is no mpiexec on the PATH; name an MPI: " + ", ".join(MPIS))
        return os.path.dirname(os.path.dirname(os.path.abspath(found)))
    prefix = str(brought.prefix(mpi))
    if os.sep in mpi:
        prefix = os.path.abspath(mpi)
    elif mpi not in MPIS:
        raise LabError(f"MPI {mpi!r} is not known: {', '.join(MPIS)}, or the directory of one")
    if not os.path.exists(os.path.join(prefix, "bin", "mpiexec")):
        raise LabError(f"there is no mpiexec in {prefix}/bin: `make MPI={mpi} build` brings it")
    return prefix


def kind_of(mpi, prefix):
    """Which family of mpiexec lies at a prefix."""
    if mpi in ("mpich", "abi"):
        return hydra
    if mpi in ("openmpi", "intel"):
        return {"openmpi": openmpi, "intel": intel}[mpi]
    done = subprocess.run(
        [os.path.join(prefix, "bin", "mpiexec"), "--version"],
        capture_output=True,
        text=True,
        timeout=30,
    )
    text = done.stdout + done.stderr
    for word, kind in (("Intel", intel), ("Open MPI", openmpi), ("OpenRTE", openmpi)):
        if word in text:
            return kind
    if "HYDRA" in text:
        return hydra
    raise LabError(f"{prefix}/bin/mpiexec is of no family that the lab can start: {text[:200]}")


def _file(lab, tag, kind, lines):
    """A file seen by mpiexec, in the lab's own memory."""
    name = os.path.join(lab["temporary"], f"{kind}-{tag}")
    with open(f"/proc/{lab['process']}/root{name}", "w") as file:
        file.write("\n".join(lines) + "\n")
    return name


def _runs(nodes):
    """Neighbouring ranks of one node as (node, count)."""
    runs = []
    for node in nodes:
        if runs and runs[-1][0] == node:
            runs[-1][1] += 1
        else:
            runs.append([node, 1])
    return runs


def _settings(option, defaults, asked, form):
    """The user's variables win over ours."""
    words = []
    for name, value in {**defaults, **asked}.items():
        words += [option] + form(name, str(value))
    return words


def _pair(name, value):
    return [name, value]


def _assignment(name, value):
    return [f"{name}={value}"]


def hydra(prefix, lab, tag, nodes, program, asked):
    """MPICH. UCX sees one kernel and would use memory between nodes, unless held to TCP; MPICH's
    own shared memory spins through whole time slices where ranks outnumber cores, unless its
    collectives are told not to use it. Placement other than by blocks needs -rankmap."""
    defaults = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": CARD, "FI_PROVIDER": "tcp"}
    for collective in ("BCAST", "REDUCE", "ALLREDUCE", "BARRIER"):
        defaults[f"MPIR_CVAR_{collective}_POSIX_INTRA_ALGORITHM"] = "mpir"
    used = sorted(set(nodes))
    hosts = _file(lab, tag, "hosts", [f"{lab['hosts'][node]}:{nodes.count(node)}" for node in used])
    command = [os.path.join(prefix, "bin", "mpiexec"), "-launcher", "ssh"]
    command += ["-launcher-exec", remote.path(lab), "-iface", SWITCH, "-f", hosts]
    if nodes != sorted(nodes):
        command += ["-rankmap", ",".join(str(used.index(node)) for node in nodes)]
    command += _settings("-genv", defaults, asked, _pair)
    return command + ["-n", str(len(nodes))] + program, {}


def intel(prefix, lab, tag, nodes, program, asked):
    """Intel MPI: Hydra of another age."""
    paths = {
        "I_MPI_ROOT": prefix,
        "LD_LIBRARY_PATH": os.path.join(prefix, "lib"),
        "FI_PROVIDER_PATH": os.path.join(prefix, "lib"),
    }
    defaults = dict(paths, FI_PROVIDER="tcp", FI_TCP_IFACE=CARD)
    defaults.update(I_MPI_FABRICS="shm:ofi", I_MPI_PIN="0")
    hosts = _file(lab, tag, "hosts", [f"{lab['hosts'][n]}:{count}" for n, count in _runs(nodes)])
    command = [os.path.join(prefix, "bin", "mpiexec.hydra"), "-bootstrap", "ssh"]
    command += ["-bootstrap-exec", remote.path(lab), "-iface", SWITCH, "-machinefile", hosts]
    command += _settings("-genv", defaults, asked, _pair)
    return command + ["-n", str(len(nodes))] + program, paths


def openmpi(prefix, lab, tag, nodes, program, asked):
    """Open MPI 5: ranks are mapped one by one in the order of a file with one node per rank."""
    network = f"{lab['switch']}/{lab['prefix']}"
    order = _file(lab, tag, "order", [lab["hosts"][node] for node in nodes])
    slots = ",".join(f"{lab['hosts'][n]}:{nodes.count(n)}" for n in sorted(set(nodes)))
    command = [os.path.join(prefix, "bin", "mpiexec"), "--allow-run-as-root"]
    command += ["--prtemca", "plm_ssh_agent", remote.path(lab)]
    command += ["--prtemca", "prte_if_include", network]
    command += ["--mca", "pml", "ob1", "--mca", "btl", "tcp,sm,self"]
    command += ["--mca", "btl_tcp_if_include", network, "--mca", "mpi_yield_when_idle", "1"]
    command += ["--host", slots, "--map-by", f"seq:FILE={order}:OVERSUBSCRIBE"]
    command += ["--bind-to", "none"]
    defaults = {"LAB_TAG": tag}
    command += _settings("-x", defaults, asked, _assignment)
    return command + ["-n", str(len(nodes))] + program, {}
