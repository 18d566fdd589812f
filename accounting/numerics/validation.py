"""One validator for every public function: a bad argument becomes a ValueError that names it.

Every test is written positively (``if not x > low``), so that NaN fails it.  The message gives
the parameter, the first offending value and the allowed range:
``delta must be in (0, 1), got 1.5``.
"""

import math
import re
from collections.abc import Collection
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

_T = TypeVar("_T", bound=str)
_INT64 = np.iinfo(np.int64)
_ARRAYS = (np.ndarray, np.memmap)
_FLOATS = (float, np.float64)
_NUMBERS = frozenset((float, int, np.float64))
_INT_END = 1 << 63
_FEW = 4  # entries that are sooner looked at one by one
LONGEST = 10**7  # rounds of a schedule
_DEEPEST = 64  # of nested lists; numpy's own limit of dimensions


def _fail(name: str, allowed: str, got: object) -> NoReturn:
    try:
        text = repr(got)
        if isinstance(got, int) and len(text) > 60:
            text = f"{got:.6g}"
    except Exception:  # an int of more digits than Python prints, or a foreign object's own error
        text = f"one {type(got).__name__}"
    if len(text) > 60:
        text = text[:57] + "..."
    raise ValueError(f"{name} must be {allowed}, got {text}")


def shortest(number: float) -> str:
    """The shortest text that reads as this float; a whole number has no point."""
    return repr(float(number)).removesuffix(".0")


def _range(low: float, high: float, low_open: bool, high_open: bool) -> str:
    below, above = math.isinf(low), math.isinf(high)
    if not below and not above:
        left, right = "(" if low_open else "[", ")" if high_open else "]"
        return f"in {left}{shortest(low)}, {shortest(high)}{right}"
    if not below:
        finite = " and finite" if high_open else ""
        return f"{'>' if low_open else '>='} {shortest(low)}{finite}"
    if not above:
        finite = " and finite" if low_open else ""
        return f"{'<' if high_open else '<='} {shortest(high)}{finite}"
    return "a finite real number" if low_open or high_open else "a real number"


def _plain(value: object, depth: int = 0) -> bool:
    """Whether numpy can convert a (nested) sequence without losing what it says.

    It would turn a bool into 0 or 1, and drop masks, units and the meaning of a subclass's `*`.
    """
    if isinstance(value, np.ndarray):
        return type(value) in _ARRAYS and value.dtype.kind != "b"
    if isinstance(value, (list, tuple)):
        return depth < _DEEPEST and (
            _NUMBERS.issuperset(map(type, value))  # the commonest, without a call for each
            or all(_plain(entry, depth + 1) for entry in value)
        )
    return not isinstance(value, (bool, np.bool_))


def _numeric(name: str, value: object, kinds: str, wanted: str) -> NDArray[Any]:
    if value is None or isinstance(value, (str, bytes, dict, set)):
        _fail(name, wanted, value)
    if isinstance(value, np.ndarray) and type(value) not in _ARRAYS:
        _fail(name, "a plain numpy array, not a subclass", value)
    if not _plain(value):
        _fail(name, wanted, value)
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, OverflowError, RuntimeError):
        _fail(name, wanted, value)
    if array.dtype.kind not in kinds:
        _fail(name, wanted, value)
    if array.size == 0:
        _fail(name, "non-empty", value)
    return array


def _float64(name: str, array: NDArray[Any]) -> NDArray[np.float64]:
    """The entries as float64; ValueError where one is too large or too small for that."""
    with np.errstate(over="ignore", under="ignore"):
        found = array.astype(np.float64)
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        lost = (np.isinf(found) & np.isfinite(array)) | ((found == 0) & (array != 0))
        if lost.any():
            _fail(name, "within the range of float64", array[lost].flat[0])
    return found


