"""Pieces of a long run: each is told when it is finished, and kept in a file if one is named."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from simulators.disk import read_text
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
    last line that a kill cut off is passed over.

    path: of that file; None keeps nothing.  resume: begin with what it holds.
    advance: called with (done, total, name).

    Raises ValueError where the file to resume is of other settings, or none of ours.
    """

    def __init__(
        self,
        path: Path | None = None,
        settings: Mapping[str, Any] | None = None,
        *,
        resume: bool = False,
        advance: Callable[[int, int, str], None] | None = None,
    ) -> None:
        self.path, self.advance = path, advance
        self.total = self.begun = 0
        self._kept: dict[str, Any] = {}
        head = dumps({"settings": dict(settings or {})})
        if path is None:
            return
        if resume and path.is_file():
            self._kept = _read(path, head)
        # What was cut off must not begin the next line.
        pieces = [dumps({"piece": name, "found": found}) for name, found in self._kept.items()]
        path.write_text("\n".join([head, *pieces, ""]), "utf-8")

    def do(self, name: str, run: Callable[[], Any]) -> Any:
        """What `run` returns, which must be JSON-ready, or what is kept of it.

        {"why": the reason} where it raised NotRun.
        """
        if name not in self._kept:
            begun = time.perf_counter()
            try:
                found = {"found": run(), "seconds": time.perf_counter() - begun}
            except NotRun as reason:
                found = {"why": str(reason)}
            self._kept[name] = loads(dumps(found))
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(dumps({"piece": name, "found": found}) + "\n")
        self.begun += 1
        if self.advance is not None:
            self.advance(self.begun, self.total, name)
        return self._kept[name]


def _read(path: Path, head: str) -> dict[str, Any]:
    first, *lines = read_text(path).split("\n")
    if first != head:
        raise ValueError(f"out must hold a run with the same settings to resume, got {path}")
    found = {}
    for line in lines:
        try:
            piece = loads(line)
            found[piece["piece"]] = piece["found"]
        except (ValueError, KeyError, TypeError):
            break
    return found
