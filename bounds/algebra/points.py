"""Points inside the hypotheses of a form, at which an answer is verified by substitution."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from mpmath import mp  # type: ignore[import-untyped, unused-ignore]

from bounds.algebra.cases import generic
from bounds.draws import admissible
from bounds.forms import Form
from bounds.namespaces.free import substitute

DIGITS, WORKING = 60, 180
CLOSE = 1e-12


@dataclass(frozen=True)
class Point:
    """Validated inputs of a form."""

    form: Form
    inputs: Mapping[str, Any]

    @cached_property
    def value(self) -> Any:
        """The form here."""
        return self.form.exact(DIGITS, **self.inputs)

    def at(self, expression: Any, **others: Any) -> Any:
        """An expression in the form's symbols here; NaN where it has no real value.

        `others` are numbers of symbols that the form does not have, or in place of its own.
        """
        symbols = self.form.statement.symbols
        arguments = {**self.inputs, **others}
        try:
            with mp.workdps(WORKING):
                value = substitute(expression, symbols, arguments, DIGITS)
                # Roots of complex intermediate values leave an imaginary part of rounding.
                return mp.nan if abs(mp.im(value)) > CLOSE * abs(value) else mp.re(value)
        except (ArithmeticError, TypeError, ValueError, mp.NoConvergence):
            return mp.nan


@lru_cache(maxsize=64)
def expressed(form: Form) -> Any:
    """The form in free symbols, boundaries aside (`generic`)."""
    return generic(form.symbolic())


@lru_cache(maxsize=64)
def points(form: Form, count: int, others: tuple[str, ...] = ()) -> list[Point]:
    """The same random points inside ranges and hypotheses every time, at most so many.

    They have arguments of the form, and `others` of its statement.
    Those where the form is 0 or infinite tell answers apart badly and are left out.
    """
    # Not `hash`, which differs from run to run.
    rng = np.random.default_rng(zlib.crc32(f"{form.statement.id} {form.name}".encode()))
    samples: list[Point] = []
    # Some draws are of no use: four for each point wanted, and then fewer points do.
    for _ in range(4 * count):
        try:
            draw = admissible(form.statement, form, rng, others=others)
            inputs = form.validate(draw)
            inputs |= {n: form.statement.symbols[n].validate(draw[n]) for n in others}
        except RuntimeError:
            break
        if len(samples) == count:
            break
        point = Point(form, inputs)
        try:
            if mp.isfinite(point.value) and point.value != 0:
                samples.append(point)
        except (ValueError, ZeroDivisionError, mp.NoConvergence):  # undefined, or out of reach
            continue
    return samples


def close(a: Any, b: Any, tolerance: float = CLOSE) -> bool:
    """Whether two numbers agree, relatively."""
    return bool(abs(a - b) <= tolerance * max(abs(a), abs(b)))
