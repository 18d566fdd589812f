"""The parameter domain of a statement: every range and every hypothesis, over the unit cube."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bounds import Form, Hypothesis, Symbol
from bounds.forms import Sentence
from verify.search.coordinates import LENGTH, Axis

Point = dict[str, Any]
TRIES = 2000
HALVINGS = 30


@dataclass(frozen=True)
class Domain:
    """Admissible inputs of some arguments of a statement.

    Attributes:
        statement: whose ranges and requirements hold.
        axes: one for every argument that varies, in the statement's order.
        where: further hypotheses (of an interpretation, or of an exact side), all of which must
        hold.
        fixed: arguments held at a value.
        also: further conditions on whole points.
    """

    statement: Sentence
    axes: tuple[Axis, ...]
    where: tuple[Hypothesis, ...] = ()
    fixed: tuple[tuple[str, Any], ...] = ()
    also: tuple[Callable[[Mapping[str, Any]], bool], ...] = ()

    @property
    def size(self) -> int:
        """Number of coordinates: those of the axes, and one for the length of all lists."""
        return sum(axis.size for axis in self.axes) + self.has_lists

    @property
    def has_lists(self) -> bool:
        return any(axis.symbol.kind == "list" for axis in self.axes)

    @property
    def names(self) -> tuple[str, ...]:
        return (*(axis.symbol.name for axis in self.axes), *(name for name, _ in self.fixed))

    def decode(self, unit: NDArray[np.float64]) -> Point:
        """Inputs at a point of the unit cube; every one is in its range, hypotheses may fail."""
        numbers = np.clip(unit, 0, 1).tolist()
        at = 0
        length = LENGTH
        # One coordinate for the length of all lists, before those of the axes.
        if self.has_lists:
            length = 1 + min(int(LENGTH * numbers[0]), LENGTH - 1)
            at = 1
        point = {}
        for axis in self.axes:
            point[axis.symbol.name] = axis.decode(numbers[at : at + axis.size], length)
            at += axis.size
        return self.complete({**point, **dict(self.fixed)})

    def encode(self, point: Mapping[str, Any]) -> NDArray[np.float64]:
        """A point of the unit cube whose inputs are as near to these as the axes get."""
        lists = [len(point[a.symbol.name]) for a in self.axes if a.symbol.kind == "list"]
        coordinates = [(min(lists[0], LENGTH) - 0.5) / LENGTH] if lists else []
        for axis in self.axes:
            coordinates += axis.encode(point[axis.symbol.name])
        return np.array(coordinates)

    def complete(self, point: Mapping[str, Any]) -> Point:
        """The point with the arguments that hypotheses determine set accordingly.

        Where the others lie outside their ranges and nothing follows, it stays as it is.
        """
        full_point = dict(point)
        for hypothesis in self.where:
            try:
                determined = hypothesis.determined(point)
            except (ArithmeticError, ValueError):
                return dict(point)
            full_point |= {name: value for name, value in determined.items() if name in point}
        return full_point

    def admits(self, point: Mapping[str, Any]) -> bool:
        """Whether every range, requirement and further condition holds."""
        try:
            symbols = self.statement.symbols
            values = {k: symbols[k].validate(v) for k, v in point.items() if k in symbols}
            with np.errstate(all="ignore"):
                for hypothesis in (*self.statement.requires, *self.where):
                    hypothesis.judge(values)
            return all(condition(point) for condition in self.also)
        # What overflows or divides by zero inside a hypothesis lies outside it.
        except (ValueError, OverflowError, ZeroDivisionError):
            return False

    def sample(self, rng: np.random.Generator, tries: int = TRIES) -> NDArray[np.float64]:
        """A random admissible point of the unit cube.

        Raises ValueError when `tries` draws found none.
        """
        for _ in range(tries):
            unit = rng.random(self.size)
            if self.admits(self.decode(unit)):
                return unit
        raise ValueError(
            f"{self.statement.id}: no admissible inputs in {tries} draws of {', '.join(self.names)}"
        )

    def project(
        self, unit: NDArray[np.float64], anchor: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The point itself if admissible, else the last admissible one found towards `anchor`.

        `anchor` is admissible; the way to it is halved, so that the result lies near the border.
        """
        if self.admits(self.decode(unit)):
            return unit
        # `inside` is the share of the way at which the point is admitted: 1 is the anchor itself.
        inside, outside = 1.0, 0.0
        for _ in range(HALVINGS):
            middle = (inside + outside) / 2
            if self.admits(self.decode(unit + middle * (anchor - unit))):
                inside = middle
            else:
                outside = middle
        return unit + inside * (anchor - unit)


def domain(
    statement: Sentence,
    names: Iterable[str] | None = None,
    *,
    where: Iterable[Hypothesis] = (),
    fixed: Mapping[str, Any] | None = None,
    within: Mapping[str, tuple[float, float]] | None = None,
    also: Iterable[Callable[[Mapping[str, Any]], bool]] = (),
) -> Domain:
    """The domain of these arguments of a statement (of all, by default).

    `within` narrows ranges; a single point, (x, x), holds the argument there. Raises ValueError for
    an argument that the statement does not have.
    """
    variables = set(statement.symbols if names is None else names)
    points = {name: low for name, (low, high) in (within or {}).items() if low == high}
    fixed_values = {name: points[name] for name in variables & points.keys()} | dict(fixed or {})
    if unknown := sorted(set(variables) - statement.symbols.keys() - fixed_values.keys()):
        raise ValueError(f"{unknown[0]} is not an argument of {statement.id}")
    axes = tuple(
        Axis(_narrowed(symbol, within or {}))
        for name, symbol in statement.symbols.items()
        if name in variables and name not in fixed_values
    )
    return Domain(statement, axes, tuple(where), tuple(fixed_values.items()), tuple(also))


def _narrowed(symbol: Symbol, within: Mapping[str, tuple[float, float]]) -> Symbol:
    if symbol.name not in within:
        return symbol
    low, high = within[symbol.name]
    return replace(symbol, low=low, high=high, low_open=False, high_open=False)


def of_form(form: Form) -> Domain:
    """The domain of the arguments that one form takes."""
    return domain(form.statement, form.arguments)
