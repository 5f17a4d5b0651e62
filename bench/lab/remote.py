# SPDX-License-Identifier: BSD-3-Clause
"""The script that stands in for ssh: SCRIPT [options] HOST COMMAND… runs COMMAND on that node."""

import os
import shlex

NAME = "remote"


def path(lab):
    return os.path.join(lab["folder"], NAME)


def text(lab):
    nodes = "\n".join(
        f"    {host}|{address}) node={process} ;;"
        for host, address, process in zip(lab["hosts"], lab["addresses"], lab["nodes"])
    )
    enter = shlex.quote(lab["nsenter"])
    return f"""#!/bin/sh
while [ "${{1#-}}" != "$1" ]; do shift; done
host=${{1#*@}}
shift
case $host in
{nodes}
    *) echo "lab: there is no node called $host" >&2; exit 255 ;;
esac
exec {enter} --target $node --mount --uts --ipc --net --pid -- \\
    /bin/sh -c "cd \\"\\$LAB_DIRECTORY\\" || exit 255
$*"
"""


def write(lab):
    with open(path(lab), "w") as file:
        file.write(text(lab))
    os.chmod(path(lab), 0o755)
