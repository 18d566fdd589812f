"""An equation solved for one symbol: powers of one base become one unknown, the rest is algebra."""

from itertools import pairwise
from math import gcd, lcm
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]

from bounds.namespaces.special import mu_star
from bounds.namespaces.symbolic import Symbolic

MOST = 400
"""Operations of an expression that is brought over one denominator."""


def isolate(expression: Any, value: Any, x: Any) -> list[Any]:
    """Candidates for x with expression = value; whoever asks puts them back.

    The expression has no cases (`cases`). Empty where no closed form is found.
    """
    unit, power, rest = _powers(expression, x)
    unknown = x if unit is None else unit
    substitutions: dict[Any, Any] = {}
    folded = _fold(rest, unknown, substitutions)
    roots = _peel(folded, value, unknown)
    if roots is None:
        roots = _algebraic(folded, value, unknown)
    solutions = [root.xreplace(substitutions) for root in roots]
    if unit is not None:
        base, exponent = power
        # y = base^(slope x) is solved for x by logarithms.
        solutions = [sp.log(root) / (exponent * sp.log(base)) for root in solutions]
    return solutions


def _powers(expression: Any, x: Any) -> tuple[Any, Any, Any]:
    """A symbol y for base^(a x), base and a, and the expression in y; or None and as it was.

    All powers with x above must have one base and exponents a x + b with a in rational ratios.
    """
    powers = [p for p in expression.atoms(sp.Pow, sp.exp) if p.exp.has(x) and not p.base.has(x)]
    if not powers:
        return None, None, expression
    slopes = {}
    for power in powers:
        slope = sp.diff(power.exp, x)
        # An exponent that is not linear in x makes no one power of y.
        if slope.has(x) or power.base != powers[0].base:
            return None, None, expression
        slopes[power] = slope
    ratios = {power: sp.simplify(slope / slopes[powers[0]]) for power, slope in slopes.items()}
    if not all(ratio.is_Rational for ratio in ratios.values()):
        return None, None, expression
    unit = sp.Dummy("y", positive=True)
    table = {}
    for power, ratio in ratios.items():
        # base^(a x + b) is y^(a/a_0) base^b.
        shift = sp.expand(power.exp - slopes[power] * x)
        table[power] = unit**ratio * power.base**shift
    rest = expression.xreplace(table)
    if rest.has(x):
        return None, None, expression
    return unit, (powers[0].base, slopes[powers[0]]), rest


def _fold(expression: Any, x: Any, known: dict[Any, Any]) -> Any:
    """The expression with every largest part that is free of x behind one symbol."""
    if not expression.has(x):
        if expression.is_Number:
            return expression
        # Equal parts share a symbol, so that what cancels is seen to cancel.
        for symbol, part in known.items():
            if part == expression:
                return symbol
        symbol = sp.Dummy(positive=True)
        known[symbol] = expression
        return symbol
    if isinstance(expression, sp.Add | sp.Mul):
        with_x = [a for a in expression.args if a.has(x)]
        rest = expression.func(*(a for a in expression.args if not a.has(x)))
        return expression.func(_fold(rest, x, known), *(_fold(a, x, known) for a in with_x))
    if not expression.args:
        return expression
    return expression.func(*(_fold(a, x, known) for a in expression.args))


def _peel(expression: Any, value: Any, x: Any) -> list[Any] | None:
    """Roots where x occurs once: one outer function after the other is undone."""
    if expression.count(x) != 1:
        return None
    values = [value]
    while expression != x:
        inner = next(a for a in expression.args if a.has(x))
        others = [a for a in expression.args if not a.has(x)]
        if isinstance(expression, sp.Add):
            values = [v - sp.Add(*others) for v in values]
        elif isinstance(expression, sp.Mul):
            values = [v / sp.Mul(*others) for v in values]
        elif isinstance(expression, sp.Pow) and inner == expression.base:
            # Both roots of an even power; x itself is positive, and takes only one.
            even = sp.fraction(expression.exp)[0].is_even and inner != x
            roots = [v ** (1 / expression.exp) for v in values]
            values = roots + ([-r for r in roots] if even else [])
        elif isinstance(expression, sp.Pow | sp.exp):
            values = [sp.log(v) / sp.log(expression.base) for v in values]
        elif isinstance(expression, sp.log):
            values = [sp.exp(v) for v in values]
        elif isinstance(expression, mu_star) and inner == expression.args[1]:
            # mu_star(eps, delta) = v is delta = delta_G(eps, v), in closed form.
            values = [Symbolic.gaussian_delta(expression.args[0], v) for v in values]
        else:
            return None
        expression = inner
    return values


def _algebraic(expression: Any, value: Any, x: Any) -> list[Any]:
    """Roots of what becomes, with at most one radical squared away, a quadratic in a power."""
    if expression.count_ops() > MOST:
        return []
    root = sp.Dummy("s", positive=True)
    halves = [p for p in expression.atoms(sp.Pow) if p.base == x and p.exp.is_Rational]
    # x = s^q makes whole exponents of all fractional ones.
    q = lcm(*(int(p.exp.q) for p in halves))
    equation = (
        expression.subs(x, root**q) - value if q > 1 else expression.xreplace({x: root}) - value
    )
    radicals = {
        p.base
        for p in equation.atoms(sp.Pow)
        if p.base.has(root) and p.exp.is_Rational and p.exp.q == 2
    }
    if len(radicals) > 1:
        return []
    if radicals:
        (inside,) = radicals
        plain = sp.Dummy("r", positive=True)
        equation = equation.replace(
            lambda z: isinstance(z, sp.Pow) and z.base == inside and z.exp.is_Rational,
            lambda z: plain ** (2 * z.exp),
        )
        top = sp.Poly(sp.fraction(sp.together(equation))[0], plain)
        even = sum(c * inside ** (k // 2) for (k,), c in top.terms() if k % 2 == 0)
        odd = sum(c * inside ** (k // 2) for (k,), c in top.terms() if k % 2)
        # even + odd r = 0 and r^2 = inside give even^2 = inside odd^2, and roots that are none.
        equation = even**2 - inside * odd**2
    top = sp.fraction(sp.together(equation))[0]
    try:
        terms = sp.Poly(sp.expand(top), root).terms()
    except sp.PolynomialError:
        return []
    if any(c.has(root) for _, c in terms):
        return []
    # s > 0: a common power of s is no root.
    lowest = min(k for (k,), _ in terms)
    rows = {k - lowest: c for (k,), c in terms}
    stride = 0
    for (a, _), (b, _) in pairwise(sorted(rows.items())):
        stride = gcd(stride, b - a)
    # Exponents 0, stride and 2 stride at most: a quadratic in s^stride.
    if not stride or max(rows) // stride > 2:
        return []
    a, b, c = (rows.get(n * stride, sp.Integer(0)) for n in (2, 1, 0))
    if a == 0:
        powers = [-c / b]
    else:
        bend = sp.sqrt(b**2 - 4 * a * c)
        powers = [(-b + bend) / (2 * a), (-b - bend) / (2 * a)]
    # s^stride = p and x = s^q.
    return [p ** sp.Rational(q, stride) for p in powers]
