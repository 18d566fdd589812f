"""Pieces of a long run: each is told when it is finished, and kept in a file if one is named."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from simulators.data.disk import read_text, write
from verify.jsonio import dumps, loads


class NotRun(ValueError):
    """A piece that cannot be run here; the message says why and stands in its place."""


def made(out: Path) -> Path:
    """The folder, made; ValueError where it cannot be written, before anything is run."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"out must be a writable folder, got {out}: {error.strerror}") from error
    if not os.access(out, os.W_OK):
        raise ValueError(f"out must be a writable folder, got {out}")
    return out


class Work:
    """What is finished of a run, by name.

    A file has a line of settings and then one for every finished piece, written as it finishes; a
    last line that a kill cut off is passed over.  A piece that could not be run is not finished:
    what it lacked may be there by now.

    path: of that file; None keeps nothing.  resume: begin with what it holds.
    settings: whatever the pieces depend on, JSON-ready, the hash of the code among them.
    inputs: name -> hash of the files that pieces may read; later runs may have more of them.
    advance: called with (done, total, name).

    Raises ValueError naming what differs where the file to resume is of other settings, of files
    that have changed, or none of ours; the file stays as it is.
    """

    def __init__(
        self,
        path: Path | None = None,
        settings: Mapping[str, Any] | None = None,
        *,
        inputs: Mapping[str, str] | None = None,
        resume: bool = False,
        advance: Callable[[int, int, str], None] | None = None,
    ) -> None:
        self.path, self.advance = path, advance
        self.total = self.begun = 0
        self._kept: dict[str, Any] = {}
        head = {"settings": dict(settings or {}), "inputs": dict(inputs or {})}
        if path is None:
            return
        if resume and path.is_file():
            self._kept = _read(path, head)
        # What was cut off must not begin the next line.
        pieces = [dumps({"piece": name, "found": result}) for name, result in self._kept.items()]
        write(path, "\n".join([dumps(head), *pieces, ""]).encode())

    def do(self, name: str, run: Callable[[], Any]) -> Any:
        """What `run` returns, which must be JSON-ready, or what is kept of it.

        {"why": the reason} where it raised NotRun.
        """
        if name not in self._kept:
            begun = time.perf_counter()
            try:
                record = {"found": run(), "seconds": time.perf_counter() - begun}
            except NotRun as reason:
                record = {"why": str(reason)}
            # Through JSON at once, so that a fresh result and a resumed one are of the same types.
            self._kept[name] = loads(dumps(record))
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(dumps({"piece": name, "found": record}) + "\n")
        self.begun += 1
        if self.advance is not None:
            self.advance(self.begun, self.total, name)
        return self._kept[name]


def input_hashes(folder: Path) -> dict[str, str]:
    """Name -> SHA-256 of every file of data in a folder: IDX and NPZ, gzipped or not."""
    hashes = {}
    for file in sorted(folder.iterdir()):
        if file.is_file() and file.name.removesuffix(".gz").endswith(("ubyte", ".npz")):
            with file.open("rb") as stream:
                hashes[file.name] = hashlib.file_digest(stream, "sha256").hexdigest()
    return hashes


def _read(path: Path, head: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The pieces that are finished, by name."""
    first, *lines = read_text(path).split("\n")
    if differs := _difference(first, head):
        raise ValueError(
            f"out must hold a run with the same settings to resume, got {path}: {differs}"
        )
    results = {}
    for line in lines:
        try:
            piece = loads(line)
            name, result = piece["piece"], piece["found"]
            # A NotRun is not kept: what it lacked may be there by now.
            could_run = "why" not in result
        except (ValueError, KeyError, TypeError):
            # Only the last line can be cut off, so what follows it is nothing.
            break
        if could_run:
            results[name] = result
    return results


def _difference(first: str, head: dict[str, dict[str, Any]]) -> str:
    """What the first line of a file says otherwise than `head`; empty where nothing is."""
    # Compared as they will be read: JSON turns tuples into lists.
    expected = loads(dumps(head))
    try:
        before = loads(first)
        settings = dict(before["settings"])
        inputs = dict(before["inputs"])
    except (ValueError, KeyError, TypeError):
        return "its first line has no settings"
    names = [*expected["settings"], *settings]
    other = [n for n in names if settings.get(n) != expected["settings"].get(n)]
    # A file that has come since then changes nothing of what is finished.
    other += [name for name, digest in inputs.items() if expected["inputs"].get(name) != digest]
    return f"{', '.join(dict.fromkeys(other))} differ" if other else ""
