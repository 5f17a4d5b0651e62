# SPDX-License-Identifier: BSD-3-Clause
"""The source tree as the rules see it: files, their text, and what they include."""

import os
import re
from functools import cached_property
from pathlib import Path

IGNORED = {"build", "results", "__pycache__"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|/\*.*?\*/|//[^\n]*', re.DOTALL)
C_SUFFIXES = {".c", ".h"}


def _ours(folder):
    """Hidden folders hold what was brought, but for the one with the continuous integration."""
    hidden = folder.startswith(".") and folder != ".ci"
    return not hidden and folder not in IGNORED and not folder.endswith(".egg-info")


class Source:
    """A file of the tree; `name` is its path in the tree."""

    def __init__(self, root, path):
        self.path = path
        self.name = path.relative_to(root).as_posix()
        self.suffix = path.suffix

    @cached_property
    def text(self):
        return self.path.read_text(errors="replace")

    @cached_property
    def code(self):
        """C without its comments."""
        return COMMENT.sub(lambda match: match.group(1) or " ", self.text)

    @cached_property
    def includes(self):
        return INCLUDE.findall(self.code)

    @property
    def room(self):
        """ "plan" for src/plan/grid/x.c; "include" for a public header; None elsewhere."""
        parts = self.name.split("/")
        if parts[0] == "src" and len(parts) > 2:
            return parts[1]
        return "include" if parts[0] == "include" else None


class Tree:
    def __init__(self, root):
        self.root = Path(root)
        self.sources = [Source(self.root, path) for path in sorted(self._walk())]
        self._by_name = {source.name: source for source in self.sources}

    def _walk(self):
        for folder, folders, files in os.walk(self.root):
            folders[:] = [name for name in folders if _ours(name)]
            for file in files:
                path = Path(folder, file)
                if path.is_file() and not path.is_symlink():
                    yield path

    def c_sources(self, *rooms):
        return [s for s in self.sources if s.suffix in C_SUFFIXES and s.room in rooms]

    def resolve(self, source, include):
        """The file of the tree that an include means; None for one from outside."""
        beside = Path(os.path.normpath(Path(source.name).parent / include)).as_posix()
        for name in (f"src/{include}", f"include/{include}", beside):
            if name in self._by_name:
                return self._by_name[name]
        return None

    def reached(self, source):
        """Every include that a file pulls in, directly or not, as written."""
        seen, waiting, found = {source.name}, [source], set()
        while waiting:
            current = waiting.pop()
            for include in current.includes:
                found.add(include)
                target = self.resolve(current, include)
                if target and target.name not in seen:
                    seen.add(target.name)
                    waiting.append(target)
        return found
