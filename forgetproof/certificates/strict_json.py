"""JSON that has one reading: every key once, finite numbers, objects of bounded size and depth."""

import json
from typing import Any

LARGEST = 16 * 2**20  # bytes of a document
_DEEPEST = 32
_WHOLE = 2**53  # beyond it a float is no longer every whole number


def parse(data: bytes, name: str) -> dict[str, Any]:
    """Return the object that the bytes spell.

    Raises ValueError, which begins with `name`, where they are no UTF-8, no JSON object, longer
    than 16 MiB, nested deeper than 32, or have a key twice, NaN, an infinity or a whole number
    above 2^53.
    """
    if len(data) > LARGEST:
        raise ValueError(f"{name} must have at most {LARGEST} bytes, got {len(data)}")
    try:
        value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_constant=_refuse,
            parse_float=_finite,
            parse_int=_whole,
        )
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name} must be JSON: {error}") from None
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be a JSON object, got {type(value).__name__}")
    if _deeper(value, _DEEPEST):
        raise ValueError(f"{name} must be nested at most {_DEEPEST} deep")
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


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return value


def _refuse(word: str) -> float:
    raise ValueError(f"{word} is no number")


def _finite(text: str) -> float:
    value = float(text)
    if abs(value) == float("inf"):
        raise ValueError(f"{text[:40]} is no finite number")
    return value


def _whole(text: str) -> int:
    # int() of a very long text would take long, or raise.
    if len(text) > 17 or abs(int(text)) > _WHOLE:
        raise ValueError(f"{text[:40]} is beyond 2^53")
    return int(text)


def _deeper(value: Any, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if type(value) is list else ()
    return levels < 0 or any(_deeper(each, levels - 1) for each in inner)
