# SPDX-License-Identifier: BSD-3-Clause
"""What is made of the verdicts of tests/faults, and that its page is complete."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from testing import cases, faults  # noqa: E402

OPEN_MPI = "Open MPI v5.0.11"
FAULT = faults.Fault(cases.Case("gone", 2), ("MPICH 5.0.2",), ("Open MPI 5.0.11",))


@pytest.mark.parametrize(
    ("version", "shown", "good", "words"),
    [
        ("MPICH Version: 5.0.2", True, True, ""),
        ("MPICH Version: 5.0.2", False, False, "this fault of MPICH Version: 5.0.2 is mended"),
        ("MPICH Version: 5.0.2", None, False, "no verdict"),
        ("MPICH Version: 5.0.21", True, True, "still there"),
        ("MPICH Version: 15.0.2", False, True, "mended in"),
        (OPEN_MPI, True, True, ""),
        (OPEN_MPI, False, True, ""),
        ("Open MPI v5.0.12", False, True, "mended in Open MPI v5.0.12"),
        ("Intel(R) MPI Library 2021.18.0", True, True, "shown by Intel(R) MPI Library 2021.18.0"),
        ("Intel(R) MPI Library 2021.18.0", False, True, ""),
    ],
)
def test_news(version, shown, good, words):
    is_good, said = FAULT.news(version, shown)
    assert is_good == good
    assert words in said
    assert bool(words) == bool(said)


@pytest.mark.parametrize(
    ("output", "good", "expected"),
    [
        ("MPICH Version:      5.0.2\nfault tried\nfault shown\n", True, True),
        ("MPICH Version:      5.0.2\nfault tried\nfault not shown\n", True, False),
        ("MPICH Version:      5.0.2\nfault tried\nAbort", False, True),
        ("MPICH Version:      5.0.2\nAbort", False, None),
        ("MPICH Version:      5.0.2\nfault tried\n", True, None),
    ],
)
def test_verdict(output, good, expected):
    assert faults.verdict(output, good) == ("MPICH Version: 5.0.2", expected)


def test_the_page_has_every_program_and_every_version():
    page = (ROOT / "docs" / "mpi-faults.md").read_text()
    rows = {line.split("[")[1].split("]")[0]: line for line in page.splitlines() if "| [" in line}
    declared = {fault.case.program: fault for fault in faults.declared()}
    assert set(rows) == set(declared)
    columns = ("MPICH 5.0.2", "Open MPI 5.0.11", "Intel MPI 2021.18")
    for name, fault in declared.items():
        cells = [cell.strip() for cell in rows[name].split("|")[2:5]]
        expected = [
            "shown" if words in fault.seen else "sometimes" if words in fault.sometimes else ""
            for words in columns
        ]
        assert cells == expected, name
