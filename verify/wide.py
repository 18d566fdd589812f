"""Every form far out: its floats and its expression against its formula with many digits.

Arguments are log-uniform over all sizes (`bounds.draws.draw_wide`), where digits are lost that
arguments of order 1 keep.  Floats are right where they are as near as a few roundings of the
arguments let anything be: the formula is evaluated at arguments that are a few units away, too.
"""

import zlib
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from mpmath import mp  # type: ignore[import-untyped, unused-ignore]

from bounds import Form, Statement
from bounds.draws import MOST, admissible, draw_wide
from bounds.namespaces.free import substitute
from bounds.namespaces.terms import TooManyTerms, at_most

DIGITS, TERMS = 30, 1000
COUNTS = (MOST, 10**3, 40)
"""Whole numbers are at most so large: smaller ones where a sum has more than `TERMS` terms."""
TOLERANCE = 1e-8
ROUNDINGS = 64
"""Of each argument, in units of 2^-52."""
FAR = 16
"""Units by which an argument is moved, to see what that many roundings do."""
SMALLEST, LARGEST = 1e-290, 1e290
"""Beyond them an intermediate result may leave the floats."""


def disagreements(statement: Statement, form: Form, count: int, symbols: bool) -> Iterator[str]:
    """Where floats, or the expression if `symbols`, differ from the digits, at `count` inputs."""
    if form.formula is None:
        return
    # Seeded by the form's name, so that a disagreement is found again.
    seed = zlib.crc32(f"{statement.id}.{form.name} wide".encode())
    rng = np.random.default_rng(seed)
    expression = form.symbolic() if symbols and not form.because else None
    for _ in range(count):
        for inputs, exact in _drawn(statement, form, rng):
            where = f"{statement.id} {form.name} at {inputs}"
            if why := _floats(form, inputs, exact):
                yield f"{where}: {why}"
            if expression is not None and (why := _symbols(form, expression, inputs, exact)):
                yield f"{where}: {why}"


def _drawn(
    statement: Statement, form: Form, rng: np.random.Generator
) -> Iterator[tuple[dict[str, Any], Any]]:
    """At most one point with the value of the formula there."""
    for most in COUNTS:
        try:
            inputs = admissible(statement, form, rng, partial(draw_wide, most=most))
            yield inputs, _exact(form, inputs)
        except TooManyTerms:
            continue
        except (RuntimeError, ValueError, ZeroDivisionError):
            pass  # nothing admissible of such sizes; or singular, where floats take a limit
        return


def _exact(form: Form, inputs: dict[str, Any]) -> Any:
    with at_most(TERMS):
        return form.exact(DIGITS, **inputs)


def _floats(form: Form, inputs: dict[str, Any], exact: Any) -> str:
    """How the shipped number differs, "" where it does not, or is refused for being too large."""
    try:
        value = float(form(**inputs))
    except ValueError as error:
        inside = mp.isfinite(exact) and abs(exact) < LARGEST
        return f"{error}, {mp.nstr(exact, 17)} with many digits" if inside else ""
    # The slack moves every argument, which costs many evaluations: it is asked for last.
    if _near(value, exact, TOLERANCE) or abs(value - exact) <= _slack(form, inputs, exact):
        return ""
    return f"{value!r} in floats, {mp.nstr(exact, 17)} with many digits"


def _near(value: float, exact: Any, tolerance: float) -> bool:
    # Beyond the float range any huge value is right, and infinity, too.
    if mp.isinf(exact) or abs(exact) > LARGEST:
        return bool(value == exact or abs(value) > LARGEST)
    if abs(exact) < SMALLEST:
        return abs(value) < 10 * SMALLEST
    return bool(abs(value - exact) <= tolerance * abs(exact))


def _slack(form: Form, inputs: dict[str, Any], exact: Any) -> Any:
    """How far roundings of the real arguments, one by one, move the value."""
    # Argument by argument: their errors add up at most.
    shift = mp.zero
    for name, near in _neighbours(form, inputs):
        gaps = []
        for x in near:
            try:
                gaps.append(abs(_exact(form, {**inputs, name: x}) - exact))
            except (ValueError, ArithmeticError):
                continue  # beyond the end of a range or a hypothesis
        # Scaled from FAR units to ROUNDINGS: linear, as these are small.
        shift += max(gaps, default=mp.zero) * ROUNDINGS / FAR
    return shift


def _neighbours(form: Form, inputs: dict[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Real arguments, and the entries of lists one by one, moved by `FAR` units up and down."""
    symbols = form.statement.symbols
    factors = 1 - FAR * 2.0**-52, 1 + FAR * 2.0**-52
    for name, x in inputs.items():
        if symbols[name].kind == "real" and np.isfinite(x):
            yield name, [x * factor for factor in factors]
        if symbols[name].kind == "list" and not symbols[name].whole:
            for place, entry in enumerate(x):
                yield name, [[*x[:place], entry * f, *x[place + 1 :]] for f in factors]


def _symbols(form: Form, expression: Any, inputs: dict[str, Any], exact: Any) -> str:
    """How the expression, by substitution, differs; "" where it is singular and the formula takes a
    limit."""
    arguments = form.validate(inputs)
    if not all(np.all(np.isfinite(x)) for x in arguments.values() if not isinstance(x, dict)):
        return ""  # in symbols 0 times infinity is not 0
    try:
        with at_most(TERMS):
            value = substitute(expression, form.statement.symbols, arguments, DIGITS)
    except (ValueError, ZeroDivisionError):
        return ""
    if mp.isnan(value) or _close(value, exact):
        return ""
    return f"{mp.nstr(value, 17)} in symbols, {mp.nstr(exact, 17)} with many digits"


def _close(found: Any, exact: Any) -> bool:
    with mp.workdps(DIGITS):
        return bool(found == exact or abs(found - exact) <= abs(exact) * mp.mpf(10) ** -20)
