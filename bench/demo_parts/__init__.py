# SPDX-License-Identifier: BSD-3-Clause
"""What `make demo` shows: the story, and on request one module for each capability. All have

TITLE             one line
run(stage)        does the work and returns a JSON object; what went wrong stands in its list
                  "problems", which is empty if all is well
show(result)      what to print of it: a list of things that rich can print
"""

import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[1:1] = [str(ROOT / "tools"), str(ROOT / "bindings" / "python")]

STORY = "story"
NAMES = ("grids", "persistent", "intergroup", "groups", "balance", "rootless")


def load(names=(STORY, *NAMES)):
    """The modules by name, in the order of the show."""
    return {name: importlib.import_module(f".{name}", __name__) for name in names}
