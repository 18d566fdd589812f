"""Free symbols of a statement, and the values of expressions in them by substitution."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]
from mpmath import mp  # type: ignore[import-untyped, unused-ignore]
from sympy.printing.pycode import (  # type: ignore[import-untyped, unused-ignore]
    MpmathPrinter,
)

from bounds.namespaces import precise
from bounds.namespaces.special import FUNCTIONS
from bounds.namespaces.symbolic import Symbolic
from bounds.symbols import Symbol


def free(symbol: Symbol) -> Any:
    """The sympy symbol with the assumptions that its range allows; a list is an `IndexedBase`."""
    if symbol.kind in ("list", "hits"):
        return sp.IndexedBase(symbol.name, real=True)
    positive = symbol.low > 0 or (symbol.low == 0 and symbol.low_open) or None
    nonnegative = symbol.low >= 0 or None
    # Infinity is no whole number for sympy: a count that may be infinite is extended real only.
    whole = (symbol.kind == "integer" and not symbol.infinite) or None
    return sp.Symbol(
        symbol.name,
        real=True if not symbol.infinite else None,
        extended_real=True,
        integer=whole,
        extended_positive=positive,
        extended_nonnegative=nonnegative,
    )


def lengths(symbols: Mapping[str, Symbol]) -> dict[str, Any]:
    """The symbols of the lengths of the lists, by the lists' names."""
    lists = {name: symbol.length for name, symbol in symbols.items() if symbol.kind == "list"}
    # A length k is another symbol than an argument k of the same statement.
    apart = {name: f"n_{x}" if x in symbols else x for name, x in lists.items()}
    return {name: sp.Symbol(x, integer=True, positive=True) for name, x in apart.items()}


@lru_cache(maxsize=1024)
def expression(
    formula: Callable[..., Any], arguments: tuple[str, ...], symbols: tuple[tuple[str, Symbol], ...]
) -> Any:
    """A formula over the free symbols of its arguments, among those of its statement."""
    table = dict(symbols)
    namespace = Symbolic(table, lengths(table))
    return sp.sympify(formula(namespace, **{name: free(table[name]) for name in arguments}))


def substitute(
    expression: Any, symbols: Mapping[str, Symbol], inputs: Mapping[str, Any], digits: int = 50
) -> Any:
    """The expression at validated inputs, or mpmath numbers (`precise.settled`)."""
    taken, function = compiled(sp.sympify(expression))
    numbers = {name: _number(value) for name, value in inputs.items()}
    for name, length in lengths(symbols).items():
        if name in numbers:
            numbers[str(length)] = mp.mpf(len(numbers[name]))
    return precise.settled(lambda: function(*(numbers[str(x)] for x in taken)), digits)


def _number(value: Any) -> Any:
    """An argument of `precise`; of hits, 0 where nothing was replaced."""
    if isinstance(value, dict):
        return defaultdict(int, value)
    return value if isinstance(value, mp.mpf) else precise.number(value)


class _PrecisePrinter(MpmathPrinter):  # type: ignore[misc]
    """Sums, products and extremes as those of `precise`, which count and do not manipulate."""

    def _ranged(self, name: str, term: Any, *limits: Any) -> str:
        text: str = self._print(term)
        for index, low, high in limits:
            ends = f"{self._print(low)}, {self._print(high)}"
            text = f"{name}(lambda {self._print(index)}: {text}, {ends})"
        return text

    def _print_Sum(self, expression: Any) -> str:
        return self._ranged("total", expression.function, *expression.limits)

    def _print_Product(self, expression: Any) -> str:
        return self._ranged("product", expression.function, *expression.limits)

    def _print_Greatest(self, expression: Any) -> str:
        return self._ranged("greatest", *expression.args)

    def _print_Least(self, expression: Any) -> str:
        return self._ranged("least", *expression.args)

    def _print_Iterated(self, expression: Any) -> str:
        step, index, state, start, n = map(self._print, expression.args)
        return f"orbit(lambda {index}, {state}: {step}, {start})[{n}]"

    def _print_ComplexInfinity(self, expression: Any) -> str:
        return "nan"  # one over 0, of no sign: no real value

    def _print_Function(self, expression: Any) -> str:
        arguments = ", ".join(map(self._print, expression.args))
        return f"{type(expression).__name__}({arguments})"


@lru_cache(maxsize=1024)
def compiled(expression: Any) -> tuple[tuple[Any, ...], Callable[..., Any]]:
    """The expression over mpmath, and the symbols that it takes; lists are numbered from 1."""
    symbols = (s for s in expression.free_symbols if isinstance(s, sp.Symbol))
    taken = tuple(sorted(symbols, key=str))
    names = ("total", "product", "greatest", "least", "orbit", *(f.__name__ for f in FUNCTIONS))
    ours = {name: getattr(precise, name) for name in names}
    # sympy hands Heaviside its value at 0 along; ours is always 0 there.
    ours["Heaviside"] = lambda x, _: precise.step(x)
    printer = _PrecisePrinter(
        {"fully_qualified_modules": False, "inline": True, "allow_unknown_functions": True}
    )
    return taken, sp.lambdify(taken, expression, [ours, "mpmath"], printer=printer)
