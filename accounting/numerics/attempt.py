"""An accountant that fails counts as infinite, and says why; it takes no other with it."""

import math
from collections.abc import Callable
from typing import TypeVar

import numpy as np

_T = TypeVar("_T")


def attempt(call: Callable[[], _T], otherwise: _T) -> tuple[_T, str]:
    """What the call gives and "", or `otherwise` and why it gave nothing, in a few words.

    NaN is nothing.  A missing package is no failure: ImportError is passed on.
    """
    try:
        found = call()
    except ImportError:
        raise
    except Exception as error:  # whatever it is: a number that is not known is infinite
        return otherwise, why(error)
    if isinstance(found, float | np.ndarray) and np.isnan(found).any():
        return otherwise, "its value is no number"
    return found, ""


def why(error: BaseException) -> str:
    """The cause of an error in one line."""
    said = " ".join(str(getattr(error, "cause", "") or error).split())
    plain = isinstance(error, ValueError | ArithmeticError)
    return said if plain and said else f"{type(error).__name__}{said and ': ' + said}"


def least(
    candidates: list[tuple[str, Callable[[], float]]],
) -> tuple[float, str]:
    """The least of several upper bounds, and whose it is; one that fails is infinite."""
    known = [(attempt(call, math.inf)[0], name) for name, call in candidates]
    return min(known, key=lambda pair: pair[0])
