"""Forms: one formula of a statement, as printed, corrected, or tight.

A form is its `tex` (as printed, for the reader) and one formula over a namespace
(`bounds.namespaces`), which gives floats, any number of digits, and an expression in free symbols.
What it says in words is the docstring of the formula (`bounds.docstrings`).  Calling a form checks
every argument and every hypothesis first, and never returns NaN.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

import bounds.units as derivation
from bounds.docstrings import FormText, with_arguments
from bounds.hypotheses import Hypothesis, plain
from bounds.namespaces import numeric
from bounds.units.operands import StatementLike

if TYPE_CHECKING:
    from bounds.units import Units

Array = NDArray[np.float64]


class Sentence(StatementLike, Protocol):
    """The statement of a form, as the form knows it, and who comes to it from the form."""

    @property
    def id(self) -> str: ...
    @property
    def paper(self) -> str: ...
    @property
    def left(self) -> str: ...
    @property
    def requires(self) -> tuple[Hypothesis, ...]: ...
    @property
    def reads(self) -> Mapping[str, str]: ...
    @property
    def forms(self) -> Mapping[str, Form]: ...


@dataclass(eq=False)
class Form:
    """One form of a statement; call it with keyword arguments named as in `statement.symbols`.

    Attributes:
        formula: called with a namespace and the arguments; None for what is an algorithm
            on floats.
        value: the numpy function: the formula, or a float implementation registered by `numeric`.
        text: what the docstring of the formula says.
        because: why the form is no expression in free symbols; empty where it is one.
    """

    statement: Sentence
    name: str
    tex: str
    value: Callable[..., Any]
    text: FormText = field(default_factory=FormText)
    because: str = ""
    reads: Mapping[str, str] = field(default_factory=dict)
    expr: Callable[..., Any] | None = field(init=False, default=None)
    formula: Any = field(init=False, default=None)
    has_float_implementation: bool = field(init=False, default=False)
    arguments: tuple[str, ...] = field(init=False)
    optional: frozenset[str] = field(init=False)
    defaults: dict[str, Array] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        signature = inspect.signature(self.value)
        parameters = dict(signature.parameters)
        if next(iter(parameters), "") == "xp":
            del parameters["xp"]
            full_signature = signature.replace(parameters=list(parameters.values()))
            # The formula stays as it is; what is called is the same over arrays.
            self.formula, self.value = (
                self.value,
                _on_arrays(self.value, full_signature, self._lists()),
            )
            self.expr = _on_expressions(self.formula)
            self.defaults = {
                name: np.asarray(p.default, dtype=np.float64)
                for name, p in parameters.items()
                if p.default is not inspect.Parameter.empty
            }
        self.arguments = tuple(parameters)
        self.optional = frozenset(
            name for name, p in parameters.items() if p.default is not inspect.Parameter.empty
        )

    @property
    def note(self) -> str:
        """What sets the form apart, in one line."""
        return self.text.note

    def _lists(self) -> frozenset[str]:
        return frozenset(n for n, s in self.statement.symbols.items() if s.kind == "list")

    def numeric(self, decorated: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: a numpy function that gives the numbers in place of the formula.

        For the long schedules and cancellations that the formula does not bear; the two are
        compared with each other. Raises TypeError unless it takes the arguments of the form.
        """
        if tuple(inspect.signature(decorated).parameters) != self.arguments:
            raise TypeError(
                f"{self.statement.id} ({self.name}): arguments differ from the formula's"
            )
        self.value, self.has_float_implementation = decorated, True
        return decorated

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
        if self.statement.requires:
            with np.errstate(all="ignore"):
                for requirement in self.statement.requires:
                    requirement.judge(checked)
        values = self.defaults | checked
        # Defaults come first, so that what is given replaces them.
        return {name: values[name] for name in self.arguments if name in values}

    def __call__(self, **inputs: Any) -> Array:
        """Value of the form, broadcast over array arguments.

        Raises ValueError naming the argument for anything outside the hypotheses.
        """
        arguments = self.validate(inputs)
        try:
            with np.errstate(all="ignore"):
                result = np.asarray(self.value(**arguments), dtype=np.float64)
        # Python's own numbers overflow with an exception; numpy's become inf, which is a value.
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
            # A formula that takes single numbers only fails on arrays with a TypeError.
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
        return self._broadcast(result, arguments)

    def _broadcast(self, result: Array, arguments: Mapping[str, Any]) -> Array:
        """A formula may not mention every argument; the answer has the shape of all of them."""
        if self.formula is None or self.has_float_implementation:
            return result
        if result.ndim == 0 and not any(np.ndim(v) for v in arguments.values()):
            return result
        kinds = self.statement.symbols
        shapes = [np.shape(v) for a, v in arguments.items() if kinds[a].kind in ("real", "integer")]
        shape = np.broadcast_shapes(result.shape, *shapes)
        # A copy: `broadcast_to` gives a view that cannot be written to.
        return result if shape == result.shape else np.broadcast_to(result, shape).copy()

    def _repr_latex_(self) -> str:
        """The form's TeX, as a notebook shows it."""
        return f"$\\displaystyle {self.tex}$"

    def symbolic(self) -> Any:
        """The form as a sympy expression in the statement's symbols, with their assumptions.

        Lists are `IndexedBase`, of a length k, or what their symbols call it.
        Raises ValueError for what is no expression.
        """
        from bounds.namespaces.free import expression

        if self.formula is None or self.because:
            reason = self.because or "it is computed by an algorithm"
            raise ValueError(f"{self.statement.id} ({self.name}) has no expression: {reason}")
        return expression(self.formula, self.arguments, tuple(self.statement.symbols.items()))

    def units(self) -> Units:
        """The unit of the form, from its formula and those of its symbols; no sympy."""
        return derivation.of_form(self)

    def exact(self, digits: int = 50, **inputs: Any) -> Any:
        """The form at scalar inputs with `digits` digits (an mpmath number), from its formula.

        The inputs are taken as the exact values of the given floats (`precise.settled`).
        Raises ValueError for an algorithm.
        """
        arguments = self.validate(inputs)
        if self.formula is None:
            raise ValueError(f"{self.statement.id} ({self.name}) has no symbolic form")
        from bounds.namespaces import precise

        formula = self.formula

        def value() -> Any:
            return formula(precise, **{name: precise.number(v) for name, v in arguments.items()})

        try:
            number = precise.settled(value, digits)
        except precise.Unsettled as error:
            where = _show(arguments)
            raise ValueError(
                f"{self.statement.id} ({self.name}) is beyond what is summed with many digits "
                f"at {where}: {error}"
            ) from error
        if precise.is_nan(number):
            where = _show(arguments)
            raise ValueError(f"{self.statement.id} ({self.name}) is undefined at {where}")
        return number


