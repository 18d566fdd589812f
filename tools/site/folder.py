"""A folder of laid sources: files that did not change keep their times, and Sphinx passes them."""

from __future__ import annotations

import shutil
from pathlib import Path


class SourceFolder:
    """The sources of the site; what a build did not lay is removed at its end."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root
        self._laid: set[Path] = set()

    def write(self, name: str, text: str) -> None:
        """Lays a text file, relative to the root."""
        path = self._path(name)
        if not path.is_file() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")

    def copy(self, name: str, file: Path) -> None:
        """Lays a copy of a file."""
        path = self._path(name)
        if not path.is_file() or path.read_bytes() != file.read_bytes():
            shutil.copyfile(file, path)

    def sweep(self) -> None:
        """Removes what was laid by an earlier build and not by this one."""
        for path in sorted(self.root.rglob("*"), reverse=True):
            if path.is_file() and path not in self._laid:
                path.unlink()
            elif path.is_dir() and not any(path.iterdir()):
                path.rmdir()

    @property
    def pages(self) -> int:
        """How many pages were laid."""
        return sum(path.suffix in (".md", ".rst", ".ipynb") for path in self._laid)

    def _path(self, name: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self._laid.add(path)
        return path
