"""Free symbols of a statement, and expressions in them put back at numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp  # type: ignore[import-untyped, unused-ignore]
from mpmath import mp  # type: ignore[import-untyped, unused-ignore]

from bounds.bodies import precise
from bounds.bodies.special import Greatest, Least
from bounds.symbols import Symbol

LENGTH = "k"
"""The name of the length of lists where no symbol of the statement has it."""


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


def length(symbols: Mapping[str, Symbol]) -> Any:
    """The symbol of the length of the lists among the symbols."""
    name = LENGTH if LENGTH not in symbols else "n_list"
    return sp.Symbol(name, integer=True, positive=True)


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
    found = sp.sympify(expression)
    plain = {n: exact(v) for n, v in inputs.items() if n not in lists}
    whole = {n: v for n, v in plain.items() if symbols[n].kind == "integer"}
    sizes = [len(v) for n, v in lists.items() if symbols[n].kind == "list"]
    if sizes:
        found = found.subs(length(symbols), sizes[0])
    found = found.subs({free(symbols[n]): v for n, v in whole.items()})
    found = _entries(found, symbols, lists)
    found = found.doit(deep=True) if found.has(sp.Sum, sp.Product, Greatest, Least) else found
    found = _entries(found, symbols, lists)
    rest = [n for n in plain if found.has(free(symbols[n]))]
    arguments = [free(symbols[n]) for n in rest]
    with mp.workdps(3 * digits):
        function = sp.lambdify(arguments, found, modules=[{"mu_star": precise.mu_star}, "mpmath"])
        return +mp.mpmathify(function(*(precise.number(inputs[n]) for n in rest)))


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
