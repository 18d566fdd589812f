"""Equalities that hold `simulators` to other routes, before a check relies on them.

A subject is a module of this folder, or of a paper's `self_tests`, which hold its views; its
`equalities()` yields what the functions of some modules answer beside the same number by another
route (rationals, many digits, quadrature, brute force).  The runner asks `departure` before each
check: a claim whose check imports, at any depth, a module that departs from its equalities is "not
run", with the departure as the reason.
"""

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from verify.self_tests.subjects import subjects
from verify.self_tests.uses import names


@dataclass(frozen=True)
class Equality:
    """`found`, by a function of `simulators`, and `wanted`, the same by another route.

    They differ where they are farther apart than `tolerance` times the largest finite entry of
    `wanted`.
    """

    what: str
    found: Any
    wanted: Any
    tolerance: float = 1e-10

    @property
    def departs(self) -> bool:
        """Whether they differ: in shape, in an infinity, by a NaN, or by too much."""
        result, expected = (np.asarray(x, dtype=float) for x in (self.found, self.wanted))
        if result.shape != expected.shape:
            return True
        finite = np.abs(expected[np.isfinite(expected)])
        room = self.tolerance * float(finite.max(initial=0.0))
        return not np.allclose(result, expected, rtol=0.0, atol=room)

    def __str__(self) -> str:
        result, expected = (np.asarray(x, dtype=float) for x in (self.found, self.wanted))
        if result.shape != expected.shape:
            return f"{self.what} has shape {result.shape}, not {expected.shape}"
        with np.errstate(invalid="ignore"):
            far = np.nan_to_num(np.abs(result - expected), nan=math.inf)
        worst = int(np.argmax(far))
        return f"{self.what} is {result.flat[worst]:.15g}, not {expected.flat[worst]:.15g}"


def departure(module: str) -> str | None:
    """The first equality broken by code that a module imports, itself included."""
    used = names(module)
    for subject, module_names in subjects().items():
        if used.intersection(module_names) and (breach := broken(subject)):
            return f"{subject.rpartition('.')[2]}: {breach}"
    return None


@cache
def broken(subject: str) -> str | None:
    """The first equality of a subject that does not hold; None if all do, without a warning.

    None as well where an extra is not installed: what needs it does not run either.
    """
    try:
        equalities: Iterator[Equality] = import_module(subject).equalities()
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            return next((str(e) for e in equalities if e.departs), None)
    except ImportError as missing:
        ours = (missing.name or "").split(".")[0] in ("accounting", "simulators", "verify")
        return f"ImportError: {missing}" if ours else None
    except Exception as error:  # code that is wrong may fail in any way
        return f"{type(error).__name__}: {error}"
