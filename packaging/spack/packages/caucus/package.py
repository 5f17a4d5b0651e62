# SPDX-License-Identifier: BSD-3-Clause
"""The Spack recipe: `spack repo add packaging/spack`, then `spack install caucus`. The sources are
those of the tree that the recipe lies in."""

import os

from spack.package import *

TREE = os.path.abspath(os.path.join(os.path.dirname(__file__), *[".."] * 4))


class Caucus(CMakePackage):
    """Group communication that MPI promises and implementations leave undone: node-aware grids,
    persistent collectives, collectives between groups, groups that are formed by their members
    alone, and broadcasts without a root."""

    git = f"file://{TREE}"
    license("BSD-3-Clause")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("mpi", default=True, description="The library and the drop-in; else only the planner")
    variant("command", default=True, description="Install the command line and its manual page")
    variant("fortran", default=False, description="The Fortran module, for MPIs with mpi_f08")
    variant("bench", default=False, description="Build the benchmarks")
    variant("tests", default=False, description="Build the tests")
    variant("examples", default=False, description="Build the examples")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+tests")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.21:", type="build")
    depends_on("python@3.9:", type=("build", "run"), when="+command")
    depends_on("python@3.9:", type="build", when="~command")
    depends_on("py-rich@13:", type="run", when="+command")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3.1:", when="+mpi")
    depends_on("hwloc@2:", when="+mpi")
    depends_on("googletest", type="build", when="+tests")

    def cmake_args(self):
        return [
            self.define("CAUCUS_MPI", "system" if self.spec.satisfies("+mpi") else "none"),
            self.define_from_variant("CAUCUS_COMMAND_LINE", "command"),
            self.define_from_variant("CAUCUS_FORTRAN", "fortran"),
            self.define_from_variant("CAUCUS_BENCH", "bench"),
            self.define_from_variant("CAUCUS_TESTS", "tests"),
            self.define_from_variant("CAUCUS_EXAMPLES", "examples"),
        ]
