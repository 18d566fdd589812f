"""Which way a form goes in an argument, and what a change of the argument buys."""

from typing import Any, Literal

import sympy as sp  # type: ignore[import-untyped, unused-ignore]

from bounds.algebra.answer import Derived, Kind
from bounds.algebra.cases import cases, possible
from bounds.algebra.points import Point, expressed, points
from bounds.algebra.questions import POINTS, answered, fractions, reduced, symbol_of
from bounds.forms import Form

Way = Literal["increasing", "decreasing", "constant", "neither"]
STEP = 2.0**-30
MOST = 120
"""Operations of a derivative whose sign is looked for by factoring."""
EXPANDED = 300
"""Operations of a derivative, or of a sum in it, whose terms are looked at one by one."""


def direction(form: Form, name: str) -> Derived:
    """Whether the form increases or decreases in an argument, the others held fixed.

    "closed" where the sign of the derivative is proved on every branch (nothing is said of jumps
    between them), "numeric" where it was sampled.
    """
    x = symbol_of(form, name)
    whole = expressed(form)
    test_points = points(form, POINTS)
    small = fractions(whole, test_points)
    proved: set[int | None] = set()
    for case in possible(cases(whole)):
        # The derivative on each branch; a proof needs the sign on all of them.
        proved.add(_sign(sp.diff(case.expression, x), small))
        if None in proved:
            break
    # Where it is unproved, steps at points decide, and the answer says that they are samples.
    way = _way(
        proved if None not in proved else {_step(point, whole, name) for point in test_points}
    )
    words = f"{way} in {name}"
    kind: Kind = "closed" if None not in proved else "numeric"
    return Derived(f"direction in {name}", kind, None, (), len(test_points), words)


def elasticity(form: Form, name: str) -> list[Derived]:
    """x f'(x)/f(x): by how many per cent the form moves where the argument moves by one."""
    x = symbol_of(form, name)
    whole = expressed(form)

    def answers(case: Any) -> list[Any]:
        return [reduced(x * sp.diff(case.expression, x) / case.expression)]

    def right(point: Any, root: Any) -> bool:
        at = float(point.inputs[name])
        # The product is rounded by 2^-53, some 2^-23 of the step: within what is admitted below.
        near = point.at(whole, **{name: at * (1 + STEP)}) / point.at(whole) - 1
        return bool(abs(near / STEP - point.at(root)) <= 1e-6 * (1 + abs(point.at(root)) ** 2))

    return answered(form, f"elasticity in {name}", answers, right, "no closed form")


def _step(point: Point, whole: Any, name: str) -> int:
    """The sign of what a small step up in the argument changes."""
    change = point.at(whole, **{name: float(point.inputs[name]) * (1 + STEP)}) - point.at(whole)
    return int(change > 0) - int(change < 0)


def _way(signs: set[Any]) -> Way:
    if signs <= {0}:
        return "constant"
    if signs <= {0, 1}:
        return "increasing"
    return "decreasing" if signs <= {0, -1} else "neither"


def _sign(expression: Any, small: frozenset[Any]) -> int | None:
    """The sign of an expression in positive symbols, if every factor shows one."""
    if expression == 0:
        return 0
    if expression.count_ops() > EXPANDED:
        return None
    replaced = _relaxed(expression, small)
    if (sign := _known(replaced)) is not None or replaced.count_ops() > MOST:
        return sign
    # Numerator and denominator apart: each may have a sign of its own.
    top, bottom = sp.fraction(sp.together(replaced))
    signs = [_known(sp.factor(part)) for part in (top, bottom)]
    return None if None in signs else int(sp.Mul(*signs))


def _relaxed(expression: Any, small: frozenset[Any]) -> Any:
    """The expression with c = 1/(1 + h), log c = -l and c^e = 1/(1 + g), all independent and > 0.

    A sign that holds for independent ones holds for those that belong together. Powers whose
    exponents are in rational ratio are powers of one.
    """
    relaxation = expression
    for base in sp.ordered(small):
        units: list[tuple[Any, Any]] = []
        table = {sp.log(base): -sp.Dummy("l", positive=True)}
        for power in sp.ordered(p for p in relaxation.atoms(sp.Pow) if p.base == base):
            # An exponent of unknown sign leaves its power as it is, on either side of 1.
            if power.exp.is_number or not (power.exp.is_positive or power.exp.is_negative):
                continue
            for exponent, unit in units:
                if (ratio := sp.simplify(power.exp / exponent)).is_Rational:
                    table[power] = unit**ratio
                    break
            else:
                unit = 1 / (1 + sp.Dummy("g", positive=True))
                units.append((power.exp, unit))
                # A power of a number in (0, 1) is in (0, 1) itself where the exponent is positive.
                table[power] = unit if power.exp.is_positive else 1 / unit
                units[-1] = (power.exp, table[power])
        relaxation = relaxation.xreplace(table)
        if base.is_Symbol:
            relaxation = relaxation.xreplace({base: 1 / (1 + sp.Dummy("h", positive=True))})
        else:
            # What is left of the base, outside those powers, lies in (0, 1) too.
            part = 1 / (1 + sp.Dummy("h", positive=True))
            relaxation = relaxation.replace(
                lambda z, b=base: isinstance(z, sp.Pow) and z.base == b,
                lambda z, c=part: c**z.exp,
            )
    return relaxation


def _known(expression: Any) -> int | None:
    if expression.is_positive:
        return 1
    if expression.is_negative:
        return -1
    if expression.is_zero:
        return 0
    if isinstance(expression, sp.Mul):
        signs = [_known(a) for a in expression.args]
        return None if None in signs else int(sp.Mul(*signs))
    # A sum has a sign where all of its terms have that one.
    if isinstance(expression, sp.Add):
        if expression.count_ops() > EXPANDED:
            return None
        terms = {_known(a) for a in sp.expand(expression).args}
        return terms.pop() if len(terms) == 1 else None
    return None
