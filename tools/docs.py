# SPDX-License-Identifier: BSD-3-Clause
"""Builds the guide (Sphinx) and the C reference (Doxygen) in build/docs; with --reference the
latter alone, which needs no package of Python.

python3 tools/docs.py [--reference]
"""

import argparse
import os
import shutil
import sys

from provision import apt, shell, stamp
from provision.paths import BUILD, DEPS, ROOT, VENV_PYTHON
from provision.problem import Problem, run_main
from setup import prepare

OUTPUT = BUILD / "docs"


def main():
    parser = argparse.ArgumentParser(description="Builds the guide and the C reference.")
    parser.add_argument("--reference", action="store_true", help="the C reference alone")
    alone = parser.parse_args().reference
    if not alone:
        prepare({"docs"}, [])
    with stamp.one_at_a_time():
        doxygen = find_doxygen()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    headers = OUTPUT / "headers"
    shutil.rmtree(headers, ignore_errors=True)
    show("the headers", [sys.executable, ROOT / "tools" / "generate_collectives.py", headers])
    if not alone:
        show("the guide", [VENV_PYTHON, "-m", "sphinx", "-q", "-W", "docs", OUTPUT / "guide"])
        print(OUTPUT / "guide" / "index.html")
    reference = dict(os.environ, CAUCUS_DOCS=str(OUTPUT))
    found = [str(DEPS / "usr" / "lib" / f"{os.uname().machine}-linux-gnu")]
    found += filter(None, [os.environ.get("LD_LIBRARY_PATH")])
    reference["LD_LIBRARY_PATH"] = ":".join(found)
    show("the reference", [doxygen, "docs/Doxyfile"], reference)
    print(OUTPUT / "reference" / "index.html")


def find_doxygen():
    """Doxygen of the machine, or Debian's, unpacked into the tree unless root installs it."""
    unpacked = DEPS / "usr" / "bin" / "doxygen"
    if not shutil.which("doxygen") and not unpacked.exists():
        print("-- bringing doxygen", flush=True)
        apt.bring(["doxygen"])
    return shutil.which("doxygen") or unpacked


def show(what, command, environment=None):
    finished = shell.run(command, limit=600, env=environment, cwd=ROOT)
    print(finished.output, end="")
    if not finished.good:
        raise Problem(f"{what} could not be built: the messages above say where.")


if __name__ == "__main__":
    run_main(main)
