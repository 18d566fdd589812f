"""The lines of a ledger and the files beside it: JSON that has one reading, and is an object."""

import json
from typing import Any

from accounting.mechanism.strict_json import MOST_BYTES, loads


def parse(data: bytes, name: str) -> dict[str, Any]:
    """Return the object that the bytes spell.

    Raises ValueError, which begins with `name`, where they are no UTF-8, no JSON object, or not
    strict (`accounting.mechanism.strict_json`).
    """
    if len(data) > MOST_BYTES:
        raise ValueError(f"{name} must have at most {MOST_BYTES} bytes, got {len(data)}")
    try:
        value = loads(data.decode("utf-8"))
    except ValueError as error:
        raise ValueError(f"{name} must be JSON: {error}") from None
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be a JSON object, got {type(value).__name__}")
    return value


def line(value: dict[str, Any], name: str) -> bytes:
    """Return the object as one line of JSON; `parse` reads it. Raises ValueError as `parse`."""
    try:
        data = json.dumps(value, allow_nan=False).encode("ascii") + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{name} must be JSON: {error}") from None
    # Equal after a round trip: no key that is no text, no tuple, no number that is refused.
    if parse(data, name) != value:
        raise ValueError(f"{name} must be JSON: keys must be text, and sequences lists")
    return data
