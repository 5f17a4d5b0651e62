# SPDX-License-Identifier: BSD-3-Clause
"""caucus map: which rank should take which cell of a grid, or which vertex of a graph."""

from __future__ import annotations

import argparse
import math

from .. import graph_files, words
from ..console import interruptible, print_json, progress, show
from ..errors import UsageError
from ..graph import place
from ..graph_table import graph_summary, graph_table
from ..kept import check_writable
from ..map_table import map_table
from ..plan import Plan
from ..survey import BEST, Survey, survey
from ..writers import FORMATS, check, write
from .shared import add_machine_arguments, machine, writing

NAME = "map"
HELP = "find, draw and write a mapping of ranks to the cells of a grid or a graph"
DESCRIPTION = """\
Tries all mappers on a grid and shows how many neighbours of a rank are on its own node and on
others, the edges between nodes (Jsum), those of the worst node (Jmax), and the bound that no
mapping can beat. Needs no MPI.

  caucus map 128x128 --ppn 16 --periodic
  caucus map 50x48 --nodes 40*48,15*32 --svg grid.svg
  caucus map 12x16x20 --ppn 48 --write openmpi-rankfile --hosts n1,n2,... --output ranks.txt
  caucus map --graph mesh.graph --ppn 16 --svg graph.svg"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("grid", metavar="GRID", nargs="?", help="cells along each axis: 128x128")
    grid = parser.add_argument_group("the grid")
    grid.add_argument(
        "--periodic",
        metavar="AXES",
        nargs="?",
        const="all",
        help="periodic axes, like 0,2; all of them without a number",
    )
    grid.add_argument(
        "--stencil",
        metavar="STENCIL",
        default="star",
        help="who talks to whom: star (default), box, or a file with an offset per line and then, "
        "if wanted, its weight",
    )
    grid.add_argument(
        "--weights", metavar="W,W", help="halo bytes along each axis, like 10,1 (star only)"
    )
    add_graph_arguments(parser)
    add_machine_arguments(parser)
    parser.add_argument(
        "--ranks", metavar="N", type=int, default=0, help="ranks, where there are more than cells"
    )
    what = parser.add_argument_group("the outcome")
    what.add_argument(
        "--mapper", metavar="NAME", default=BEST, help="this mapper rather than the best of all"
    )
    what.add_argument("--json", action="store_true", help="print JSON rather than a table")
    what.add_argument("--svg", metavar="FILE", help="draw the grid, before and after ('-': print)")
    what.add_argument(
        "--write",
        metavar="FORMAT",
        choices=sorted(FORMATS),
        help="write a placement file for a launcher (of a program that does not reorder) or for "
        "LAMMPS: " + ", ".join(FORMATS),
    )
    what.add_argument("--output", metavar="FILE", help="where --write writes (default: print)")
    what.add_argument(
        "--hosts", metavar="HOSTS", help="the nodes' names for --write: a,b,c or a file of lines"
    )


def add_graph_arguments(parser: argparse.ArgumentParser) -> None:
    graph = parser.add_argument_group("a graph instead of a grid")
    graph.add_argument(
        "--graph",
        metavar="FILE",
        help="who talks to whom: pairs of ranks, counted from 0, with a weight if wanted; a file "
        "of METIS (.graph); or a matrix of Matrix Market (.mtx)",
    )
    graph.add_argument(
        "--format", choices=graph_files.FORMATS, help="of FILE, if its suffix does not say it"
    )


def _grid_and_periods(options: argparse.Namespace) -> tuple:
    """argparse takes the grid of 'map --periodic 8x8' for the axes."""
    grid, periodic = options.grid, options.periodic
    if grid is None and periodic not in (None, "all"):
        grid, periodic = periodic, "all"
    if grid is None:
        raise UsageError("which grid? Give the sizes of its axes, like 128x128")
    dims = words.grid(grid)
    return dims, words.axes(periodic, len(dims))


def make_plan(options: argparse.Namespace) -> Plan:
    dims, periods = _grid_and_periods(options)
    weights = None
    if options.weights is not None:
        weights = words.numbers(options.weights, "--weights", len(dims), "not negative")
    if options.ranks < 0:
        raise UsageError(f"--ranks {options.ranks}: there can't be fewer than none")
    text = machine(options, options.ranks or words.product(dims))
    return Plan(dims, text, periods, options.stencil, weights, options.ranks)


def _printed(options: argparse.Namespace) -> list:
    """Which options print something instead of the table."""
    asked = {
        "--json": options.json,
        "--svg": options.svg == "-",
        "--write": options.write and (options.output or "-") == "-",
    }
    return [option for option, prints in asked.items() if prints]


def _check_files(options: argparse.Namespace) -> None:
    """Finds out before the work what can't be written after it."""
    for path, what in ((options.svg, "the picture"), (options.output, "the placement")):
        if path and path != "-":
            check_writable(path, what)


