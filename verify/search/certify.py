"""Certified violations: both sides in ball arithmetic, at inputs read as exact decimals.

A violation is certified when the balls of its two sides do not meet, and the left side is a closed
form: that of the check, or a form of the formula that the claim's check found equal to the
measurement under a named proof. Everything else stays exact in floating point at best.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bounds.balls import PRECISIONS, Undecided, ball
from verify import checks
from verify.evidence import Relation

if TYPE_CHECKING:
    from verify.search.slack import SlackTarget


@dataclass(frozen=True)
class BallCertificate:
    """Two balls that do not meet: `left` and `right` as text, and the bits they took."""

    left: str
    right: str
    bits: int


def separate(
    left: Callable[..., Any],
    right: Callable[..., Any],
    inputs: Mapping[str, Any],
    relation: Relation = "<=",
    *,
    scale: float = 1.0,
) -> BallCertificate:
    """A proof that `left relation scale * right` fails at these inputs.

    Args:
        left, right: expressions as forms have them: called with sympy and the inputs they take.
        inputs: numbers, read as the exact decimals that print them (0.1 is 1/10).
        relation: the one that must fail.
        scale: factor on the right side.

    Raises:
        Undecided: the relation holds, or no precision up to 2048 bits separates the sides.
        ModuleNotFoundError: python-flint is not installed.
    """
    problem: ValueError = Undecided("no expression could be evaluated")
    # Symbols keep huge powers unevaluated; expressions that compare their arguments need numbers.
    for build in (_symbolic, _rational):
        try:
            sides = build(left, inputs), build(right, inputs, scale)
        except Undecided as error:
            problem = error
            continue
        for bits in PRECISIONS:
            try:
                a = ball(*sides[0], precision=bits)
                b = ball(*sides[1], precision=bits)
            except Undecided as error:
                problem = error
                continue
            if (a > b and relation != ">=") or (a < b and relation != "<="):
                return BallCertificate(a.str(20), b.str(20), bits)
            # Disjoint the other way round: more bits would not change it.
            if a < b or a > b:
                raise Undecided("the relation holds here, with certainty")
            problem = Undecided("the sides do not separate")
    raise problem


def _symbolic(
    expr: Callable[..., Any], inputs: Mapping[str, Any], scale: float = 1.0
) -> tuple[Any, dict[Any, Any]]:
    """The expression over symbols of known sign: sympy cannot blow exact powers up."""
    import sympy

    values: dict[Any, Any] = {}

    def stand_in(name: str, value: Any) -> Any:
        number = decimal(value)
        # Whole numbers stay numbers: sums, products and ranges run over them.
        if isinstance(number, list | dict) or number.is_Integer or not number.is_finite:
            return number
        symbol = sympy.Dummy(name, positive=True) if number > 0 else sympy.Dummy(name, real=True)
        values[symbol] = number
        return symbol

    return _evaluate(expr, {k: stand_in(k, v) for k, v in inputs.items()}, scale), values


def _rational(
    expr: Callable[..., Any], inputs: Mapping[str, Any], scale: float = 1.0
) -> tuple[Any, dict[Any, Any]]:
    """The expression at exact rationals, for those that decide by comparing their arguments."""
    return _evaluate(expr, {k: decimal(v) for k, v in inputs.items()}, scale), {}


def _evaluate(expr: Callable[..., Any], arguments: Mapping[str, Any], scale: float) -> Any:
    import sympy

    # The first parameter is the namespace (sympy here, numpy in the checks).
    parameter_names = list(inspect.signature(expr).parameters)[1:]
    parameters = inspect.signature(expr).parameters.values()
    whole = any(p.kind is p.VAR_KEYWORD for p in parameters)
    inputs = {k: v for k, v in arguments.items() if whole or k in parameter_names}
    try:
        expression = sympy.sympify(expr(sympy, **inputs))
        if not isinstance(expression, sympy.Expr):
            raise Undecided("the expression is not a single number")
        # The scale is a float of the caller: its exact binary value, not a decimal.
        return expression * sympy.Rational(*float(scale).as_integer_ratio())
    except (TypeError, AttributeError, ArithmeticError) as error:
        raise Undecided(f"the expression takes numbers only: {error}") from error


def decimal(value: Any) -> Any:
    """The exact rational that a float's shortest decimal names; lists and hits entry by entry."""
    import sympy

    if isinstance(value, Mapping):
        return {k: sympy.Integer(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [decimal(v) for v in value]
    number = float(value)
    if number in (float("inf"), float("-inf")):
        return sympy.oo if number > 0 else -sympy.oo
    return sympy.Rational(repr(number))


def left_expression(target: SlackTarget, point: Mapping[str, Any]) -> Callable[..., Any] | None:
    """An expression that equals the left side of a target at a point, if one is known.

    It is the exact side's own, or a form that the check found equal to the measurement
    and that equals it here; a form must have its proof named by the interpretation.
    """
    if target.source == "measure" and (own := checks.check(target.claim).expression):
        return own
    if target.attained is None or target.attained == target.form:
        return None
    form = target.claim[target.attained]
    if target.source == "measure":
        interpretation = target.claim.interpretation(target.interpretation)
        # Elsewhere the form may be loose, so the proof covers this point only where it equals the
        # measurement here.
        value = float(form(**{k: v for k, v in point.items() if k in form.arguments}))
        if form.name not in interpretation.proofs or not math.isclose(
            value, target.sides(point)[0], rel_tol=1e-9
        ):
            return None
    return form.expr
