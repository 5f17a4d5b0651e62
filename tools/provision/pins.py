# SPDX-License-Identifier: BSD-3-Clause
"""What is brought, in exactly which version. docs/development/dependencies.md says why."""

# MPI implementations from the package index: distributions, library, and the words by which
# MPI_Get_library_version() must own up to the version.
MPI = {
    "mpich": {
        "packages": {"mpich": "5.0.2"},
        "library": "lib/libmpi.so.12",
        "says": ("MPICH Version", "5.0.2"),
    },
    "openmpi": {
        "packages": {"openmpi": "5.0.11"},
        "library": "lib/libmpi.so.40",
        "says": ("Open MPI v5.0.11",),
    },
    "intel": {
        "packages": {"impi-devel": "2021.18.0", "impi-rt": "2021.18.0"},
        "library": "lib/libmpi.so.12",
        "says": ("Intel(R) MPI Library 2021.18",),
    },
}

# Debian packages, each with the smallest program that shows that it is there.
DEBIAN = {
    "hwloc": {
        "package": "libhwloc-dev",
        "language": "c",
        "program": "#include <hwloc.h>\nint main(void) { return hwloc_get_api_version() == 0; }\n",
        "libraries": ["hwloc"],
    },
    "googletest": {
        "package": "libgtest-dev",
        "language": "c++",
        "program": "#include <gtest/gtest.h>\nTEST(One, Two) {}\n",
        "libraries": ["gtest_main", "gtest", "pthread"],
    },
    "metis": {
        "package": "libmetis-dev",
        "language": "c",
        "program": "#include <metis.h>\nint main(void) { return !METIS_SetDefaultOptions(0); }\n",
        "libraries": ["metis"],
    },
    "scotch": {
        "package": "libscotch-7.0",  # libscotch-dev brings an MPI along
        "language": "c",
        "program": "int SCOTCH_numSizeof(void);\nint main(void) { return !SCOTCH_numSizeof(); }\n",
        "libraries": [":libscotch-7.0.so", ":libscotcherr-7.0.so"],
    },
}

# For make fuzz alone: clang and its compiler-rt, which has libFuzzer, as in Debian 12.
CLANG = ["clang", "libclang-rt-14-dev"]

# For tests in Fortran: a compiler, and MPIs that have libraries and modules for it.
FORTRAN = ["gfortran", "mpich", "libmpich-dev", "openmpi-bin", "libopenmpi-dev"]

CMAKE_FLOOR = (3, 21)
CMAKE = "cmake==4.4.4"
NINJA = "ninja==1.13.2"
PIP = "pip==25.3"