def _check_outputs(options: argparse.Namespace, plan: Plan) -> None:
    """Said before the work, too."""
    if options.output and not options.write:
        raise UsageError("--output needs --write, which says in which format")
    if options.hosts and not options.write:
        raise UsageError("--hosts needs --write, which says in which format")
    if len(_printed(options)) > 1:
        raise UsageError(f"{' and '.join(_printed(options))} both print: give one of them a file")
    if options.svg and len([d for d in plan.dims if d > 1]) > 3:
        raise UsageError(f"--svg draws grids of up to 3 axes, this one has {len(plan.dims)}")
    _check_files(options)


def summary(plan: Plan, found: Survey, options: argparse.Namespace) -> dict:
    """The object that --json prints."""

    def entry(row) -> dict:
        levels = [
            {"level": name, "jsum": traffic.jsum, "jmax": traffic.jmax}
            for name, traffic in zip(plan.levels, row.levels)
        ]
        return {
            "name": row.name,
            "jsum": row.traffic.jsum,
            "jmax": row.traffic.jmax,
            "on": vars(row.traffic.on),
            "off": vars(row.traffic.off),
            "total": row.traffic.total,
            "levels": levels,
            "seconds": row.seconds,
        }

    return {
        "dims": list(plan.dims),
        "periodic": list(plan.periods),
        "stencil": options.stencil,
        "weights": options.weights and [float(w) for w in options.weights.split(",")],
        "ranks": plan.ranks,
        "nodes": plan.parts(),
        "bound": found.bound,
        "best": found.chosen.name,
        "rank0": {
            "kept": found.rank0.kept,
            "cost": found.rank0.cost if math.isfinite(found.rank0.cost) else None,
        },
        "given": entry(found.given),
        "mappers": [entry(row) for row in found.rows],
        "not_applicable": found.not_applicable,
    }


def _check_graph(options: argparse.Namespace) -> None:
    """What is for grids alone."""
    for name, given in {
        "GRID": options.grid,
        "--periodic": options.periodic,
        "--weights": options.weights,
        "--write": options.write,
        "--mapper": options.mapper != BEST,
        "--stencil": options.stencil != "star",
    }.items():
        if given:
            raise UsageError(f"--graph and {name} don't go together")
    if options.ranks < 0:
        raise UsageError(f"--ranks {options.ranks}: there can't be fewer than none")
    if len(_printed(options)) > 1:
        raise UsageError(f"{' and '.join(_printed(options))} both print: give one of them a file")


def _check_vertices(count: int, ranks: int) -> None:
    """In the library's words, but before there are arrays of as many entries: a small file may have
    a large number. ranks: 0 where they are not known."""
    if 0 < ranks < count:
        raise UsageError(f"the graph has {count} vertices, but there are only {ranks} ranks")


def run_graph(options: argparse.Namespace) -> None:
    _check_graph(options)
    graph = graph_files.read_graph(options.graph, options.format)
    text = machine(options, options.ranks or graph.vertices)
    _check_vertices(graph.vertices, options.ranks or words.ranks_of(text))
    _check_files(options)
    with progress("mapping"):
        placed = interruptible(lambda: place(graph, text, options.ranks))
    if options.svg:
        from ..graph_picture import draw

        with writing(options.svg) as file:
            file.write(draw(graph, placed, options.graph))
    if options.json:
        print_json(graph_summary(options.graph, graph, placed))
    elif not _printed(options):
        show(graph_table(options.graph, graph, placed))


def run(options: argparse.Namespace) -> None:
    if options.graph is not None:
        run_graph(options)
        return
    if options.format:
        raise UsageError("--format needs --graph")
    with make_plan(options) as plan:
        _check_outputs(options, plan)
        hosts = check(options.write, plan, options.hosts) if options.write else []
        with progress("mapping") as step:
            found = interruptible(lambda: survey(plan, options.mapper, step))
        if options.svg:
            from ..svg import draw

            with writing(options.svg) as file:
                file.write(draw(plan, found))
        if options.write:
            with writing(options.output or "-") as file:
                write(options.write, plan, hosts, file)
        if options.json:
            print_json(summary(plan, found, options))
        elif not _printed(options):
            show(map_table(plan, found))
