"""Files: read within limits of size and nesting, written all or nothing.

A file that a user names may be endless, deeper than the interpreter's stack, or on a full disk.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

MOST_BYTES = 2**26
DEEPEST = 100


def read_bytes(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """What the file holds. Raises ValueError for more than `most` bytes, of which none is kept.

    A named pipe is a ValueError too: whoever opens it waits for a writer that may never come.
    Errors of the system (no such file, no permission) stay OSErrors.
    """
    place = Path(path)
    # A shell's <(command) is a pipe without a name of its own, and has its writer.
    if place.is_fifo() and Path(os.path.realpath(place)).exists():
        raise ValueError("a named pipe")
    with place.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{path} must hold at most {most} bytes, got more")
    return data


def read_text(path: str | Path, most: int = MOST_BYTES) -> str:
    """What the UTF-8 file holds; errors as for `read_bytes`, or ValueError for other bytes."""
    return read_bytes(path, most).decode("utf-8")


def read_json(path: str | Path) -> Any:
    """The JSON document in the file; errors as for `read_text` and `parse_json`."""
    return parse_json(read_text(path))


def parse_json(text: str, **hooks: Any) -> Any:
    """The JSON document; `hooks` are those of `json.loads`.

    Raises ValueError for text that is not JSON, for NaN and Infinity (which JSON has not), and for
    a nesting of more than `DEEPEST` levels.
    """
    try:
        options: dict[str, Any] = {"parse_constant": _no_number, **hooks}
        value = json.loads(text, **options)
    except RecursionError:
        _too_deep()
    level, depth = [value], 0
    while level := [item for container in level for item in _items(container)]:
        depth += 1
        if depth > DEEPEST:
            _too_deep()
    return value


def _items(value: Any) -> Any:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _too_deep() -> Any:
    raise ValueError(f"it is nested more than {DEEPEST} levels deep") from None


def _no_number(word: str) -> Any:
    raise ValueError(f"it holds {word}, which is not JSON")


def write(path: str | Path, data: bytes) -> None:
    """Replaces the file in one step: where it cannot be written, it stays as it was, or absent.

    Devices and pipes are written to as they are, and a link keeps pointing where it did. Raises
    OSError.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file() and not target.is_dir():
        target.write_bytes(data)
        return
    draft = target.with_name(f".{target.name[:50]}.{os.getpid()}.part")
    try:
        draft.write_bytes(data)
        os.replace(draft, target)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
