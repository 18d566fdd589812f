"""The parameter domain of a formula: every range and every hypothesis, over the unit cube."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bounds.forms import Form, Formula
from verify.search.coordinates import LENGTH, Axis

Point = dict[str, Any]
TRIES = 2000
HALVINGS = 30


@dataclass(frozen=True)
class Domain:
    """Admissible inputs of some arguments of a formula.

    Attributes:
        formula: whose ranges and requirements hold.
        axes: one for every argument that varies, in the formula's order.
        where: further conditions on the inputs (of a reading), all of which must hold.
        fixed: arguments held at a value.
        follows: arguments that are functions of the others.
    """

    formula: Formula
    axes: tuple[Axis, ...]
    where: tuple[Callable[[Mapping[str, Any]], bool], ...] = ()
    fixed: tuple[tuple[str, Any], ...] = ()
    follows: tuple[tuple[str, Callable[[Mapping[str, Any]], Any]], ...] = ()

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
        numbers, at, length = np.clip(unit, 0, 1).tolist(), 0, LENGTH
        if self.has_lists:
            length, at = 1 + min(int(LENGTH * numbers[0]), LENGTH - 1), 1
        point = {}
        for axis in self.axes:
            point[axis.symbol.name] = axis.decode(numbers[at : at + axis.size], length)
            at += axis.size
        return self.complete({**point, **dict(self.fixed)})

    def encode(self, point: Mapping[str, Any]) -> NDArray[np.float64]:
        """A point of the unit cube whose inputs are as near to these as the axes get."""
        lists = [len(point[a.symbol.name]) for a in self.axes if a.symbol.kind == "list"]
        found = [(min(lists[0], LENGTH) - 0.5) / LENGTH] if lists else []
        for axis in self.axes:
            found += axis.encode(point[axis.symbol.name])
        return np.array(found)

    def complete(self, point: Mapping[str, Any]) -> Point:
        """The point with the arguments that follow from the others set accordingly.

        Where the others lie outside their ranges and nothing follows, it stays as it is.
        """
        try:
            return {**point, **{name: of(point) for name, of in self.follows if name in point}}
        except (ArithmeticError, ValueError):
            return dict(point)

    def admits(self, point: Mapping[str, Any]) -> bool:
        """Whether every range, requirement and further condition holds."""
        try:
            for name, value in point.items():
                if name in self.formula.symbols:
                    self.formula.symbols[name].validate(value)
            known = {k: np_value(v) for k, v in point.items() if k in self.formula.symbols}
            for requirement in self.formula.requires:
                requirement.check(known)
            return all(condition(point) for condition in self.where) and (
                not self.follows or self.complete(point) == point
            )
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
            f"{self.formula.id}: no admissible inputs in {tries} draws of {', '.join(self.names)}"
        )

    def project(
        self, unit: NDArray[np.float64], anchor: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The point itself if admissible, else the last admissible one found towards `anchor`.

        `anchor` is admissible; the way to it is halved, so that the result lies near the border.
        """
        if self.admits(self.decode(unit)):
            return unit
        inside, outside = 1.0, 0.0
        for _ in range(HALVINGS):
            middle = (inside + outside) / 2
            if self.admits(self.decode(unit + middle * (anchor - unit))):
                inside = middle
            else:
                outside = middle
        return unit + inside * (anchor - unit)


def domain(
    formula: Formula,
    names: Iterable[str] | None = None,
    *,
    where: Iterable[Callable[[Mapping[str, Any]], bool]] = (),
    fixed: Mapping[str, Any] | None = None,
    follows: Mapping[str, Callable[[Mapping[str, Any]], Any]] | None = None,
) -> Domain:
    """The domain of these arguments of a formula (of all, by default).

    Raises ValueError for an argument that the formula does not have.
    """
    held = dict(fixed or {})
    wanted = formula.symbols if names is None else set(names) | held.keys()
    if unknown := sorted(set(wanted) - formula.symbols.keys() - held.keys()):
        raise ValueError(f"{unknown[0]} is not an argument of {formula.id}")
    axes = tuple(
        Axis(symbol)
        for name, symbol in formula.symbols.items()
        if name in wanted and name not in held
    )
    return Domain(formula, axes, tuple(where), tuple(held.items()), tuple((follows or {}).items()))


def of_form(form: Form) -> Domain:
    """The domain of the arguments that one form takes."""
    return domain(form.formula, form.arguments)


def np_value(value: Any) -> Any:
    """The value as requirements see it: an array, or a mapping as it is."""
    return value if isinstance(value, Mapping) else np.asarray(value, dtype=float)
