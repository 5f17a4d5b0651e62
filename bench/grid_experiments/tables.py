# SPDX-License-Identifier: BSD-3-Clause
"""The figures as tables: each is (title, columns, rows of texts), as common_tables.py has them."""

from caucus.console import number

from .cases import PLACEMENTS


def on_off(table):
    columns = ("type", "dims", "Jsum", "bound", "on: min", "max", "mean", "off: min", "max", "mean")
    rows = [
        (
            row["name"],
            str(row["ndims"]),
            str(row["jsum"]),
            str(row["bound"]),
            *(
                f"{row[where][what]:g}"
                for where in ("on", "off")
                for what in ("min", "max", "mean")
            ),
        )
        for row in table["rows"]
    ]
    exact = "every published figure exactly" if table["exact"] else "NOT the published figures"
    return f"Neighbours on the same node and on others, 16 ranks a node: {exact}", columns, rows


def halo_bytes(rows):
    columns = ("MPI", "grid", "placed", "message", "planned", "mapper", "bytes saved", "by plan")
    columns += ("cart/plan", "Caucus/plan")
    lines = [
        (
            row["mpi"],
            row["case"],
            PLACEMENTS[row["placement"]],
            str(row["bytes"]),
            f"{row['cart']['planned']:g} → {row['caucus']['planned']:g}",
            row["mapper"],
            f"{row['byte_ratio']:.2f} ×",
            f"{row['plan_ratio']:.2f} ×",
            f"{row['cart']['over_plan']:.3f}",
            f"{row['caucus']['over_plan']:.3f}",
        )
        for row in rows
        if "byte_ratio" in row
    ]
    title = (
        "Bytes through the cards; cart/plan and Caucus/plan are divided by those of a TCP stream"
    )
    return title, columns, lines


def halo_rates(rows):
    columns = ("MPI", "grid", "placed", "message", "cart MB/s", "Caucus MB/s", "ratio")
    columns += ("single/all, cart", "Caucus", "time/stream, cart", "Caucus")
    lines = [
        (
            row["mpi"],
            row["case"],
            PLACEMENTS[row["placement"]],
            str(row["bytes"]),
            number(row["cart"]["rate"], 3),
            number(row["caucus"]["rate"], 3),
            f"{row['rate_ratio']:.2f}",
            f"{row['cart']['single']:.1f}",
            f"{row['caucus']['single']:.1f}",
            *(f"{row[kind].get('over_stream_time', 0):.2f}" for kind in ("cart", "caucus")),
        )
        for row in rows
    ]
    return "Halo exchange, MB/s for each process (medians)", columns, lines


def placement(rows):
    columns = ("MPI", "grid", "message")
    columns += ("round-robin: cart", "Caucus", "by blocks: cart", "Caucus")
    lines = [
        (
            row["mpi"],
            row["case"],
            str(row["bytes"]),
            *(
                number(row["by"][placed][kind]["rate"], 3)
                for placed in ("cyclic", "blocks")
                for kind in ("cart", "caucus")
            ),
        )
        for row in rows
    ]
    return "Bad and good placement of ranks, MB/s for each process (medians)", columns, lines


def sweeps(rows):
    columns = ("MPI", "placed", "N", "cart GFLOP/s", "Caucus GFLOP/s", "ratio")
    lines = [
        (
            row["mpi"],
            PLACEMENTS[row["placement"]],
            str(row["extent"]),
            number(row["cart"], 3),
            number(row["caucus"], 3),
            f"{row['ratio']:.2f}",
        )
        for row in rows
    ]
    return "Stencil sweep over an N × N mesh (medians)", columns, lines


def verdicts(found):
    lines = [
        (what, str(count), str(count - len(failing)), "yes" if not failing else "NO")
        for what, count, failing in found
    ]
    return "What was promised", ("promise", "judged", "kept", "fine"), lines
