# SPDX-License-Identifier: BSD-3-Clause
"""What is made of the runs, beside what the paper has."""

# Table 1 of the paper, 8,192 processes: groups that a process was in, by the way of balancing.
PAPER = {
    "none": (0.00, 0.00, 0, 0),
    "async": (14.38, 3.54, 5, 26),
    **{f"collective {interval}": (5.38, 2.12, 2, 8) for interval in (1, 2, 4, 8, 16, 32)},
    "collective 64": (3.75, 1.20, 2, 5),
    "collective 128": (2.62, 0.48, 2, 3),
}
MOST_OVER_IDEAL, GAIN, GAIN_OVER_COLLECTIVE = 1.08, 0.40, 0.30


def name(cell):
    collective = cell["mode"] == "collective"
    return f"collective {cell['interval']}" if collective else cell["mode"]


def where(cell):
    return f"{cell['mpi']}, noise {cell['noise']:g} %" if cell["noise"] else cell["mpi"]


def places(cells):
    """Where and with how many processes there were runs, in their order."""
    return list(dict.fromkeys((where(cell), cell["ranks"]) for cell in cells))


def of(cells, place):
    return [cell for cell in cells if (where(cell), cell["ranks"]) == place]


def verdict(cells):
    """How asynchronous balancing does among runs of one place; None without it."""
    times = {name(cell): cell["seconds"] for cell in cells}
    collective = [time for way, time in times.items() if way.startswith("collective")]
    if "async" not in times or "none" not in times:
        return None
    return {
        "over_ideal": times["async"] / cells[0]["ideal"],
        "gain": 1 - times["async"] / times["none"],
        "gain_over_collective": 1 - times["async"] / min(collective) if collective else None,
    }


def problems(cells):
    """What falls short of what is promised, for simulated runs without noise."""
    found = verdict(cells)
    if not found:
        return []
    over = found["gain_over_collective"]
    return [
        text
        for short, text in (
            (found["over_ideal"] > MOST_OVER_IDEAL, f"{found['over_ideal']:.3f} × ideal"),
            (found["gain"] < GAIN, f"{found['gain']:.0%} faster than none"),
            (
                over is not None and over < GAIN_OVER_COLLECTIVE,
                f"{over or 0:.0%} faster than the best collective interval",
            ),
        )
        if short
    ]


def tables(cells):
    return [_gains(cells), *_regroupings(cells), _times(cells)]


def _times(cells):
    columns = ["on", "processes", "balancing", "seconds", "over ideal", "against none"]
    lines = []
    for place in places(cells):
        chosen = of(cells, place)
        none = next((cell["seconds"] for cell in chosen if cell["mode"] == "none"), None)
        for cell in chosen:
            ratio = cell["seconds"] / cell["ideal"]
            gain = f"{1 - cell['seconds'] / none:+.1%}" if none else ""
            lines.append(
                [
                    place[0],
                    str(place[1]),
                    name(cell),
                    f"{cell['seconds']:.3f}",
                    f"{ratio:.3f}",
                    gain,
                ]
            )
    return "Seconds until all chains are done", columns, lines


def _gains(cells):
    columns = ["on", "processes", "over ideal", "faster than none", "than the best collective run"]
    lines = []
    for place in places(cells):
        found = verdict(of(cells, place))
        if not found:
            continue
        over = found["gain_over_collective"]
        lines.append(
            [
                place[0],
                str(place[1]),
                f"{found['over_ideal']:.3f}",
                f"{found['gain']:.1%}",
                f"{over:.1%}" if over is not None else "",
            ]
        )
    return "Asynchronous balancing", columns, lines


def _regroupings(cells):
    """Of the largest simulated and planned runs, beside the paper's."""
    return [
        _table_1([cell for cell in cells if cell["mpi"] == mpi], mpi)
        for mpi in ("smpi", "planned")
        if any(cell["mpi"] == mpi for cell in cells)
    ]


def _paper(way):
    """What the paper has; intervals may be others than its."""
    if way not in PAPER:
        return ["–"] * 4
    mean, deviation, least, most = PAPER[way]
    return [f"{mean:.2f}", f"{deviation:.2f}", str(least), str(most)]


def _table_1(cells, mpi):
    most = max(cell["ranks"] for cell in cells)
    columns = ["balancing", "mean", "st. dev.", "least", "most", "paper: mean", "st. dev."]
    lines = []
    for cell in (cell for cell in cells if cell["ranks"] == most):
        count, way = cell["regroupings"], name(cell)
        noise = f", noise {cell['noise']:g} %" if cell["noise"] else ""
        line = [way + noise, f"{count['mean']:.2f}", f"{count['deviation']:.2f}"]
        line += [str(count["least"]), str(count["most"])]
        lines.append([*line, *_paper(way)])
    title = f"Groups that each of {most} processes was in ({mpi}; the paper: 8,192)"
    return title, [*columns, "paper: least", "most"], lines
