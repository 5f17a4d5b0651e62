#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""GROMACS and LAMMPS without and with Caucus. As a distribution ships them, on virtual nodes: the
same answers, bytes between nodes and time. Needs gmx, gmx_mpi and lmp (Debian's packages gromacs
and lammps, which are for Open MPI)."""

import argparse
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import common_environment

ROOT = common_environment.ROOT

from rich.console import Console  # noqa: E402

from lab import Lab, LabError  # noqa: E402

MDP = """integrator = md
nsteps = {steps}
dt = 0.002
cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
gen-vel = yes
gen-temp = 300
gen-seed = 1
nstlist = 10
"""
TOPOLOGY = """#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spce.itp"
[ system ]
water
[ molecules ]
"""
MELT = """units lj
atom_style atomic
processors {processors}
lattice fcc 0.8442
region box block 0 {length} 0 {width} 0 8
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
thermo {steps}
thermo_modify format float %20.12g
run {steps}
"""
PROGRAMS = ("gmx", "gmx_mpi", "lmp")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", default="100mbit", help="speed of the cards (100mbit)")
    parser.add_argument("--turns", type=int, default=5, help="of each, alternating (5)")
    parser.add_argument("--steps", type=int, default=100, help="of each program (100)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON alone")
    return parser.parse_args()


def tool(folder, *words):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))} failed:\n{done.stderr[-2000:]}")


def prepare_gromacs(folder, options):
    (folder / "run.mdp").write_text(MDP.format(steps=options.steps))
    (folder / "topol.top").write_text(TOPOLOGY)
    box = ("gmx", "-quiet", "solvate", "-cs", "spc216.gro", "-box", "4", "4", "4")
    tool(folder, *box, "-o", "water.gro", "-p", "topol.top")
    made = ("gmx", "-quiet", "grompp", "-f", "run.mdp", "-c", "water.gro", "-p", "topol.top")
    tool(folder, *made, "-o", "water.tpr", "-maxwarn", "5")


def gromacs(cells):
    words = ["gmx_mpi", "-quiet", "mdrun", "-s", "water.tpr", "-deffnm", "out", "-npme", "4"]
    words += ["-ddorder", "cartesian", "-dd", *map(str, cells), "-dlb", "no", "-notunepme"]
    return [*words, "-reprod", "-ntomp", "1", "-pin", "off"]


def gromacs_result(folder, _):
    """What coordinates and velocities there are at the end, and seconds."""
    log = (folder / "out.log").read_text()
    seconds = float(re.search(r"^\s+Time:\s+\S+\s+(\S+)", log, re.MULTILINE)[1])
    return (folder / "out.gro").read_bytes(), seconds


def lammps_result(_, output):
    lines = output.splitlines()
    last = next(at for at, line in enumerate(lines) if line.startswith("Loop time"))
    return lines[last - 1].split(), float(lines[last].split()[3])


def lammps(folder, name, processors, options):
    path = folder / f"{name}.in"
    text = MELT.format(processors=processors, length=16, width=16, steps=options.steps)
    path.write_text(text)
    return ["lmp", "-in", path.name, "-log", "none"]


def write_grid(folder, nodes):
    words = [sys.executable, "-m", "caucus", "map", "4x2x1", "--periodic", "--nodes", nodes]
    words += ["--write", "lammps", "--output", folder / "grid.txt"]
    environment = {"PYTHONPATH": str(ROOT / "bindings" / "python"), "PATH": "/usr/bin:/bin"}
    subprocess.run(words, check=True, env=environment, stdout=subprocess.DEVNULL)


def experiments(folder, options):
    """(name, nodes of the ranks, result, {way: (words, settings)})."""
    dropin = ROOT / "build" / "openmpi" / "lib" / "libcaucus_dropin.so"
    # What is measured of the machine, once for a user, is kept.
    taken = {"LD_PRELOAD": dropin, "CAUCUS_CACHE": folder / "cache"}
    cyclic, uneven = [0, 1, 2, 3] * 2, [0, 0, 1, 1, 1, 1, 2, 2]
    for name, cells, nodes in (
        ("GROMACS, 2x1x2 and 4 for PME, ranks dealt round 4 nodes", (2, 1, 2), cyclic),
        ("GROMACS, 2x2x1 and 4 for PME, nodes of 2, 4 and 2", (2, 2, 1), uneven),
    ):
        words = gromacs(cells)
        ways = {"MPI's own": (words, {}), "drop-in": (words, taken)}
        yield name, nodes, gromacs_result, ways
    write_grid(folder, "cyclic:4")
    default = lammps(folder, "default", "4 2 1", options)
    mapped = lammps(folder, "mapped", "* * * grid custom grid.txt", options)
    ways = {"MPI's own": (default, {}), "caucus map --write lammps": (mapped, {})}
    yield "LAMMPS, 4x2x1, ranks dealt round 4 nodes", cyclic, lammps_result, ways
    ways = {"MPI's own": (default, {}), "drop-in": (default, taken)}
    yield "LAMMPS without reordering (what the drop-in costs)", cyclic, lammps_result, ways


def run(lab, folder, nodes, result, words, settings):
    env = {"OMP_NUM_THREADS": "1", **settings}
    done = lab.run(words, "openmpi", placement=nodes, env=env, directory=folder, timeout=300)
    answer, seconds = result(folder, done.stdout)
    return {
        "answer": answer,
        "seconds": seconds,
        "sent": sum(card.sent_bytes for card in done.cards),
    }


def compare(lab, folder, options, experiment):
    name, nodes, result, ways = experiment
    found = {way: [] for way in ways}
    for turn in range(-1, options.turns):  # the first one is not counted
        for way, (words, settings) in ways.items():
            done = run(lab, folder, nodes, result, words, settings)
            if turn >= 0:
                found[way].append(done)
    first = next(iter(found.values()))[0]["answer"]
    same = all(each["answer"] == first for runs in found.values() for each in runs)
    medians = {
        way: {
            "megabytes": round(statistics.median(each["sent"] for each in runs) / 1e6, 2),
            "seconds": round(statistics.median(each["seconds"] for each in runs), 3),
            "all_seconds": sorted(each["seconds"] for each in runs),
        }
        for way, runs in found.items()
    }
    return {"name": name, "same_answer": same, "ways": medians}


def show(console, entry):
    console.print(f"{entry['name']}: {'same' if entry['same_answer'] else 'ANOTHER'} answer")
    for way, found in entry["ways"].items():
        console.print(f"   {way}: {found['megabytes']} MB between nodes, {found['seconds']} s")


def main():
    options, console = arguments(), Console()
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        sys.exit(f"there is no {', '.join(missing)}: install Debian's gromacs and lammps")
    entries = []
    try:
        with tempfile.TemporaryDirectory() as scratch, Lab(nodes=4, rate=options.rate) as lab:
            folder = Path(scratch)
            prepare_gromacs(folder, options)
            for experiment in experiments(folder, options):
                entries.append(compare(lab, folder, options, experiment))
                if not options.json:
                    show(console, entries[-1])
    except LabError as error:
        sys.exit(str(error))
    if options.json:
        print(json.dumps(entries, indent=1))
    return 0 if all(entry["same_answer"] for entry in entries) else 1


if __name__ == "__main__":
    sys.exit(main())
