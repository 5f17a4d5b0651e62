# SPDX-License-Identifier: BSD-3-Clause
"""Debian's packages: installed by root, otherwise downloaded and unpacked into .deps."""

import os
import re
import shutil

from . import shell
from .paths import CACHE, DEPS
from .problem import Problem

LISTS = CACHE / "apt" / "lists"
NETWORK = "check the network connection to the Debian archive and run it again."


def bring(packages):
    """Installs as root, unpacks otherwise."""
    if not shutil.which("apt-get"):
        raise Problem(f"{', '.join(packages)} cannot be brought without apt: install it by hand.")
    (install if os.geteuid() == 0 else unpack)(packages)


def install(packages):
    """As root: apt-get install, with fresh lists when the ones at hand do not do."""
    command = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *packages]
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    if shell.run(command, limit=1200, env=environment).good:
        return
    shell.fetch("the list of Debian packages", ["apt-get", "update", "--quiet"], NETWORK)
    shell.fetch(" ".join(packages), command, NETWORK, env=environment)


def unpack(packages, into=DEPS):
    """As anybody: download the packages that are missing, dependencies too, into a folder."""
    options = _own_lists()
    missing = _missing(packages, options)
    folder = CACHE / "apt" / into.name.lstrip(".")
    folder.mkdir(parents=True, exist_ok=True)
    what = f"the Debian packages {', '.join(missing)}"
    shell.fetch(what, ["apt-get", *options, "download", *missing], NETWORK, cwd=folder)
    into.mkdir(parents=True, exist_ok=True)
    for archive in sorted(folder.glob("*.deb")):
        unpacked = shell.run(["dpkg-deb", "--extract", archive, into])
        if not unpacked.good:
            archive.unlink()
            raise Problem(f"{archive.name} is damaged and was removed: run it again.")
        (into / f"{archive.stem}.unpacked").touch()


def _own_lists():
    """Package lists of our own: the machine's may be empty, and only root may renew them."""
    for folder in (LISTS / "partial", CACHE / "apt" / "archives" / "partial"):
        folder.mkdir(parents=True, exist_ok=True)
    options = [
        f"-oDir::State::Lists={LISTS}",
        f"-oDir::Cache={CACHE / 'apt'}",
        "-oDebug::NoLocking=1",
        "-oAPT::Sandbox::User=",
    ]
    if not any(LISTS.glob("*Packages*")):
        shell.fetch("the list of Debian packages", ["apt-get", *options, "update"], NETWORK)
    return options


def _missing(packages, options):
    """The packages and those of their dependencies that the machine lacks."""
    command = ["apt-get", *options, "install", "--print-uris", "--yes", "--no-install-recommends"]
    found = shell.run([*command, *packages])
    names = re.findall(r"^'[^']+' (\w[\w.+-]*?)_\S+\.deb ", found.output, re.MULTILINE)
    if not found.good or not names:
        raise Problem(
            f"apt does not know {', '.join(packages)} ({found.last_line()}): install it by hand."
        )
    return names