def real(
    name: str,
    value: object,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    low_open: bool = False,
    high_open: bool = False,
) -> NDArray[np.float64]:
    """Return `value` as a float64 array whose entries all lie in the range from low to high.

    An infinite bound that is closed admits that infinity (the default); ``low_open`` or
    ``high_open`` excludes it.  NaN is never admitted.

    Raises ValueError for anything else: out of range, NaN, bool, str, None, complex, objects,
    dates, ragged, empty or masked arrays and other subclasses, extended floats beyond float64.
    """
    if isinstance(value, float | int) and (
        type(value) in _FLOATS or (type(value) is int and abs(value) < _INT_END)
    ):
        x = float(value)  # the commonest arguments, not looked at as arrays
        if (low < x if low_open else low <= x) and (x < high if high_open else x <= high):
            return np.array(x + 0.0 if low == 0 else x)
        _fail(name, _range(low, high, low_open, high_open), x)
    if type(value) is np.ndarray and value.dtype == np.float64 and value.size:
        array = value.astype(np.float64)
    else:
        allowed = _range(low, high, low_open, high_open)
        array = _float64(name, _numeric(name, value, "fiu", allowed))
    if array.size <= _FEW and all(
        (low < x if low_open else low <= x) and (x < high if high_open else x <= high)
        for x in array.ravel().tolist()
    ):
        return array + 0.0 if low == 0 else array
    with np.errstate(invalid="ignore"):
        least, most = array.min(), array.max()  # NaN where there is one; no array of its size
        good = (least > low if low_open else least >= low) and (
            most < high if high_open else most <= high
        )
        if not good:
            inside = (array > low) if low_open else (array >= low)
            inside &= (array < high) if high_open else (array <= high)
            allowed = _range(low, high, low_open, high_open)
            _fail(name, allowed, float(array[~inside].flat[0]))
    if low == 0:
        array += 0.0  # -0.0 is 0.0: nobody divides by it on the wrong side
    return array


def scalar(
    name: str,
    value: object,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    low_open: bool = False,
    high_open: bool = False,
) -> float:
    """Return `value` as one float in the range; ranges and errors as for `real`."""
    array = real(name, value, low=low, high=high, low_open=low_open, high_open=high_open)
    if array.ndim != 0:
        _fail(name, "a single number", value)
    return float(array)


def integer(
    name: str, value: object, *, low: int | None = None, high: int | None = None
) -> NDArray[np.int64]:
    """Return `value` as an int64 array with entries in [low, high] (None: that of int64).

    Raises ValueError for anything else; floats are refused even when they are whole numbers.
    """
    least = _INT64.min if low is None else max(low, _INT64.min)
    most = _INT64.max if high is None else min(high, _INT64.max)
    if low is not None and high is not None:
        allowed = f"an integer in [{low}, {high}]"
    elif low is not None:
        allowed = f"an integer >= {low}"
    elif high is not None:
        allowed = f"an integer <= {high}"
    else:
        allowed = "an integer"
    array = _numeric(name, value, "iu", allowed)
    good = (array >= least) & (array <= most)
    if not good.all():
        _fail(name, allowed, int(array[~good].flat[0]))
    return array.astype(np.int64)


def count(name: str, value: object, *, low: int | None = None, high: int | None = None) -> int:
    """Return `value` as one int in [low, high]; errors as for `integer`."""
    array = integer(name, value, low=low, high=high)
    if array.ndim != 0:
        _fail(name, "a single integer", value)
    return int(array)


def choice(name: str, value: object, allowed: Collection[_T]) -> _T:
    """Return `value` when it is one of the allowed words; ValueError listing them otherwise."""
    for word in allowed:
        if isinstance(value, str) and value == word:
            return word
    _fail(name, "one of " + ", ".join(map(repr, allowed)), value)


def broadcastable(**arrays: NDArray[Any]) -> tuple[int, ...]:
    """Return the common shape of the named arrays; ValueError naming them when there is none."""
    try:
        return np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"shapes must broadcast together, got {shapes}") from None


def refuses(error: ValueError, names: Collection[str]) -> bool:
    """Whether it says of one of these what it must be."""
    # Errors of this package begin with the name of the parameter, or two, and "must".
    subject = re.match(r"(\w+)( and \w+)* must ", str(error))
    return subject is not None and subject[1] in names
