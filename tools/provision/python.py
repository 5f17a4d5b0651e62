# SPDX-License-Identifier: BSD-3-Clause
"""The Python environment in .venv, with pinned packages."""

import os
import re
import shutil
import sys
from pathlib import Path

from . import apt, pins, shell, stamp
from .paths import DEPS, REQUIREMENTS, ROOT, VENV, VENV_PYTHON
from .problem import Problem

PIN = re.compile(r"([A-Za-z0-9_.-]+)==([^\s;]+)(?:\s*;\s*python_version\s*(<|>=)\s*\"3\.(\d+)\")?$")
NETWORK = "check the network connection to the Python package index and run it again."


def pip(*arguments):
    """A command that runs the environment's own pip."""
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
    return [VENV_PYTHON, "-m", "pip", arguments[0], *quiet, *arguments[1:]]


def bring_pip():
    """Makes .venv with pip in it."""
    if sys.version_info < (3, 9):
        raise Problem("Python 3.9 or newer is needed: give one with make PYTHON=/path/to/python3.")
    if stamp.fresh("venv", _identity()) and VENV_PYTHON.exists():
        return
    print("-- making the Python environment .venv", flush=True)
    shutil.rmtree(VENV, ignore_errors=True)
    made = shell.run([sys.executable, "-m", "venv", VENV])
    if not made.good:
        _make_without_ensurepip()
    shell.fetch("pip", pip("install", pins.PIP), NETWORK)
    stamp.write("venv", _identity())


def _identity():
    return {"python": sys.version, "base": sys.base_prefix, "pip": pins.PIP, "tree": str(ROOT)}


def _make_without_ensurepip():
    """Debian keeps what venv needs in python3-venv. Without it, any pip will do to bring pip."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        apt.install(["python3-venv"])
        shutil.rmtree(VENV, ignore_errors=True)
        if shell.run([sys.executable, "-m", "venv", VENV]).good:
            return
    shutil.rmtree(VENV, ignore_errors=True)
    if not shell.run([sys.executable, "-m", "venv", "--without-pip", VENV]).good:
        raise Problem(
            "Python cannot make environments here: install python3-venv and run it again."
        )
    environment = dict(os.environ)
    if not shell.run([sys.executable, "-m", "pip", "--version"]).good:
        apt.unpack(["python3-pip"])
        environment["PYTHONPATH"] = str(DEPS / "usr" / "lib" / "python3" / "dist-packages")
    site = shell.run([VENV_PYTHON, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", site.output.strip()]
    shell.fetch("pip", [*command, pins.PIP], NETWORK, env=environment)


def bring(group):
    """Installs what requirements/<group>.txt pins, and checks that it came in that version."""
    bring_pip()
    path = REQUIREMENTS / f"{group}.txt"
    wanted = _pins(path)
    state = {"pins": wanted, "environment": _identity()}
    if stamp.fresh(f"python-{group}", state):
        return
    print(f"-- bringing Python packages ({group})", flush=True)
    packages = [f"{name}=={version}" for name, version in wanted.items()]
    constraints = ["--constraint", REQUIREMENTS / "constraints.txt"]
    shell.fetch(
        f"the Python packages in {path.relative_to(ROOT)}",
        pip("install", "--prefer-binary", *constraints, *packages),
        NETWORK,
    )
    _verify(wanted)
    stamp.write(f"python-{group}", state)


def _pins(path):
    """The pins of a requirements file that hold for this Python, as name → version."""
    wanted = {}
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        match = PIN.match(line)
        if not match:
            raise Problem(f"{path}: '{line}' is not an exact pin: write name==version.")
        name, version, relation, minor = match.groups()
        newer = minor is None or sys.version_info >= (3, int(minor))
        if newer == (relation != "<") or minor is None:
            wanted[name] = version
    return wanted


def bring_command_line():
    """Puts `caucus` into .venv/bin, so that it runs from the sources in the tree."""
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(shell.run([VENV_PYTHON, "-c", code], limit=60).output.strip())
    command = VENV_PYTHON.parent / "caucus"
    words = f"#!{VENV_PYTHON}\nimport sys\nfrom caucus.cli import main\n\nsys.exit(main())\n"
    wanted = {site / "caucus.pth": f"{ROOT / 'bindings' / 'python'}\n", command: words}
    for path, text in wanted.items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    command.chmod(0o755)


def _verify(wanted):
    code = (
        "import sys; from importlib.metadata import version\n"
        "for pin in sys.argv[1:]:\n"
        "    name, _, wanted = pin.partition('==')\n"
        "    if version(name) != wanted: sys.exit(f'{name} is {version(name)}, not {wanted}')\n"
    )
    packages = [f"{name}=={version}" for name, version in wanted.items()]
    checked = shell.run([VENV_PYTHON, "-c", code, *packages], limit=60)
    if not checked.good:
        raise Problem(f"{checked.last_line()}: remove {VENV} and run it again.")
