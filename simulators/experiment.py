"""Experiments: an algorithm on data as a value, and what one run of it measures.

An `Experiment` is a frozen dataclass whose fields know how they are asked for
(`accounting.problems.options`), so that a command and Python start the same runs.  Its `Run` offers
named observables, each measured when it is asked for and then kept, and the constants that hold for
them.  It knows of no bound: who compares reads both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from accounting.problems.options import Rule, settle, word
from simulators.computing import DEVICES, computing_on

if TYPE_CHECKING:
    from accounting.problems import Assumptions

Basis = Literal["path", "law", "rows", "mean", "lower limit"]
_M = TypeVar("_M", bound=Callable[..., Any])


@dataclass(frozen=True, eq=False)
class Observable:
    """What a run measured under one name.

    Attributes:
        values: a number, or an array of them.
        at: what each value belongs to: the name of a constant -> a number, or an array of the
            shape of `values`.
        basis: a number of the paths that were run, of a law that is known exactly, of the rows
            or a schedule by arithmetic alone, a mean over trials, or a lower limit of what is
            meant; the last can refute and shows no reach.
        error: standard error of a mean.
        level: probability with which a lower limit lies above what is meant.
        rounding: how far rounding alone can move a value; nothing below it is measured.
        unit: such as "length" or "loss".
    """

    values: Any
    at: Mapping[str, Any] = field(default_factory=dict)
    basis: Basis = "path"
    error: ArrayLike = 0.0
    level: float = 0.0
    rounding: float = 0.0
    unit: str = "1"

    def document(self) -> dict[str, Any]:
        """As data."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


class NotMeasured(ValueError):
    """The run cannot show this observable; the message says why."""


def observable(measure: _M) -> _M:
    """Marks a method of a run without arguments that returns an `Observable`."""
    measure.observed = True  # type: ignore[attr-defined]
    return measure


class Run:
    """What one run of an experiment yields; methods marked `observable` are its observables."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self._measured: dict[str, Observable] = {}

    @property
    def constants(self) -> Mapping[str, Any]:
        """The symbols whose values are certified for this run, or follow from its settings."""
        return {}

    @property
    def hypotheses(self) -> Mapping[str, bool]:
        """What statements assume of a run, in a word -> whether it is met."""
        return {}

    @property
    def assumptions(self) -> Assumptions | None:
        """What the run's privacy numbers rest on, if there are any."""
        return None

    def document(self) -> dict[str, Any]:
        """What is told of the run unasked: a section a key, in the order of telling."""
        raise NotImplementedError

    @property
    def measured(self) -> Mapping[str, Observable]:
        """The observables that were asked for so far."""
        return dict(self._measured)

    @classmethod
    def observables(cls) -> tuple[str, ...]:
        """The names of what can be measured."""
        return tuple(n for n in dir(cls) if getattr(getattr(cls, n), "observed", False))

    def __getitem__(self, name: str) -> Observable:
        """The observable of this name. Raises NotMeasured where the run cannot show it."""
        if name not in self.observables():
            raise ValueError(f"name must be one of {', '.join(self.observables())}, got {name!r}")
        if name not in self._measured:
            with computing_on(getattr(self.experiment, "device", "auto")):
                found: Observable = getattr(self, name)()
            if np.isnan(np.asarray(found.values, dtype=float)).any():
                raise NotMeasured(f"{name} is not a number")
            self._measured[name] = found
        return self._measured[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.observables())


@dataclass(frozen=True, kw_only=True, eq=False)
class Experiment:
    """The base of all experiments: fields with their ranges, and what they run.

    Class attributes:
        algorithm, aliases: names.
        example: words of a command.
        measures: the class of its runs.
        samples: settings of small runs on data at hand, which checks of statements share.
    """

    algorithm: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    example: ClassVar[str] = ""
    measures: ClassVar[type[Run]]
    samples: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    device: str = word("Where it computes, but for exact laws.", *DEVICES)

    def __post_init__(self) -> None:
        settle(self, self.unused)

    def unused(self) -> dict[str, str]:
        """Fields that the others leave without a use -> why."""
        return {}

    @property
    def settings(self) -> dict[str, Any]:
        """The fields that have a value, as a document has them."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        shown = {k: str(v) if isinstance(v, Rule) else v for k, v in given.items()}
        return {k: v for k, v in shown.items() if v is not None}

    def run(self) -> Run:
        """Runs the algorithm. Raises ValueError for fields that do not go together."""
        with computing_on(self.device):
            return self.measures(self)
