"""Experiments: an algorithm on data as a value, and what one run of it measures.

An `Experiment` is a frozen dataclass whose fields know how they are asked for
(`accounting.problems.options`), so that a command and Python start the same runs.  Its `Run` offers
what the algorithm computed, the constants that hold for it, and named observables, each measured
when it is asked for and then kept.  A `View` adds observables to the runs of one class: a paper
declares the views that measure the left sides of its statements.  None of them knows of a bound:
who compares reads both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from accounting.problems.options import Rule, settle, word
from simulators.device.default import DEVICES, computing_on

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
    """Marks a method of a run or a view, without arguments, that returns an `Observable`."""
    measure.is_observable = True  # type: ignore[attr-defined]
    return measure


def observables_of(kind: type) -> tuple[str, ...]:
    """The names of the observables that a class of runs, or of views, defines; sorted."""
    return tuple(n for n in dir(kind) if getattr(getattr(kind, n), "is_observable", False))


class View:
    """Observables added to the runs of one class: `class Laws(View, of=OnlineRun)`.

    A view reads the public attributes of its run, and other views by `run.view(Other)`; a run makes
    at most one of each class.  It is not a run: runs and views are composed, never inherited.

    Attributes:
        of: the class of runs that it can be made of.
        run: the run that it reads.
    """

    of: ClassVar[type[Run]]
    run: Any

    def __init_subclass__(cls, *, of: type[Run] | None = None, **more: Any) -> None:
        super().__init_subclass__(**more)
        if of is not None:
            cls.of = of

    def __init__(self, run: Run) -> None:
        self.run = run


_V = TypeVar("_V", bound=View)


class Run:
    """What one run of an experiment yields; methods marked `observable` are its observables."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self._measured: dict[str, Observable] = {}
        self._views: dict[type[View], Any] = {}

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

    def view(self, kind: type[_V]) -> _V:
        """The view of this class, made once; its observables are then the run's as well.

        Raises TypeError for a view of other runs, ValueError for an observable that another has.
        """
        if kind not in self._views:
            if not isinstance(self, kind.of):
                raise TypeError(
                    f"{kind.__name__} must be a view of {type(self).__name__}, "
                    f"got one of {kind.of.__name__}"
                )
            if twice := sorted({*self.observables()} & {*observables_of(kind)}):
                raise ValueError(f"{kind.__name__} must not measure {twice[0]} a second time")
            self._views[kind] = kind(self)
        view: _V = self._views[kind]
        return view

    def observables(self) -> tuple[str, ...]:
        """The names of what can be measured, by the run itself and by the views made of it."""
        sources = (type(self), *self._views)
        return tuple(name for source in sources for name in observables_of(source))

    def measure(self, name: str) -> Callable[[], Observable]:
        """The method, of the run or of a view, that measures what has this name.

        Raises ValueError where nothing does.
        """
        for source in (self, *self._views.values()):
            if name in observables_of(type(source)):
                method: Callable[[], Observable] = getattr(source, name)
                return method
        raise ValueError(f"name must be one of {', '.join(self.observables())}, got {name!r}")

    def __getitem__(self, name: str) -> Observable:
        """The observable of this name. Raises NotMeasured where the run cannot show it."""
        method = self.measure(name)
        if name not in self._measured:
            with computing_on(getattr(self.experiment, "device", "auto")):
                result = method()
            if np.isnan(np.asarray(result.values, dtype=float)).any():
                raise NotMeasured(f"{name} is not a number")
            self._measured[name] = result
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
        extremes: settings of small runs, on data at hand or on made rows, that come near to what a
            bound allows; a check names those of which its statement is.
    """

    algorithm: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    example: ClassVar[str] = ""
    measures: ClassVar[type[Run]]
    samples: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    extremes: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    device: str = word("Where it computes, but for exact laws.", *DEVICES)

    def __post_init__(self) -> None:
        settle(self, self.unused)

    def unused(self) -> dict[str, str]:
        """Fields that the others leave without a use -> why."""
        return {}

    @property
    def settings(self) -> dict[str, Any]:
        """The fields that have a value, as a document has them."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        texts = {k: str(v) if isinstance(v, Rule) else v for k, v in values.items()}
        # Rows in memory go by their name.
        texts = {k: getattr(v, "name", v) for k, v in texts.items()}
        return {k: v for k, v in texts.items() if v is not None}

    def run(self) -> Run:
        """Runs the algorithm. Raises ValueError for fields that do not go together."""
        with computing_on(self.device):
            return self.measures(self)
