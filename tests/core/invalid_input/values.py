"""What a caller may pass: every invalid value has a name in words, which failures print."""

import math
from numbers import Real
from typing import Any

import numpy as np


class Unrelated:
    """A class that no function asks for."""

    def __repr__(self) -> str:
        return "Unrelated()"


def _no_use(*_: Any, **__: Any) -> str:
    return "x"


def _nan(*_: Any, **__: Any) -> float:
    return math.nan


PLAIN: dict[str, Any] = {
    "nan": math.nan,
    "inf": math.inf,
    "minus inf": -math.inf,
    "minus one": -1,
    "zero": 0,
    "minus zero": -0.0,
    "1e308": 1e308,
    "1e-308": 1e-308,
    "5e-324": 5e-324,
    "2^63": 2**63,
    "-2^63-1": -(2**63) - 1,
    "10^400": 10**400,
    "true": True,
    "none": None,
    "text": "x",
    "bytes": b"x",
    "complex": 1j,
    "object": object(),
    "empty": [],
    "list of minus one": [-1],
    "list of ten thousand": [10**4],
    "empty mapping": {},
    "ragged": [[1], [1, 2]],
    "four axes": np.ones((1, 2, 1, 3)),
    "strings": np.array(["a", "b"]),
    "objects": np.array([None, object()]),
    "masked": np.ma.masked_array([0.5, 1.0], [False, True]),
    "array with nan": np.array([0.5, math.nan]),
    "list with nan": [1.0, math.nan],
    "list with text": [1.0, "x"],
}
"""For an argument that is a number, an array, a word or a flag."""

POSSIBLE = frozenset(
    [
        "inf",
        "minus inf",
        "minus one",
        "zero",
        "minus zero",
        "1e308",
        "1e-308",
        "5e-324",
        "2^63",
        "-2^63-1",
        "10^400",
        "four axes",
        "list of minus one",
        "list of ten thousand",
    ]
)
"""Numbers and arrays, which may be in range; every other value has to be refused."""

OBJECTS: dict[str, Any] = {
    "none": None,
    "three": 3,
    "nan": math.nan,
    "text": "x",
    "object": object(),
    "empty": [],
    "wrong class": Unrelated(),
    "class itself": Unrelated,
    "list of objects": [object()],
    "array with nan": np.array([0.5, math.nan]),
}
"""For an argument that is an object of the package, or a sequence of such."""

FUNCTIONS: dict[str, Any] = OBJECTS | {
    "function to text": _no_use,
    "function to nan": _nan,
    "function of nothing": lambda: 1.0,
}
"""For an argument that is called."""


def is_plain(value: Any) -> bool:
    """Whether a valid value is a number, an array, a word, a flag, or a collection of these."""
    if isinstance(value, (list, tuple, set, frozenset, range)):
        return all(map(is_plain, value))
    if isinstance(value, dict):
        return all(map(is_plain, value.values()))
    return value is None or isinstance(value, (Real, str, bytes, np.ndarray, np.generic))


def invalid_for(value: Any) -> dict[str, Any]:
    """The invalid values for an argument, given a valid one."""
    if is_plain(value):
        return PLAIN
    known = callable(value) and not isinstance(value, type) and type(value).__name__ == "function"
    return FUNCTIONS if known else OBJECTS
