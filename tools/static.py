# SPDX-License-Identifier: BSD-3-Clause
"""`format` rewrites all sources in the house style, `lint` shows what the checks find."""

import argparse

from build import build
from provision import stamp
from provision.problem import run_main
from setup import prepare
from testing import static

STATIC = ("plan", "mpich")  # the builds that compile every C file


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("format", "lint"))
    what = parser.parse_args().what
    if what == "format":
        prepare({"tools"}, [])
        findings = static.formatting(fix=True)
    else:
        prepare({"build", "test"}, ["mpich"])
        with stamp.one_at_a_time():
            findings = static.lint([build(what, tests=True, quiet=True) for what in STATIC])
    bad = 0
    for name, good, output in findings:
        bad += not good
        if not good:
            print(f"{output}\n-- {name}: see above")
    return 1 if bad else 0


if __name__ == "__main__":
    run_main(main)
