"""Free symbols of a statement, and expressions in them put back at numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import sympy as sp  # type: ignore[import-untyped, unused-ignore]

from bounds.bodies import precise
from bounds.bodies.special import Greatest, Least
from bounds.symbols import Symbol

_JOINED = {sp.Sum: sp.Add, sp.Product: sp.Mul, Greatest: sp.Max, Least: sp.Min}


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
    """The expression at validated inputs, an mpmath number (`precise.settled`)."""
    lists = {n: v for n, v in inputs.items() if symbols[n].kind in ("list", "hits")}
    found = sp.sympify(expression)
    plain = {n: exact(v) for n, v in inputs.items() if n not in lists}
    whole = {n: v for n, v in plain.items() if symbols[n].kind == "integer"}
    sizes = {size: len(lists[n]) for n, size in lengths(symbols).items() if n in lists}
    found = found.subs(sizes)
    found = found.subs({free(symbols[n]): v for n, v in whole.items()})
    found = _written_out(found, lambda term: _entries(term, symbols, lists))
    rest = [n for n in plain if found.has(free(symbols[n]))]
    arguments = [free(symbols[n]) for n in rest]
    function = sp.lambdify(arguments, found, modules=[{"mu_star": precise.mu_star}, "mpmath"])
    return precise.settled(lambda: function(*(precise.number(inputs[n]) for n in rest)), digits)


def _written_out(expression: Any, entered: Callable[[Any], Any]) -> Any:
    """The sums, products and extremes within, term by term, from outside in.

    `entered` puts in the entries of lists, known once the indices around them are numbers.
    """
    expression = entered(expression)
    if not expression.has(*_JOINED):
        return expression
    if type(expression) not in _JOINED:
        parts = (_written_out(part, entered) for part in expression.args)
        return expression.func(*parts)
    term, (index, low, high) = expression.args
    low, high = (_written_out(end, entered) for end in (low, high))
    if not (low.is_Integer and high.is_Integer):
        return expression.doit()
    rows = (term.xreplace({index: sp.Integer(i)}) for i in range(int(low), int(high) + 1))
    return _JOINED[type(expression)](*(_written_out(row, entered) for row in rows))


def _entries(expression: Any, symbols: Mapping[str, Symbol], lists: Mapping[str, Any]) -> Any:
    """The expression with the entries of lists at numbered places."""
    table = {}
    for entry in expression.atoms(sp.Indexed):
        name, (at,) = str(entry.base.label), entry.indices
        if name not in lists or not at.is_Integer:
            continue
        values, i = lists[name], int(at)
        number = values.get(i, 0) if isinstance(values, dict) else values[i - 1]
        table[entry] = sp.Rational(float(number))
    return expression.xreplace(table)
