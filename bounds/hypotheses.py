"""Hypotheses: conditions that tie arguments together, such as eta <= 1/L."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

NEAR = 1e-9  # relative: what one argument determines of another is rounded


@dataclass(frozen=True)
class Hypothesis:
    """A condition on arguments, of a statement or of one of its readings.

    Attributes:
        text: the condition as the paper, or an error message, writes it.
        holds: called with the arguments that it names; true where the condition holds.
        sets: arguments that the condition determines, each as a function of arguments by name.
            Whoever draws inputs uses it; `holds` stays the judge.
    """

    text: str
    holds: Callable[..., Any] = lambda: True
    sets: Mapping[str, Callable[..., Any]] = field(default_factory=dict)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The arguments that it ties together."""
        return tuple(inspect.signature(self.holds).parameters)

    def speaks(self, inputs: Mapping[str, Any]) -> bool:
        """Whether all arguments that it names are given."""
        return all(name in inputs for name in self.names)

    def check(self, inputs: Mapping[str, Any]) -> None:
        """Raises ValueError with the values when the hypothesis fails anywhere."""
        with np.errstate(all="ignore"):
            self.judge(inputs)

    def judge(self, inputs: Mapping[str, Any]) -> None:
        """The same, for who checks many and has told numpy to be quiet."""
        if self.sets:
            self._check_sets(inputs)
        if not self.speaks(inputs):
            return
        try:
            satisfied = self.holds(**{name: inputs[name] for name in self.names})
            satisfied = satisfied if isinstance(satisfied, bool | np.bool_) else np.all(satisfied)
        except ValueError as error:
            shapes = ", ".join(f"{name} {np.shape(inputs[name])}" for name in self.names)
            raise ValueError(f"shapes must broadcast together, got {shapes}") from error
        if not satisfied:
            values = ", ".join(f"{name} = {plain(inputs[name])}" for name in self.names)
            raise ValueError(f"{self.names[0]} must satisfy {self.text}, got {values}")

    def _check_sets(self, inputs: Mapping[str, Any]) -> None:
        for name, value in self.determined(inputs).items():
            if name in inputs and not np.allclose(inputs[name], value, rtol=NEAR, atol=0):
                raise ValueError(
                    f"{name} must be {plain(value)} ({self.text}), got {plain(inputs[name])}"
                )

    def determined(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Values of the arguments it sets, from the others; those whose sources lack are left."""
        return {
            name: of(**{source: _single(inputs[source]) for source in self._sources[name]})
            for name, of in self.sets.items()
            if self._sources[name] <= inputs.keys()
        }

    @cached_property
    def _sources(self) -> dict[str, frozenset[str]]:
        """What each argument it sets follows from; signatures are slow, and searches ask often."""
        return {name: frozenset(inspect.signature(of).parameters) for name, of in self.sets.items()}


def _single(value: Any) -> Any:
    """An array of one number as that number: what determines an argument is no array function."""
    return value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value


def plain(value: Any) -> str:
    """A value as messages show it."""
    array = np.asarray(value)
    return f"{float(array):g}" if array.ndim == 0 and array.dtype != object else str(value)
