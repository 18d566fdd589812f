"""JSON without NaN: infinities are spelled "inf" and "-inf", numpy scalars become numbers."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from simulators.data.disk import parse_json, read_json

SCHEMA = "forgetproof/2"


def plain(value: object) -> Any:
    """The value as JSON-ready data. Raises ValueError on NaN, which never leaves forgetproof."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    # numpy arrays and scalars first: np.float64 is a float, np.int64 no int.
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        if math.isnan(value):
            raise ValueError("a result is not a number")
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
    return value


def restore(value: object) -> Any:
    """The inverse of `plain` for the infinities."""
    if isinstance(value, dict):
        return {k: restore(v) for k, v in value.items()}
    if isinstance(value, list):
        return [restore(v) for v in value]
    return (
        {"inf": math.inf, "-inf": -math.inf}.get(value, value) if isinstance(value, str) else value
    )


def dumps(value: object, *, indent: int | None = None) -> str:
    return json.dumps(plain(value), indent=indent, allow_nan=False, ensure_ascii=False)


def loads(text: str) -> Any:
    """The document that `dumps` wrote. Raises ValueError for text that it did not."""
    return restore(parse_json(text))


def load(path: Path) -> Any:
    """`loads` of a file; errors as for `simulators.data.disk.read_json`."""
    return restore(read_json(path))
