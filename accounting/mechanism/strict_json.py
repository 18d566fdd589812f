"""JSON without surprises: finite numbers, no doubled keys, bounded size and depth."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any, NoReturn

from accounting.mechanism._kinds import LARGEST_WHOLE

MOST_BYTES = 16 * 10**6
MOST_DEPTH = 32
Target = str | os.PathLike[str]


class _Fault:
    """What stands in the place of a value that is refused, until its path is known."""

    def __init__(self, allowed: str, text: str) -> None:
        self.allowed, self.text = allowed, text


def load(target: Target) -> Any:
    """Return the document at a path, or of a text that begins with ``{``.

    Raises ValueError for bytes that are no UTF-8, text that is no JSON, NaN and infinities, numbers
    beyond the floats, whole numbers above 2^53, a key that stands twice, more than 16 MB, and more
    than 32 levels; with the path of the value. OSError where there is no such file.
    """
    if isinstance(target, str) and target.lstrip().startswith("{"):
        return loads(target)
    path = Path(target)
    if path.stat().st_size > MOST_BYTES:
        _refuse("document", f"at most {MOST_BYTES} bytes", f"{path.stat().st_size}")
    try:
        return loads(path.read_bytes().decode("utf-8"))
    except UnicodeDecodeError as error:
        _refuse("document", "UTF-8", f"byte {error.object[error.start]:#x} at {error.start}")


def loads(text: str) -> Any:
    """The same of a text."""
    if len(text) > MOST_BYTES:
        _refuse("document", f"at most {MOST_BYTES} bytes", f"{len(text)}")
    try:
        document = json.loads(
            text,
            object_pairs_hook=_mapping,
            parse_float=_finite,
            parse_int=_whole,
            parse_constant=lambda word: _Fault("a finite number", word),
        )
    except json.JSONDecodeError as error:
        _refuse("document", "JSON", f"{error.msg} at line {error.lineno}, column {error.colno}")
    except RecursionError:
        _refuse("document", f"nested at most {MOST_DEPTH} deep", "one deeper")
    _insist(document, "", 0)
    return document


def _mapping(pairs: list[tuple[str, Any]]) -> Any:
    mapping: dict[str, Any] = {}
    for name, value in pairs:
        mapping[name] = _Fault("given once", "two values") if name in mapping else value
    return mapping


def _finite(text: str) -> Any:
    number = float(text)
    return number if math.isfinite(number) else _Fault("a finite number", text)


def _whole(text: str) -> Any:
    # Longer texts are not converted: Python refuses more than 4,300 digits in words of its own.
    if len(text) > 17 or abs(int(text)) > LARGEST_WHOLE:
        return _Fault("a whole number of at most 2^53", text)
    return int(text)


def _insist(value: Any, path: str, depth: int) -> None:
    """Raises ValueError at the first value that is refused."""
    if isinstance(value, _Fault):
        _refuse(path or "document", value.allowed, value.text)
    if depth > MOST_DEPTH:
        _refuse(path, f"nested at most {MOST_DEPTH} deep", "one deeper")
    if isinstance(value, dict):
        for name, each in value.items():
            _insist(each, f"{path}.{name}" if path else name, depth + 1)
    elif isinstance(value, list):
        for at, each in enumerate(value):
            _insist(each, f"{path}[{at}]", depth + 1)


def _refuse(path: str, allowed: str, got: str) -> NoReturn:
    if len(got) > 60:
        got = got[:57] + "..."
    raise ValueError(f"{path} must be {allowed}, got {got}")
