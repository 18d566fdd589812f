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
        value = call()
    except ImportError:
        raise
    except Exception as error:  # whatever it is: a number that is not known is infinite
        return otherwise, why(error)
    if isinstance(value, float | np.ndarray) and np.isnan(value).any():
        return otherwise, "its value is no number"
    return value, ""


def why(error: BaseException) -> str:
    """The cause of an error in one line."""
    message = " ".join(str(getattr(error, "cause", "") or error).split())
    plain = isinstance(error, ValueError | ArithmeticError)
    return message if plain and message else f"{type(error).__name__}{message and ': ' + message}"


def least(
    candidates: list[tuple[str, Callable[[], float]]],
) -> tuple[float, str]:
    """The least of several upper bounds, and whose it is; one that fails is infinite."""
    values = [(attempt(call, math.inf)[0], name) for name, call in candidates]
    return min(values, key=lambda pair: pair[0])
