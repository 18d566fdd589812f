"""Forms: one formula of a statement, as printed, corrected, or tight.

A form is kept as three artefacts of one formula: `tex` (as printed, for the reader), `value` (a
numpy function, the product) and `expr` (sympy, evaluated with 50 digits as the oracle of `value`).
Calling a form checks every argument and every hypothesis first, and never returns NaN.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bounds.hypotheses import plain

if TYPE_CHECKING:
    from bounds.statements import Statement

Array = NDArray[np.float64]


@dataclass
class Form:
    """One form of a statement; call it with keyword arguments named as in `statement.symbols`."""

    statement: Statement
    name: str
    tex: str
    value: Callable[..., Any]
    note: str = ""
    reads: Mapping[str, str] = field(default_factory=dict)
    expr: Callable[..., Any] | None = None
    arguments: tuple[str, ...] = field(init=False)
    optional: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        parameters = inspect.signature(self.value).parameters
        self.arguments = tuple(parameters)
        self.optional = frozenset(
            name for name, p in parameters.items() if p.default is not inspect.Parameter.empty
        )
        self.__doc__ = self.value.__doc__

    def validate(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Checks names, ranges and joint hypotheses; returns the arguments this form takes."""
        symbols = self.statement.symbols
        if unknown := sorted(set(inputs) - symbols.keys()):
            raise ValueError(
                f"{unknown[0]} is not an argument of {self.statement.id}; "
                f"its arguments are {', '.join(symbols)}"
            )
        missing = [a for a in self.arguments if a not in inputs and a not in self.optional]
        if missing:
            raise ValueError(
                f"{missing[0]} is missing: {self.statement.id} ({self.name}) needs "
                f"{', '.join(f'{a} ({symbols[a].range()})' for a in self.arguments)}"
            )
        checked = {name: symbols[name].validate(value) for name, value in inputs.items()}
        for requirement in self.statement.requires:
            requirement.check(checked)
        return {name: checked[name] for name in self.arguments if name in checked}

    def __call__(self, **inputs: Any) -> Array:
        """Value of the form, broadcast over array arguments.

        Raises ValueError naming the argument for anything outside the hypotheses.
        """
        arguments = self.validate(inputs)
        try:
            with np.errstate(all="ignore"):
                result = np.asarray(self.value(**arguments), dtype=np.float64)
        except (OverflowError, ZeroDivisionError) as error:
            raise ValueError(
                f"{self.statement.id} ({self.name}) leaves the range of floats at "
                f"{_show(arguments)}"
            ) from error
        except ValueError as error:
            raise ValueError(
                f"{self.statement.id} ({self.name}) has no value at {_show(arguments)}: {error}"
            ) from error
        except TypeError as error:
            lists = [a for a in arguments if self.statement.symbols[a].kind != "list"]
            if many := [a for a in lists if np.ndim(arguments[a])]:
                raise ValueError(
                    f"{many[0]} must be a single number in {self.statement.id} ({self.name}), "
                    f"got {plain(arguments[many[0]])}"
                ) from error
            raise
        if np.isnan(result).any():
            raise ValueError(
                f"{self.statement.id} ({self.name}) is undefined at {_show(arguments)}"
            )
        return result

    def expression(self, decorated: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: registers the sympy form; it receives the sympy module, then the arguments."""
        self.expr = decorated
        return decorated

    def exact(self, digits: int = 50, **inputs: Any) -> Any:
        """The form at scalar inputs with `digits` digits (an mpmath number), from `expr`.

        The inputs are taken as the exact rational values of the given floats.
        """
        import sympy  # type: ignore[import-untyped, unused-ignore]

        if self.expr is None:
            raise ValueError(f"{self.statement.id} ({self.name}) has no symbolic form")
        arguments = {name: _rational(sympy, v) for name, v in self.validate(inputs).items()}
        value = sympy.sympify(self.expr(sympy, **arguments))
        return value.evalf(digits, maxn=20 * digits)


def _rational(sympy: Any, value: Any) -> Any:
    if isinstance(value, dict):
        return {k: sympy.Integer(v) for k, v in value.items()}
    if np.ndim(value) == 1:
        return [sympy.Rational(float(v)) for v in value]
    number = float(value)
    return sympy.oo if np.isinf(number) else sympy.Rational(number)


def _show(arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {plain(value)}" for name, value in arguments.items())
