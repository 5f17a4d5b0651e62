# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of the guide that shows how good the choice of algorithms is."""

from common_tables import markdown

COMMAND = "make build MPI=mpich && .venv/bin/python bench/selection.py --publish docs/results"
SIZES = (8, 64, 512, 4096, 32768, 262144, 1048576)
COLLECTIVES = """barrier bcast reduce allreduce gather gatherv scatter scatterv allgather allgatherv
alltoall alltoallv alltoallw reduce_scatter reduce_scatter_block scan exscan neighbor_allgather
neighbor_allgatherv neighbor_alltoall neighbor_alltoallv neighbor_alltoallw""".split()
WITHIN = 1.1  # times the fastest
RIGHT = 1.25  # times what was predicted, or the other way round

PAGE = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/selection.py --publish docs/results -->
# How good the choice of algorithms is

One core, up to {memory}; {when}.

This repeats it, in about an hour; it needs up to {memory} of memory:

```console
$ {command}
```

Every algorithm that serves is simulated on {ranks:,} ranks, {ppn} a node, with {node_memory} of
node memory for a schedule; but for those of which a bound already says that they can't be faster
by more than 1 % (what the processor or port of one rank, or the card of one node, must do). No MPI
in it: the figures are the same on every machine. Sizes are those of a block, or of the operand of a
reduction; lengths of the v and w collectives and of reduce_scatter are drawn between none and twice
as much; neighbourhoods are a periodic 3-D grid.

**{verdict}**

{missing}

{tables}
## The machine
{model}
"""


def grid(only=None):
    for collective in only or COLLECTIVES:
        for size in SIZES[:1] if collective == "barrier" else SIZES:
            yield collective, size


def _when(file):
    return file.get("when", "at a time that was not noted")


class Found:
    """What was measured: cells by (collective, size), and why others were not."""

    def __init__(self, files, reasons=None):
        self.head = files[0]
        self.cells, self.measured = {}, list(dict.fromkeys(map(_when, files)))
        for file in files:
            for cell in file["cells"]:
                size = SIZES[0] if cell["collective"] == "barrier" else cell["bytes"]
                self.cells[cell["collective"], size] = cell
        self.missing = [key for key in grid() if key not in self.cells]
        self.reasons = reasons or {}


def seconds(cell, which):
    return cell["algorithms"][cell[which]]["simulated"]


def ratio(cell):
    return seconds(cell, "chosen") / seconds(cell, "best")


def verdict(found):
    ratios = [ratio(cell) for cell in found.cells.values()]
    good = sum(value <= WITHIN for value in ratios)
    all_cells = len(ratios) + len(found.missing)
    share = 100 * good / all_cells
    left_out = f" {len(found.missing)} were left out;" if found.missing else ""
    return (
        f"In {good} of {all_cells} cells ({share:.1f} %) the algorithm that is chosen is known to"
        f" be within {100 * (WITHIN - 1):.0f} % of the fastest of all;{left_out} the worst is"
        f" {max(ratios):.2f} times."
    )


def missing(found):
    if not found.missing:
        return "All cells of the grid were measured."
    by_reason = {}
    for key in found.missing:
        reason = found.reasons.get(key, "not run")
        by_reason.setdefault(reason, []).append(f"{key[0]} {_size(key[1])}")
    told = "; ".join(f"{reason}: {', '.join(names)}" for reason, names in by_reason.items())
    return f"Left out ({len(found.missing)} of {len(list(grid()))}): {told}."


def _size(size):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"


def _short(found):
    lines = [
        [
            collective,
            _size(size),
            cell["chosen"],
            f"{1e6 * seconds(cell, 'chosen'):.1f}",
            cell["best"],
            f"{1e6 * seconds(cell, 'best'):.1f}",
            f"{ratio(cell):.2f}",
        ]
        for (collective, size), cell in sorted(found.cells.items(), key=lambda e: -ratio(e[1]))
        if ratio(cell) > WITHIN
    ]
    columns = ["collective", "size", "chosen", "µs", "fastest", "µs", "ratio"]
    return "Cells that are not", columns, lines


def _all(found):
    lines = []
    for collective in COLLECTIVES:
        cells = [found.cells.get((collective, size)) for size in SIZES]
        if any(cells):
            texts = [f"{cell['chosen']} {ratio(cell):.2f}" if cell else "" for cell in cells]
            lines.append([collective, *texts])
    columns = ["collective", *(_size(size) for size in SIZES)]
    return "What is chosen, and its time over that of the fastest", columns, lines


def _formulas(found):
    counted = {}
    for cell in found.cells.values():
        for name, times in cell["algorithms"].items():
            if times.get("simulated"):
                off = times["predicted"] / times["simulated"]
                counted.setdefault(cell["collective"], []).append((off, name, cell["bytes"]))
    lines = []
    for collective, values in counted.items():
        right = sum(1 / RIGHT <= off <= RIGHT for off, _, _ in values)
        worst = max(values, key=lambda value: max(value[0], 1 / value[0]))
        lines.append(
            [
                collective,
                str(len(values)),
                f"{100 * right / len(values):.0f} %",
                f"{worst[0]:.2f}",
                f"{worst[1]} {_size(worst[2])}",
            ]
        )
    columns = ["collective", "simulated", f"within {RIGHT} times", "worst", "of"]
    return "What the cost formulas predict, over what was simulated", columns, lines


def tables(found):
    if _short(found)[2]:
        yield _short(found)
    yield _all(found)
    yield _formulas(found)


def _model(found):
    lines = [
        [name, f"{entry['value']:.4g}", entry["help"]]
        for name, entry in found.head["model"].items()
    ]
    return "Parameters of the cost model", ["parameter", "value", "what"], lines


def write(found, folder):
    page = PAGE.format(
        memory="16 GiB",
        when=f"measured {'; '.join(found.measured)}",
        command=COMMAND,
        ranks=found.head["ranks"],
        ppn=found.head["ppn"],
        node_memory=_size(found.head["node_memory"]),
        verdict=verdict(found),
        missing=missing(found),
        tables="\n".join(markdown(table) for table in tables(found)),
        model=markdown(_model(found)),
    )
    (folder / "selection.md").write_text(page)
