# SPDX-License-Identifier: BSD-3-Clause
"""Where faults are seeded: a copy of the tree, with two builds of its libraries. One is changed and
built again for each fault, the other counts which lines are reached. The programs of the ordinary
builds stand beside each of them and find its libraries, so that none is linked again."""

import os
import shutil
import subprocess

from build import build
from provision import libraries, mpi, stamp, toolchain
from provision.paths import BUILD, ROOT

WORK_FLAGS = "-O1 -g -w"
REACH_FLAGS = "-O1 -g -w --coverage"
LONGEST = 120  # seconds for one build of a fault


class Workshop:
    def __init__(self, mpi):
        self.mpi = mpi
        self.folder = BUILD / "mutation" / mpi
        self.tree = self.folder / "tree"
        self.work = self.folder / "work"
        self.reach = self.folder / "reach"

    def prepare(self):
        with stamp.one_at_a_time():
            plan, programs = build("plan", True, quiet=True), build(self.mpi, True, quiet=True)
        self._copy()
        for folder, flags in ((self.work, WORK_FLAGS), (self.reach, REACH_FLAGS)):
            self._configure(folder, flags)
            problem = self.build(folder, 1800)
            if problem:
                raise SystemExit(f"{folder.name} can't be built:\n{problem[-3000:]}")
            for built in (plan, programs):
                stand_beside(built / "tests", folder / "tests")

    def _copy(self):
        """What has changed, so that the rest need not be built again."""
        words = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
        names = subprocess.run(words, cwd=ROOT, check=True, capture_output=True).stdout
        for name in filter(None, names.decode().split("\0")):
            path, copy = ROOT / name, self.tree / name
            if path.is_file() and not (copy.exists() and same(path, copy)):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
        for copy in [*(self.tree / "src").rglob("*.[ch]"), *(self.tree / "include").rglob("*.h")]:
            if not (ROOT / copy.relative_to(self.tree)).exists():
                copy.unlink()

    def _configure(self, folder, flags):
        options = {
            **mpi.cmake_options(self.mpi),
            **libraries.cmake_options(),
            "CAUCUS_TESTS": "OFF",
            "CAUCUS_BENCH": "OFF",
            "CAUCUS_EXAMPLES": "OFF",
            "CMAKE_BUILD_TYPE": "None",
            "CMAKE_C_COMPILER": toolchain.compiler("c")[0],
            "CMAKE_C_FLAGS": flags,
            "CMAKE_MAKE_PROGRAM": toolchain.ninja(),
        }
        defines = [f"-D{name}={value}" for name, value in options.items()]
        words = [toolchain.cmake(), "-S", self.tree, "-B", folder, "-G", "Ninja", *defines]
        configured, state = folder / "configured", "\n".join(defines)
        if not configured.exists() or configured.read_text() != state:
            subprocess.run(list(map(str, words)), check=True, stdout=subprocess.DEVNULL)
            configured.write_text(state)

    def build(self, folder, longest=LONGEST):
        """What the compiler says against it; empty if nothing."""
        environment = dict(os.environ)
        found = [str(libraries.folder()), environment.get("LD_LIBRARY_PATH", "")]
        environment["LD_LIBRARY_PATH"] = ":".join(filter(None, found))
        words = [str(toolchain.ninja()), "-C", str(folder), "-j2"]
        targets = ["caucus_plan", "caucus", "caucus_dropin"]
        try:
            done = subprocess.run(
                [*words, *targets],
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=longest,
            )
        except subprocess.TimeoutExpired:
            return "the compiler takes too long"
        return done.stdout + done.stderr if done.returncode else ""

    def seed(self, change):
        """Writes a fault into the copy and builds it; what the compiler says against it."""
        path = self.tree / change.file
        path.write_text(change.applied(path.read_text()))
        return self.build(self.work)

    def heal(self, change):
        shutil.copyfile(ROOT / change.file, self.tree / change.file)


def same(path, copy):
    return path.stat().st_size == copy.stat().st_size and path.read_bytes() == copy.read_bytes()


def stand_beside(programs, folder):
    """Programs find their libraries in ../lib of where they lie, so links by name won't do."""
    folder.mkdir(exist_ok=True)
    for path in programs.iterdir():
        link = folder / path.name
        if path.is_file() and os.access(path, os.X_OK):
            if link.exists():
                if link.samefile(path):
                    continue
                link.unlink()
            os.link(path, link)
