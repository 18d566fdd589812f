"""Free symbols of a statement, and expressions in them put back at numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import sympy as sp  # type: ignore[import-untyped, unused-ignore]
from mpmath import mp  # type: ignore[import-untyped, unused-ignore]
from sympy.printing.pycode import MpmathPrinter  # type: ignore[import-untyped, unused-ignore]

from bounds.bodies import precise
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


class _Printer(MpmathPrinter):  # type: ignore[misc]
    """Python over the namespace `precise`: what ranges over whole numbers is a call of its own."""

    def _ranged(self, name: str, expression: Any) -> str:
        term, (index, low, high) = expression.args
        body, first, last = (self._print(x) for x in (term, low, high))
        return f"{name}(lambda {self._print(index)}: {body}, {first}, {last})"

    def _print_Sum(self, expression: Any) -> str:
        return self._ranged("total", expression)

    def _print_Product(self, expression: Any) -> str:
        return self._ranged("product", expression)

    def _print_Greatest(self, expression: Any) -> str:
        return self._ranged("greatest", expression)

    def _print_Least(self, expression: Any) -> str:
        return self._ranged("least", expression)

    def _print_Iterated(self, expression: Any) -> str:
        step, state, start, n = map(self._print, expression.args)
        return f"orbit(lambda {state}: {step}, {start})[{n}]"

    def _print_Indexed(self, expression: Any) -> str:
        return f"{expression.base.label}[{self._print(expression.indices[0])}]"


def _argument(symbol: Symbol) -> Any:
    whole = symbol.kind in ("list", "hits")
    return sp.Symbol(symbol.name) if whole else free(symbol)


def _number(value: Any) -> Any:
    """An argument, exactly; hits are 0 where nothing was replaced."""
    number = precise.number(value)
    return defaultdict(int, number) if isinstance(number, dict) else number


_CALLED = {
    name: getattr(precise, name) for name in ("total", "product", "greatest", "least", "orbit")
}


def put_back(
    expression: Any, symbols: Mapping[str, Symbol], inputs: Mapping[str, Any], digits: int = 50
) -> Any:
    """The expression at validated inputs, an mpmath number computed with thrice the digits."""
    found = sp.sympify(expression)
    with mp.workdps(3 * digits):
        at = {name: _number(value) for name, value in inputs.items()}
        sizes = [len(v) for n, v in at.items() if symbols[n].kind == "list"]
        named = {_argument(symbols[n]): v for n, v in at.items()}
        if sizes:
            named[length(symbols)] = mp.mpf(sizes[0])
        printer = _Printer(
            {"fully_qualified_modules": False, "inline": True, "allow_unknown_functions": True}
        )
        called = {**_CALLED, "mu_star": cache(precise.mu_star)}
        function = sp.lambdify(list(named), found, modules=[called, "mpmath"], printer=printer)
        return +mp.mpmathify(function(*named.values()))
