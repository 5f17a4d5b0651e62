# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of the guide that shows what was measured."""

from common_tables import markdown

from . import figures, plots, tables

COMMAND = "make build MPI=mpich && make build MPI=openmpi && .venv/bin/python bench/grids.py"

PAGE = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by: bench/grids.py --publish docs/results -->
# Node-aware grids: what was measured

As root, with Debian's iproute2, this repeats it:

```console
$ {command}
```

{conditions} The libraries: {libraries}.

*cart* is the communicator of `MPI_Cart_create` with `reorder = 1`, *Caucus* that of
`caucus_cart_create`, both in one run of one program. The experiments are those of W. Gropp, *Using
Node Information to Implement MPI Cartesian Topologies*, EuroMPI 2018.

{verdicts}
{on_off}
## Bytes through the cards
*planned* is the number of messages between nodes in one exchange. What the cards counted is
divided by what a bare TCP stream of as many bytes takes on the same cards in the same run, headers
included. Below are the messages of {largest} bytes; plans are judged from {judged} bytes on, since
a header weighs more on a short message (figures for all sizes: `results/grids/tables.md`).

{halo_bytes}
![Messages between nodes, planned and counted](images/halo-bytes.png)

## Rates
*single/all* is the rate of a single sender over that of each process when all send; about 2 is
ideal. *time/stream* is the time of an exchange over that of a bare TCP stream of what the busiest
card must carry. A short message waits for the scheduler of a machine with fewer cores than ranks,
not for a card; there the two differ by chance.

{halo_rates}
{plots}
## Placement of ranks
{placement}
## Stencil sweep
{sweeps}
![Stencil sweep](images/stencil-sweep.png)
"""


def draw(rows, sweeps, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for mpi in dict.fromkeys(row["mpi"] for row in rows):
        chosen = [row for row in rows if row["mpi"] == mpi]
        plots.rates(mpi, chosen, folder / f"halo-rates-{mpi}.png")
        plots.single(mpi, chosen, folder / f"halo-single-{mpi}.png")
    plots.card_bytes(rows, folder / "halo-bytes.png")
    plots.sweeps(sweeps, folder / "stencil-sweep.png")


def write(raw, folder):
    """The page and its images."""
    rows, sweeps = figures.halo_rows(raw["halo"]), figures.sweep_rows(raw["sweep"])
    draw(rows, sweeps, folder / "images")
    sizes = sorted({row["bytes"] for row in rows})
    largest = [row for row in rows if row["bytes"] == sizes[-1]]
    longer = [row for row in rows if row["bytes"] in sizes[-2:]]
    opened = [row for row in rows if row["case"].endswith("open")]
    mpis = dict.fromkeys(row["mpi"] for row in rows)
    page = PAGE.format(
        command=COMMAND,
        conditions=raw["conditions"],
        libraries=", ".join(dict.fromkeys(_name(run["library"]) for run in raw["halo"])),
        verdicts=markdown(tables.verdicts(figures.verdicts(rows))),
        on_off=markdown(tables.on_off(raw["on_off"])),
        largest=sizes[-1],
        judged=min(row["bytes"] for row in rows if row["judged"]),
        halo_bytes=markdown(tables.halo_bytes(largest)),
        halo_rates=markdown(tables.halo_rates(longer)),
        plots="".join(f"![Rates, {mpi}](images/halo-rates-{mpi}.png)\n\n" for mpi in mpis)
        + "".join(f"![Single sender, {mpi}](images/halo-single-{mpi}.png)\n\n" for mpi in mpis),
        placement=markdown(tables.placement(figures.placement_rows(opened))),
        sweeps=markdown(tables.sweeps(sweeps)),
    )
    (folder / "grids.md").write_text(page)


def _name(library):
    """MPICH Version:      5.0.2 → MPICH 5.0.2"""
    return " ".join(word for word in library.split() if word not in ("Version:", "Version"))