class _Help:
    """`Form.__doc__`: of the class its own docstring, of a form its text and its arguments."""

    def __init__(self, of_class: str | None) -> None:
        self.of_class = of_class

    def __get__(self, form: Form | None, owner: type[Form]) -> str | None:
        if form is None:
            return self.of_class
        symbols = form.statement.symbols
        return with_arguments(form.text.docstring, (symbols[name] for name in form.arguments))


# Made when it is asked for: ranges and units are not needed to import a statement.
Form.__doc__ = cast(str, _Help(Form.__doc__))


def _on_arrays(
    formula: Callable[..., Any], taken: inspect.Signature, lists: frozenset[str]
) -> Callable[..., Any]:
    """The formula over numpy, called with the arguments alone."""
    names = tuple(taken.parameters)

    @wraps(formula)
    def value(*arguments: Any, **named: Any) -> Any:
        inputs = dict(zip(names, arguments, strict=False)) | named
        for name in lists & inputs.keys():
            inputs[name] = numeric.Listed(inputs[name])
        return np.asarray(formula(numeric, **inputs))

    vars(value)["__signature__"] = taken
    return value


def _on_expressions(formula: Callable[..., Any]) -> Callable[..., Any]:
    """The formula over sympy, called with sympy and exact numbers or symbols."""

    @wraps(formula)
    def expr(sp: Any, **arguments: Any) -> Any:
        from bounds.namespaces.symbolic import Symbolic, listed

        return formula(Symbolic(), **{name: listed(v) for name, v in arguments.items()})

    return expr


def _show(arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {plain(value)}" for name, value in arguments.items())
