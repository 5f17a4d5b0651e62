# SPDX-License-Identifier: BSD-3-Clause
"""What experiments have in common that keep their raw figures and publish a page."""

import json
from pathlib import Path

from common_tables import markdown, shown

ROOT = Path(__file__).resolve().parents[1]


def add_options(parser, folder, joins):
    """Options that say where figures come from and go to; joins: what several runs are made to."""
    parser.add_argument("--builds", type=Path, default=ROOT / "build", help="of each MPI (build)")
    parser.add_argument(
        "--again",
        type=Path,
        metavar="RAW.json",
        action="append",
        help=f"report an earlier run; several times: {joins}",
    )
    parser.add_argument(
        "--publish", type=Path, metavar="FOLDER", help="write the guide's page, too"
    )
    parser.add_argument("--output", type=Path, default=ROOT / "results" / folder)


def earlier(options):
    """The raw figures of earlier runs that are to be reported again."""
    return [json.loads(path.read_text()) for path in options.again or []]


def missing(problems):
    """What a page says of what could not be measured."""
    told = "\n".join(f"- {problem}" for problem in dict.fromkeys(problems))
    return f"Not measured, or failed:\n\n{told}" if told else "Nothing was left out, or failed."


def report(console, raw, tables, folder):
    """Shows the tables, and writes them and the raw figures."""
    console.print(raw["conditions"])
    for table in tables:
        console.print(shown(table))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "raw.json").write_text(json.dumps(raw) + "\n")
    (folder / "tables.md").write_text("\n".join(markdown(table) for table in tables))
    console.print(f"Tables and raw figures are in {folder}.")
