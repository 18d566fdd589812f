"""What a statement's ranges and hypotheses say is >= 0, and its symbols in numbers >= 0."""

import inspect
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]

from bounds.algebra.cases import generic
from bounds.namespaces.free import free, lengths
from bounds.statements import Statement
from bounds.symbols import Symbol

LENGTH = Symbol("k", "length of a list", "k", kind="integer", low=1)


def facts(statement: Statement, name: str) -> Iterator[Any]:
    """What ranges and hypotheses say is >= 0, in the symbols of `generic`."""
    symbols = numbers(statement)
    for n, x in symbols.items():
        ranged = statement.symbols.get(n, LENGTH)
        low, high = ranged.low, ranged.high
        if low > -sp.oo:
            yield x - sp.Rational(low)
        if high < sp.oo:
            yield sp.Rational(high) - x
    for hypothesis in (*statement.requires, *statement.interpretation(name).where):
        if symbols.keys() >= set(hypothesis.names):
            # Symbols without assumptions, lest `generic` take a condition for granted.
            plain = {n: sp.Dummy(n, real=True) for n in hypothesis.names}
            try:
                condition = hypothesis.holds(**plain)
            except TypeError:
                continue  # on numbers only
            yield from implied(condition, {x: symbols[n] for n, x in plain.items()})
        for n, of in hypothesis.sets.items():
            if symbols.keys() >= (sources := {*inspect.signature(of).parameters}) | {n}:
                gap = symbols[n] - of(**{m: symbols[m] for m in sources})
                yield from (gap, -gap)


def numbers(statement: Statement) -> dict[str, Any]:
    """The numbers among the arguments, as `generic` has them."""
    numbers = {n: s for n, s in statement.symbols.items() if s.kind in ("real", "integer")}
    values = {n: generic(free(symbol)) for n, symbol in numbers.items()}
    return values | {str(k): generic(k) for k in lengths(statement.symbols).values()}


def lists(statement: Statement) -> dict[str, tuple[Any, Any]]:
    """The lists among the arguments, each with an entry as a function of numbers >= 0."""
    lists = {n: free(s) for n, s in statement.symbols.items() if s.kind == "list"}
    return {n: (base, ranged(base.label, statement.symbols[n])) for n, base in lists.items()}


def implied(condition: Any, meant: Mapping[Any, Any] = MappingProxyType({})) -> Iterator[Any]:
    """What is >= 0 where all parts of a condition hold, with symbols replaced by those meant."""
    for part in sp.And.make_args(condition) if isinstance(condition, sp.Basic) else ():
        if isinstance(part, sp.Ge | sp.Gt | sp.Le | sp.Lt):
            gap = (part.gts - part.lts).xreplace(dict(meant))
            # Whole numbers apart differ by 1 at least.
            yield gap - 1 if gap.is_integer and isinstance(part, sp.Gt | sp.Lt) else gap


def ranged(x: Any, symbol: Symbol) -> Any:
    """A number of the symbol's range as a function of numbers >= 0."""
    low = None if symbol.low == -sp.oo else sp.Rational(symbol.low)
    high = None if symbol.high == sp.oo else sp.Rational(symbol.high)
    return between(x, low, high)


def between(x: Any, low: Any, high: Any) -> Any:
    """A number between two as a function of one that is >= 0."""
    s = sp.Dummy(str(x), positive=True)
    if low is None:
        return x if high is None else high - s
    return low + s if high is None else (low + high * s) / (1 + s)
