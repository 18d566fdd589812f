"""Expressions as a person reads them: text, LaTeX in the paper's letters, Unicode, Python."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]
from sympy.printing.latex import LatexPrinter  # type: ignore[import-untyped, unused-ignore]

from bounds.algebra.code import code
from bounds.statements import Statement

STYLES = ("text", "latex", "unicode", "python")


@dataclass(frozen=True)
class ShownAnswer:
    """An expression and the conditions under which it holds, in the same letters.

    letters: what each letter stands for, such as "c = 1 - eta*m"; empty where none is used.
    """

    expression: str
    where: tuple[str, ...]
    letters: tuple[str, ...]


def shown_answer(
    expression: Any, where: Iterable[Any], statement: Statement, style: str = "text"
) -> ShownAnswer | None:
    """The expression with its conditions; None where one of them holds for no numbers.

    A condition that always holds is left out. style: "text" or "latex".
    """
    together, letters = _lettered(sp.Tuple(expression, *where))
    short, *conditions = together
    # With a letter for a positive sum sympy decides more of them.
    if sp.false in conditions:
        return None
    definitions = [sp.Eq(letter, base, evaluate=False) for letter, base in letters.items()]
    write = _latex(statement) if style == "latex" else _text
    return ShownAnswer(
        write(short),
        tuple(write(condition) for condition in conditions if condition != sp.true),
        tuple(write(definition) for definition in definitions),
    )


def shown(
    expression: Any, statement: Statement, style: str = "text", arguments: tuple[str, ...] = ()
) -> str:
    """The expression in one of `STYLES`; sums that are raised to powers get a letter at the end.

    Python code is one line that names its modules (`code.imports`); the other styles write c for
    1 - eta m, and say so.  `arguments` are those of the form, among them the lists whose lengths
    code asks for.
    """
    if style == "python":
        return code(expression, statement, arguments)
    short, letters = _lettered(expression)
    parts = [short, *(sp.Eq(letter, base, evaluate=False) for letter, base in letters.items())]
    if style == "unicode":
        return "\n\n".join(sp.pretty(part, use_unicode=True, order="none") for part in parts)
    if style == "latex":
        return r",\quad ".join(map(_latex(statement), parts))
    return ", ".join(map(_text, parts))


def _text(part: Any) -> str:
    if isinstance(part, sp.Eq):
        return " = ".join(sp.sstr(side, order="none") for side in part.args)
    return str(sp.sstr(part, order="none"))


def _latex(statement: Statement) -> Callable[[Any], str]:
    """Writes expressions in the paper's letters."""
    lists = {name for name, symbol in statement.symbols.items() if symbol.kind == "list"}
    names = {
        name: _stem(symbol.tex) if name in lists else symbol.tex
        for name, symbol in statement.symbols.items()
    }
    return _Latex(names).doprint  # type: ignore[no-any-return]


def _stem(tex: str) -> str:
    """The TeX of a list before its own subscript, which the index of an entry takes the place of.

    A subscript inside braces belongs to the name.
    """
    depth = 0
    for place, sign in enumerate(tex):
        depth += (sign == "{") - (sign == "}")
        # Depth 0: a subscript in braces belongs to the name.
        if sign == "_" and not depth:
            return tex[:place]
    return tex


def _lettered(expression: Any) -> tuple[Any, dict[Any, Any]]:
    """The expression with a letter for every sum below a symbolic power."""
    bases = {
        p.base
        for p in expression.atoms(sp.Pow)
        if p.base.is_Add and not p.exp.is_number and not p.base.has(sp.Indexed)
    }
    symbol_names = {str(s) for s in expression.free_symbols}
    # The papers' letter for 1 - eta m, unless the expression uses it.
    names = (n for n in ("c", *(f"c_{i}" for i in range(1, 99))) if n not in symbol_names)
    letters = {sp.Symbol(next(names), positive=True): base for base in sp.ordered(bases)}
    return expression.xreplace({base: letter for letter, base in letters.items()}), letters


class _Latex(LatexPrinter):  # type: ignore[misc]
    """LaTeX with the symbols as the paper prints them."""

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__({"order": "none"})
        self.names = names

    def _print_Symbol(self, symbol: Any, style: str = "plain") -> str:
        if symbol.name in self.names:
            return self.names[symbol.name]
        return str(super()._print_Symbol(symbol, style))
