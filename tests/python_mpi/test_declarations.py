# SPDX-License-Identifier: BSD-3-Clause
"""What the package says of C and of its collectives is what the headers and the table say."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bindings" / "python" / "caucus" / "mpi"
STRUCTURES = {
    "caucus_delivery": ("channel_object.h", "deliveries.py", "CDelivery"),
    "caucus_channel_options": ("channel_object.h", "deliveries.py", "COptions"),
    "caucus_channel_counters": ("channel_object.h", "deliveries.py", "Statistics"),
    "caucus_pool_options": ("pool.h", "pools.py", "COptions"),
    "caucus_pool_counters": ("pool.h", "pools.py", "CCounters"),
    "caucus_balance_counters": ("balance.h", "balances.py", "BalanceStatistics"),
    "caucus_cart_report_data": ("grid.h", "grids.py", "CReport"),
    "caucus_index_range": ("index_range.h", "redistribution.py", "CIndexRange"),
}
TYPES = {
    "int": "ctypes.c_int",
    "double": "ctypes.c_double",
    "MPI_Count": "Count",
    "int64_t": "ctypes.c_int64",
    "void": "ctypes.c_void_p",
    "caucus_cart_traffic": "CTraffic",
    "caucus_deliver_function": "DELIVER",
    "caucus_answer_function": "ANSWER",
    "caucus_combine_function": "COMBINE",
    "caucus_pool_body": "BODY",
    "char": "ctypes.c_char * 32",
}


def in_c(header, name):
    """(member, type) of a structure of a header."""
    text = re.sub(r"/\*.*?\*/", "", (ROOT / "include" / "caucus" / header).read_text(), flags=re.S)
    body = re.search(rf"struct(?: \w+)? \{{([^{{}}]*)\}} {name};", text).group(1)
    for line in filter(str.strip, body.split(";")):
        kind, member = re.fullmatch(r"\s*(?:const )?(\w+) \*?(\w+)(?:\[32\])?\s*", line).groups()
        yield member, TYPES[kind]


def in_python(module, name):
    """The same of a class."""
    tree = ast.parse((PACKAGE / module).read_text())
    body = next(n.body for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name)
    for node in body:
        if isinstance(node, ast.AnnAssign):  # of a NamedTuple, from which the structure is made
            kind = "Count" if ast.unparse(node.annotation) == "int" else "ctypes.c_double"
            yield node.target.id, kind
        elif isinstance(node, ast.Assign):
            for pair in node.value.elts:
                yield pair.elts[0].value, ast.unparse(pair.elts[1])


@pytest.mark.parametrize("structure", STRUCTURES)
def test_structures_are_those_of_c(structure):
    header, module, name = STRUCTURES[structure]
    assert list(in_python(module, name)) == list(in_c(header, structure))


def test_collectives_are_those_of_the_table():
    program = ROOT / "tools" / "generate_python.py"
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert (PACKAGE / "collectives.py").read_text() == done.stdout, f"run {program.name} again"
