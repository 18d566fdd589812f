"""Free symbols of a statement, and expressions in them put back at numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import sympy as sp  # type: ignore[import-untyped, unused-ignore]
from mpmath import mp  # type: ignore[import-untyped, unused-ignore]

from bounds.bodies import numeric, precise
from bounds.bodies.special import Greatest, Least
from bounds.symbols import Symbol


def free(symbol: Symbol) -> Any:
    """The sympy symbol with the assumptions that its range allows; a list is an `IndexedBase`."""
    if symbol.kind in ("list", "hits"):
        return sp.IndexedBase(symbol.name, real=True)
    positive = symbol.low > 0 or (symbol.low == 0 and symbol.low_open) or None
    nonnegative = symbol.low >= 0 or None
    whole = (symbol.kind == "integer" and not symbol.infinite) or None
    return sp.Symbol(
        symbol.name, real=True if not symbol.infinite else None, extended_real=True, integer=whole,
        extended_positive=positive, extended_nonnegative=nonnegative,
    )  # fmt: skip


def lengths(symbols: Mapping[str, Symbol]) -> dict[str, Any]:
    """The symbols of the lengths of the lists, by the lists' names."""
    lists = {name: symbol.length for name, symbol in symbols.items() if symbol.kind == "list"}
    apart = {name: f"n_{x}" if x in symbols else x for name, x in lists.items()}
    return {name: sp.Symbol(x, integer=True, positive=True) for name, x in apart.items()}


def exact(value: Any) -> Any:
    """An argument as the exact rational of its float; lists and hits entry by entry."""
    if isinstance(value, dict):
        return {j: sp.Integer(size) for j, size in value.items()}
    if np.ndim(value) == 1:
        return [sp.Rational(float(v)) for v in value]
    number = float(value)
    return sp.oo if np.isinf(number) else sp.Rational(number)


def put_back(
    expression: Any, symbols: Mapping[str, Symbol], inputs: Mapping[str, Any], digits: int = 50
) -> Any:
    """The expression at validated inputs, an mpmath number computed with thrice the digits."""
    lists = {n: v for n, v in inputs.items() if symbols[n].kind in ("list", "hits")}
    with mp.workdps(3 * digits):
        place = {free(symbols[n]): precise.number(v) for n, v in inputs.items() if n not in lists}
        sizes = lengths(symbols)
        place |= {sizes[n]: mp.mpf(len(v)) for n, v in lists.items() if n in sizes}
        return +mp.mpmathify(_evaluator(sp.sympify(expression), lists)(place))


Evaluator = Callable[[Mapping[Any, Any]], Any]
_RANGED = {sp.Sum: mp.fsum, sp.Product: mp.fprod, Greatest: max, Least: min}
"""What is taken term by term: sympy expands it, and knows it not in mpmath."""


def _evaluator(expression: Any, lists: Mapping[str, Any]) -> Evaluator:
    """The expression as a function of the numbers of its symbols."""
    inner = {part: sp.Dummy() for part in _outermost(expression)}
    parts = {dummy: _taken_apart(part, lists) for part, dummy in inner.items()}
    plain = expression.xreplace(inner)
    arguments = sorted(plain.free_symbols, key=str)
    function = sp.lambdify(arguments, plain, modules=[{"mu_star": precise.mu_star}, "mpmath"])
    return lambda at: function(*(parts[a](at) if a in parts else at[a] for a in arguments))


def _outermost(expression: Any) -> Iterator[Any]:
    """Sums, products, extremes and entries of lists that are in no other."""
    if isinstance(expression, (*_RANGED, sp.Indexed)):
        yield expression
    else:
        for argument in expression.args:
            yield from _outermost(argument)


def _taken_apart(part: Any, lists: Mapping[str, Any]) -> Evaluator:
    """A sum, product, extreme or entry as a function of the numbers of its symbols."""
    if isinstance(part, sp.Indexed):
        values, number = lists[str(part.base.label)], _evaluator(part.indices[0], lists)
        if isinstance(values, dict):
            return lambda at: mp.mpf(values.get(int(number(at)), 0))
        entries = numeric.Listed(values)
        return lambda at: mp.mpf(float(entries[number(at)]))
    inside, (index, low, high) = part.args
    term, first, last = (_evaluator(x, lists) for x in (inside, low, high))

    def value(at: Mapping[Any, Any]) -> Any:
        rows = range(int(first(at)), int(last(at)) + 1)
        return _RANGED[type(part)]([term({**at, index: mp.mpf(i)}) for i in rows])

    return value
