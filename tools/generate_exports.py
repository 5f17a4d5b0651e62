# SPDX-License-Identifier: BSD-3-Clause
"""What the libraries export, as version scripts of the linker: the functions of the public headers
under the version of the interface, and all other names of ours under one of this very release, for
the drop-in, the other library, tests and benchmarks. A program that uses one of those is refused by
the loader when it meets another release.

python3 tools/generate_exports.py VERSION OUTPUT FOLDER_OF_HEADERS
"""

import sys
from pathlib import Path

from public_headers import functions, read

WITHOUT_MPI = {"plan.h", "schedule.h"}
BOTH = {"error.h", "version.h"}
DROPIN = """\
{
    global:
        MPI_*;
        MPIX_*;
        mpi_*;
        mpix_*;
        caucus_dropin_family;
    local:
        *;
};
"""


def interface(version):
    """What releases that programs need not be linked anew for have in common."""
    major, minor, *_ = version.split(".")
    return f"{major}.{minor}" if major == "0" else major


def version_script(names, version):
    listed = "".join(f"        {name};\n" for name in sorted(names))
    return (
        f"CAUCUS_{interface(version)} {{\n    global:\n{listed}}};\n"
        f"CAUCUS_PRIVATE_{version} {{\n    global:\n        caucus_*;\n"
        "    local:\n        *;\n};\n"
    )


def exported(headers, library):
    """The public functions of a library."""
    wanted = {
        header.name
        for header in headers
        if header.name in BOTH or (header.name in WITHOUT_MPI) == (library == "caucus_plan")
    }
    kept = [header for header in headers if header.name in wanted]
    found = (function for header in kept for function in functions(header))
    return {function.name for function in found if not function.is_type}


def main(version, output, folder):
    headers = read(folder)
    for library in ("caucus", "caucus_plan"):
        text = version_script(exported(headers, library), version)
        (Path(output) / f"{library}.map").write_text(text)
    (Path(output) / "caucus_dropin.map").write_text(DROPIN)


if __name__ == "__main__":
    main(*sys.argv[1:])
