"""Signs of expressions in numbers >= 0, seen from their factors."""

import math
import operator
from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]

NEGLIGIBLE = 1e-9  # of the sizes summed: less is rounding


def resists(expression: Any) -> Any:
    """None where the expression is seen to be >= 0; else the factor without a sign, or itself.

    Its symbols stand for numbers that their assumptions describe. Every factor of the numerator and
    of the denominator has to be an even power, or a sum of squares and of terms of one sign.
    """
    if expression is sp.oo:
        return None
    roots: dict[Any, Any] = {}
    plain = _rational(_rooted(expression), roots)
    if expression.has(sp.oo, -sp.oo) or plain.has(sp.nan, sp.zoo):
        return expression
    sign = sp.Integer(1)
    for constant, factors in _factored(plain, roots):
        sign *= sp.sign(constant)
        for factor, times in factors:
            side = 1 if times % 2 == 0 else _side(factor)
            if side == 0:
                return factor
            sign *= side
    return None if sign in (0, 1) else expression


def value(expression: Any, at: Mapping[Any, float]) -> tuple[float, float] | None:
    """Its value in floats with the size of what was summed; None where no float tells."""
    try:
        estimate = _value(expression, at)
        return estimate if math.isfinite(estimate[1]) else None
    except (KeyError, ArithmeticError, ValueError, TypeError):
        return None


def _value(node: Any, at: Mapping[Any, float]) -> tuple[float, float]:
    if node.is_Symbol:
        return at[node], at[node]
    if node.is_Rational:
        return node.p / node.q, abs(node.p / node.q)
    if node.is_Add:
        values = [_value(part, at) for part in node.args]
        return math.fsum(v for v, _ in values), math.fsum(size for _, size in values)
    if node.is_Mul:
        product, size = 1.0, 1.0
        for part in node.args:
            v, s = _value(part, at)
            product, size = product * v, size * s
        return product, size
    if node.is_Pow:
        (v, s), (n, _) = (_value(part, at) for part in node.args)
        return v**n, s**n if n > 0 else v**n * s / v
    function = {sp.exp: math.exp, sp.log: math.log}[node.func]
    v, _ = _value(node.args[0], at)
    return function(v), abs(function(v)) + 1


def _rooted(expression: Any) -> Any:
    """Numbers of which there are roots replaced by powers of others."""
    for s in expression.free_symbols:
        powers = [p.exp for p in expression.atoms(sp.Pow) if p.base == s and p.exp.is_Rational]
        if (n := math.lcm(1, *(int(e.q) for e in powers))) > 1:
            expression = expression.subs(s, s**n)
    return expression


def _rational(expression: Any, table: dict[Any, Any]) -> Any:
    """The expression with a symbol for each part that no rational function is made of."""
    if expression.is_Rational or expression.is_Symbol:
        return expression
    if expression.is_Add or expression.is_Mul:
        return expression.func(*(_rational(part, table) for part in expression.args))
    times = sp.Integer(1)
    if expression.is_Pow and expression.exp.is_Rational:
        times = sp.Integer(expression.exp.p)
        expression = sp.root(expression.base, expression.exp.q)
    if expression.is_Add or expression.is_Mul or expression.is_Symbol:
        return _rational(expression, table) ** times
    if expression not in table:
        sign = {"positive": True} if expression.is_nonnegative else {"real": True}
        table[expression] = sp.Dummy(f"part{len(table)}", **sign)
    return table[expression] ** times


def _reduced(part: Any, table: dict[Any, Any]) -> Any:
    """The polynomial with squares and higher powers of roots carried out."""
    for root, x in reversed([*table.items()]):
        if root.is_Pow and root.exp.is_Rational and part.has(x):
            base = _rational(root.base, table)
            if sp.denom(sp.together(base)) == 1:
                q, rows = root.exp.q, sp.Poly(part, x).all_terms()
                part = sp.expand(sum(c * base ** (n // q) * x ** (n % q) for (n,), c in rows))
    return part


def _factored(plain: Any, table: dict[Any, Any]) -> Iterator[tuple[Any, list[tuple[Any, int]]]]:
    """Numerator and denominator of a rational function, each as a number and its factors.

    Sparse polynomials all the way: what `sympy.cancel` and `sympy.factor_list` do to expressions.
    """
    symbols = sorted(plain.free_symbols, key=sp.default_sort_key)
    if not symbols:
        yield plain, []
        return
    field = sp.QQ.frac_field(*symbols).field
    quotient = _element(plain, dict(zip(symbols, field.gens, strict=True)), field)
    rooted = any(root.is_Pow and root.exp.is_Rational for root in table)
    for part in (quotient.numer, quotient.denom):
        if sign := _plain_sign(part, symbols):
            yield sp.Integer(sign), []
        elif rooted:
            yield sp.factor_list(_reduced(part.as_expr(), table))
        else:
            constant, factors = part.factor_list()
            yield sp.QQ.to_sympy(constant), [(f.as_expr(), times) for f, times in factors]


def _plain_sign(part: Any, symbols: list[Any]) -> int:
    """The sign that all terms of a sparse polynomial have; 0 where they differ or may.

    Most have one, and need no factors.
    """
    signs = {1 if c > 0 else -1 for c in part.values()}
    odd = (s for i, s in enumerate(symbols) if any(row[i] % 2 for row in part))
    return signs.pop() if len(signs) == 1 and all(s.is_nonnegative for s in odd) else 0


def _element(node: Any, at: dict[Any, Any], field: Any) -> Any:
    """The expression as a fraction of polynomials, without common factors."""
    if node not in at:
        if node.is_Rational:
            return field(sp.QQ(node.p, node.q))
        if node.is_Pow:
            return _element(node.base, at, field) ** int(node.exp)
        join = operator.add if node.is_Add else operator.mul
        at[node] = reduce(join, (_element(part, at, field) for part in node.args))
    return at[node]


def _side(factor: Any) -> int:
    """The sign of a polynomial in numbers >= 0; 0 where none is seen."""
    poly = sp.Poly(factor)
    even = [all(row[i] % 2 == 0 for row in poly.monoms()) for i in range(len(poly.gens))]
    if not all(e or g.is_nonnegative for e, g in zip(even, poly.gens, strict=True)):
        return 0
    if not all(c.is_Rational for c in poly.coeffs()):
        signs = {sp.sign(c) for c in poly.coeffs()}
        return int(signs.pop()) if len(signs) == 1 and signs <= {1, -1} else 0
    return next((s for s in (1, -1) if _squares(s * poly)), 0)


def _squares(poly: Any) -> bool:
    """Whether no coefficient is negative, or each is outweighed: p A + q B >= 2 sqrt(p q A B).

    A and B are terms with positive coefficients and AB the square of the negative one's; each
    positive coefficient is spent once, half and half where that is enough.
    """
    coefficients = {row: c for row, c in poly.terms() if c > 0}
    for row, c in poly.terms():
        for a in [*coefficients] if c < 0 else ():
            b = tuple(2 * n - m for n, m in zip(row, a, strict=True))
            if a >= b or b not in coefficients:
                continue
            cost = min(
                coefficients[a],
                max(-c / 2, c**2 / (4 * coefficients[b]) if coefficients[b] else -c),
            )
            other = c**2 / (4 * cost) if cost else coefficients[b] + 1
            if other <= coefficients[b]:
                coefficients[a], coefficients[b], c = (
                    coefficients[a] - cost,
                    coefficients[b] - other,
                    0,
                )
                break
        if c < 0:
            return False
    return True
