"""Expressions as Python code in floats: `math`, mpmath for special functions, ours for the rest."""

import re
from collections.abc import Iterable
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]
from sympy.printing.pycode import PythonCodePrinter  # type: ignore[import-untyped, unused-ignore]

from bounds.namespaces.free import lengths
from bounds.statements import Statement

MODULES = ("functools", "math", "mpmath", "accounting.curves.gaussian", "bounds.namespaces.numeric")
"""What printed code may name, and has to import."""
FUNCTIONS = {
    "harmonic": "mpmath.harmonic",
    "polygamma": "mpmath.psi",
    "zeta": "mpmath.zeta",
    "uppergamma": "mpmath.gammainc",
    "binomial": "mpmath.binomial",
    "gamma": "mpmath.gamma",
    "loggamma": "mpmath.loggamma",
    "pochhammer": "mpmath.qp",
    "mu_star": "accounting.curves.gaussian.mu_gdp",
    "homogeneous": "bounds.namespaces.numeric.homogeneous",
}


def code(expression: Any, statement: Statement, arguments: Iterable[str] = ()) -> str:
    """The expression as one line of Python; lists are Python's, hits a mapping to counts.

    The length of a list is that of one which occurs, or is among `arguments`.
    """
    occurring = {str(entry.base.label) for entry in expression.atoms(sp.Indexed)}
    printer = _PythonPrinter(statement, (*arguments, *sorted(occurring)))
    return str(printer.doprint(expression))


def imports(text: str) -> list[str]:
    """The modules that a line of code names."""
    return [m for m in MODULES if re.search(rf"(?<![\w.]){re.escape(m)}\.", text)]


def program(name: str, arguments: tuple[str, ...], text: str) -> str:
    """A function that returns what the line of code says, without its imports."""
    return f"def {name}({', '.join(arguments)}):\n    return {text}"


class _PythonPrinter(PythonCodePrinter):  # type: ignore[misc]
    """Sums and extremes as comprehensions, orbits as folds; lists begin at 0, as Python's do."""

    def __init__(self, statement: Statement, lists: tuple[str, ...]) -> None:
        super().__init__({"fully_qualified_modules": True})
        self.kinds = {name: symbol.kind for name, symbol in statement.symbols.items()}
        known = lengths(statement.symbols).items()
        # The list that occurs comes last, and so decides where several lists have one length.
        self.counts = {str(n): name for name, n in sorted(known, key=lambda row: row[0] in lists)}

    def _print_Symbol(self, symbol: Any) -> str:
        if symbol.name in self.counts and symbol.name not in self.kinds:
            return f"len({self.counts[symbol.name]})"
        return str(super()._print_Symbol(symbol))

    def _print_Indexed(self, entry: Any) -> str:
        name, (index,) = entry.base.label.name, entry.indices
        if self.kinds.get(name) == "hits":
            return f"{name}.get({self._whole(index)}, 0)"
        # The papers' first entry is number 1.
        return f"{name}[{self._whole(index - 1)}]"

    def _whole(self, number: Any) -> str:
        text: str = self._print(number)
        return text if number.is_integer and not number.has(sp.Rational(1, 2)) else f"int({text})"

    def _each(self, name: str, term: Any, limits: Any, more: str = "") -> str:
        index, low, high = limits
        # Both ends count in a sum, and the upper one not in Python's range.
        ends = f"{self._whole(low)}, {self._whole(high + 1)}"
        return f"{name}(({self._print(term)} for {index} in range({ends})){more})"

    def _nested(self, name: str, node: Any) -> str:
        *outer, inner = reversed(node.limits)
        text = self._each(name, node.function, inner)
        for index, low, high in reversed(outer):
            ends = f"{self._whole(low)}, {self._whole(high + 1)}"
            text = f"{name}({text} for {index} in range({ends}))"
        return text

    def _print_Sum(self, node: Any) -> str:
        return self._nested("sum", node)

    def _print_Product(self, node: Any) -> str:
        return self._nested("math.prod", node)

    def _print_Greatest(self, node: Any) -> str:
        term, limits = node.args
        # A maximum over no term is -inf, as `bounds.namespaces` has it.
        return self._each("max", term, limits, ", default=-math.inf")

    def _print_Least(self, node: Any) -> str:
        term, limits = node.args
        return self._each("min", term, limits, ", default=math.inf")

    def _print_Iterated(self, node: Any) -> str:
        step, index, state, start, n = node.args
        fold = f"lambda {state}, {index}: {self._print(step)}"
        return f"functools.reduce({fold}, range(1, {self._whole(n)}), {self._print(start)})"

    def _print_log(self, node: Any) -> str:
        (x,) = node.args
        if x.is_Add and sp.S.One in x.args:  # keeps the digits of what is small beside 1
            return f"math.log1p({self._print(x - 1)})"
        return f"math.log({self._print(x)})"

    def _print_Add(self, node: Any, order: Any = None) -> str:
        exponential = next((term for term in node.args if isinstance(term, sp.exp)), None)
        # expm1 keeps the digits of e^x - 1 for small x.
        if exponential is None or sp.S.NegativeOne not in node.args:
            return str(super()._print_Add(node, order=order))
        rest = node - exponential + 1
        small = f"math.expm1({self._print(exponential.args[0])})"
        return small if rest == 0 else f"{small} + {self._print(rest)}"

    def _print_Heaviside(self, node: Any) -> str:
        return f"(1 if {self._print(node.args[0])} > 0 else 0)"

    def _print_Infinity(self, node: Any) -> str:
        return "math.inf"

    def _print_hyper(self, node: Any) -> str:
        upper, lower, z = node.args
        rows = (f"[{', '.join(map(self._print, row))}]" for row in (upper, lower))
        return f"mpmath.hyper({', '.join(rows)}, {self._print(z)})"

    def _print_Function(self, node: Any) -> str:
        name = type(node).__name__
        if name not in FUNCTIONS:
            return str(super()._print_Function(node))
        return f"{FUNCTIONS[name]}({', '.join(map(self._print, node.args))})"


for _name in FUNCTIONS:
    setattr(_PythonPrinter, f"_print_{_name}", _PythonPrinter._print_Function)
