# SPDX-License-Identifier: BSD-3-Clause
"""Builds the Debian packages from what is committed, in a root of debootstrap that has nothing
else; has lintian look at them; and installs and tries them in a second such root. Needs root and
debootstrap. Everything lies in build/debian, and the log too.

python3 tools/debian_package.py [--suite bookworm] [--mirror ADDRESS] [--again]
"""

import argparse
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from provision.paths import BUILD, ROOT
from provision.problem import Problem, run_main

FOLDER = BUILD / "debian"
PACKAGING = ROOT / "packaging" / "debian"
TOOLS = "build-essential,debhelper,devscripts,equivs,lintian,fakeroot"


def call(log, *words, root=None, **options):
    """Runs a command, in a root if one is given; its output is in the log."""
    command = ["chroot", root, *words] if root else words
    environment = {"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"}
    environment |= {"DEBIAN_FRONTEND": "noninteractive", "HOME": "/"}
    environment |= {name: text for name, text in os.environ.items() if "proxy" in name.lower()}
    environment |= {n: os.environ[n] for n in ("DEBOOTSTRAP_DIR",) if n in os.environ}
    log.write(f"\n$ {' '.join(map(str, command))}\n")
    log.flush()
    done = subprocess.run(
        [str(word) for word in command], stdout=log, stderr=log, env=environment, **options
    )
    if done.returncode:
        tail = Path(log.name).read_text(errors="replace").splitlines()[-25:]
        raise Problem("\n".join(["a step of the Debian package failed:", *tail]))


def make_root(log, chosen):
    """A root as debootstrap makes it, kept for the next time."""
    base = FOLDER / "base"
    if not base.exists():
        print("-- making a clean root", flush=True)
        made = FOLDER / "base.partial"
        shutil.rmtree(made, ignore_errors=True)
        words = ["debootstrap", "--variant=minbase", chosen.suite, made]
        call(log, *words, *filter(None, [chosen.mirror]))
        made.rename(base)
    return base


def copy_of(log, base, name):
    """Another root of the same contents."""
    root = FOLDER / name
    if root.exists():
        call(log, "rm", "-rf", "--one-file-system", root)
    call(log, "cp", "-a", base, root)
    call(log, "apt-get", "update", "-q", root=root)
    return root


def version():
    return re.match(r"caucus \((.*?)-", (PACKAGING / "changelog").read_text()).group(1)


def lay_sources(log, root):
    """The sources as they are committed, without the packaging, and beside them the packaging."""
    work, name = root / "srv", f"caucus-{version()}"
    (work / name).mkdir(parents=True)
    archive = work / f"caucus_{version()}.orig.tar.gz"
    words = ["git", "-C", ROOT, "archive", f"--prefix={name}/", "-o", archive, "HEAD"]
    call(log, *words, "--", ".", ":(exclude)packaging/debian")
    call(log, "tar", "-C", work, "-xf", archive)
    call(log, "cp", "-r", PACKAGING, work / name / "debian")
    return f"/srv/{name}"


def built(log, base):
    """Builds, as nobody in particular, with nothing but what Build-Depends names."""
    root = copy_of(log, base, "build")
    call(log, "apt-get", "install", "-yq", "--no-install-recommends", *TOOLS.split(","), root=root)
    folder = lay_sources(log, root)
    print("-- building", flush=True)
    call(log, "apt-get", "build-dep", "-yq", "--no-install-recommends", folder, root=root)
    call(log, "useradd", "-m", "builder", root=root)
    call(log, "chown", "-R", "builder", "/srv", root=root)
    steps = f"cd {folder} && dpkg-buildpackage -us -uc -j{len(os.sched_getaffinity(0))}"
    call(log, "su", "builder", "-c", steps, root=root)
    return root


def judged(log, root):
    """What lintian says; nothing is what it should say."""
    print("-- lintian", flush=True)
    words = "cd /srv && lintian --info --display-info --fail-on error,warning *.changes"
    report = FOLDER / "lintian.txt"
    with open(report, "w") as file:
        status = subprocess.run(
            ["chroot", root, "su", "builder", "-c", words], stdout=file, stderr=log
        ).returncode
    said = [line for line in report.read_text().splitlines() if re.match(r"[EWIPX]: ", line)]
    print("\n".join(said) or "   nothing to say")
    if status:
        raise Problem(f"lintian finds errors or warnings: {report}")


def tried(log, base, packages):
    """Installs the packages as anybody would, and runs their own tests."""
    print("-- installing and trying", flush=True)
    root = copy_of(log, base, "try")
    for package in packages:
        shutil.copy(package, root)
    names = [f"/{package.name}" for package in packages if "dbgsym" not in package.name]
    call(log, "apt-get", "install", "-yq", "--no-install-recommends", *names, root=root)
    more = ["gcc", "gfortran", "libc6-dev", "pkg-config", "mpi-default-bin", "openssh-client"]
    call(log, "apt-get", "install", "-yq", "--no-install-recommends", *more, root=root)
    call(log, "mount", "-t", "proc", "proc", root / "proc")
    try:
        for test in ("command", "linked", "module"):
            shutil.copy(PACKAGING / "tests" / test, root / test)
            call(log, f"/{test}", root=root)
        call(log, "apt-get", "purge", "-yq", "caucus", "libcaucus*", root=root)
    finally:
        call(log, "umount", root / "proc")
    left = sorted((root / "usr").rglob("*caucus*"))
    if left:
        raise Problem(f"purging left {left[0]} and {len(left) - 1} more")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", default="bookworm", help="Debian's release (bookworm)")
    parser.add_argument("--mirror", default="", help="where debootstrap is to look")
    parser.add_argument("--again", action="store_true", help="make the clean root anew")
    chosen = parser.parse_args()
    if os.geteuid() or not shutil.which("debootstrap"):
        raise Problem("this takes root, and debootstrap: apt-get install debootstrap")
    FOLDER.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with open(FOLDER / "log.txt", "w") as log:
        if chosen.again and (FOLDER / "base").exists():
            call(log, "rm", "-rf", "--one-file-system", FOLDER / "base")
        base = make_root(log, chosen)
        root = built(log, base)
        judged(log, root)
        packages = sorted((root / "srv").glob("*.deb"))
        tried(log, base, packages)
    for package in packages:
        print(f"{package}: {package.stat().st_size // 1024} KiB")
    print(f"in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    run_main(main)
