"""Formulas: one claim's mathematics in its printed, corrected and tight forms.

A form is kept as three artefacts of one formula: `tex` (as printed, for the reader), `value` (a
numpy function, the product) and `expr` (sympy, evaluated with 50 digits as the oracle of `value`).
Calling a form checks every argument and every hypothesis first, and never returns NaN.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bounds.symbols import Symbol

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Requirement:
    """A hypothesis that ties several arguments together, such as eta <= 1/L."""

    text: str
    holds: Callable[..., Any]

    def names(self) -> tuple[str, ...]:
        return tuple(inspect.signature(self.holds).parameters)

    def check(self, inputs: Mapping[str, Any]) -> None:
        """Raises ValueError with the values when the hypothesis fails anywhere."""
        names = self.names()
        if not set(names) <= inputs.keys():
            return
        try:
            with np.errstate(all="ignore"):
                held = np.all(self.holds(**{name: inputs[name] for name in names}))
        except ValueError as error:
            shapes = ", ".join(f"{name} {np.shape(inputs[name])}" for name in names)
            raise ValueError(f"shapes must broadcast together, got {shapes}") from error
        if not held:
            values = ", ".join(f"{name} = {_plain(inputs[name])}" for name in names)
            raise ValueError(f"{names[0]} must satisfy {self.text}, got {values}")


@dataclass
class Form:
    """One form of a formula; call it with keyword arguments named as in `formula.symbols`."""

    formula: Formula
    name: str
    tex: str
    value: Callable[..., Any]
    note: str = ""
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
        symbols = self.formula.symbols
        if unknown := sorted(set(inputs) - symbols.keys()):
            raise ValueError(
                f"{unknown[0]} is not an argument of {self.formula.id}; "
                f"its arguments are {', '.join(symbols)}"
            )
        missing = [a for a in self.arguments if a not in inputs and a not in self.optional]
        if missing:
            raise ValueError(
                f"{missing[0]} is missing: {self.formula.id} ({self.name}) needs "
                f"{', '.join(f'{a} ({symbols[a].range()})' for a in self.arguments)}"
            )
        checked = {name: symbols[name].validate(value) for name, value in inputs.items()}
        for requirement in self.formula.requires:
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
                f"{self.formula.id} ({self.name}) leaves the range of floats at {_show(arguments)}"
            ) from error
        except ValueError as error:
            raise ValueError(
                f"{self.formula.id} ({self.name}) has no value at {_show(arguments)}: {error}"
            ) from error
        except TypeError as error:
            lists = [a for a in arguments if self.formula.symbols[a].kind != "list"]
            if many := [a for a in lists if np.ndim(arguments[a])]:
                raise ValueError(
                    f"{many[0]} must be a single number in {self.formula.id} ({self.name}), "
                    f"got {_plain(arguments[many[0]])}"
                ) from error
            raise
        if np.isnan(result).any():
            raise ValueError(f"{self.formula.id} ({self.name}) is undefined at {_show(arguments)}")
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
            raise ValueError(f"{self.formula.id} ({self.name}) has no symbolic form")
        arguments = {name: _rational(sympy, v) for name, v in self.validate(inputs).items()}
        value = sympy.sympify(self.expr(sympy, **arguments))
        return value.evalf(digits, maxn=20 * digits)


class Formula:
    """The mathematics of one claim: its arguments, hypotheses, and forms.

    Args:
        id: identifier, `paper.label` in lower case.
        label: the paper's own name for it ("Lemma 3.4").
        left: TeX of the quantity that the forms bound or equal.
        symbols: every argument that some form takes.
        requires: hypotheses between arguments.
    """

    def __init__(
        self,
        id: str,
        label: str,
        left: str,
        symbols: tuple[Symbol, ...],
        requires: tuple[Requirement, ...] = (),
    ) -> None:
        self.id = id
        self.label = label
        self.left = left
        self.symbols = {symbol.name: symbol for symbol in symbols}
        self.requires = requires
        self.forms: dict[str, Form] = {}

    def form(self, name: str, *, tex: str, note: str = "") -> Callable[[Callable[..., Any]], Form]:
        """Decorator: makes a numpy function the form `name` of this formula.

        `note` says in one line what sets the form apart (what was repaired, who attains it).
        """

        def register(value: Callable[..., Any]) -> Form:
            created = Form(self, name, tex, value, note)
            if unknown := set(created.arguments) - self.symbols.keys():
                raise TypeError(f"{self.id}: no symbol for {sorted(unknown)}")
            self.forms[name] = created
            return created

        return register

    def __getitem__(self, name: str) -> Form:
        if not isinstance(name, str) or name not in self.forms:
            raise ValueError(f"form must be one of {', '.join(self.forms)}, got {name!r}")
        return self.forms[name]

    def __call__(self, form: str, **inputs: Any) -> Array:
        return self[form](**inputs)

    def __repr__(self) -> str:
        return f"Formula({self.id!r}, forms={list(self.forms)})"


def _rational(sympy: Any, value: Any) -> Any:
    if isinstance(value, dict):
        return {k: sympy.Integer(v) for k, v in value.items()}
    if np.ndim(value) == 1:
        return [sympy.Rational(float(v)) for v in value]
    number = float(value)
    return sympy.oo if np.isinf(number) else sympy.Rational(number)


def _plain(value: Any) -> str:
    array = np.asarray(value)
    return f"{float(array):g}" if array.ndim == 0 and array.dtype != object else str(value)


def _show(arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_plain(value)}" for name, value in arguments.items())
