"""A privacy problem as a value: how much noise a target needs, and what a noise certifies.

A problem says what is trained, what is deleted, what is released, and under which assumptions.  It
is a frozen dataclass; its fields know how they are asked for (`accounting.problems.options`), so
that a command, a JSON document and Python ask the same questions and get the same answers.
"""

import logging
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from accounting.numerics.attempt import attempt, why
from accounting.problems.answer import (
    LARGEST,
    Answer,
    Answers,
    AnswersInterrupted,
    Array,
    Question,
    Target,
    checked_delta,
    shown,
)
from accounting.problems.assumptions import Assumptions
from accounting.problems.learner import Fact, Learner
from accounting.problems.options import settle
from accounting.problems.process import Process
from accounting.problems.recommendation import application, recommended

_TARGET = ("sigma", "epsilon", "delta")
RESOLUTION = 2.0**-40
"""Noise is no less than this share of a model's length: floats round at 2^-53 of it, and noise of
that size is a few multiples of one unit, no Gaussian."""
_log = logging.getLogger(__name__)  # says which accountant is asked, before it answers


@dataclass(frozen=True, kw_only=True, eq=False)
class Problem:
    """The base of all problems; what a subclass supplies begins with an underscore, or is below.

    Class attributes:
        algorithm, aliases: names of the problem.
        accountants: name -> what it is, in the order of telling.
        preferred: those that may be recommended; among valid ones the least noise wins.
        sound: those whose claim of an epsilon is a theorem.
        claims: those that answer for a given noise; all if None.
        renyi: whether delta may be left out.
        several: whether the noise may differ from place to place.
        plans: what is answered for a noise and a target together, if anything.
        example: words of a command, after the target.
        derived: fields that follow from rows with public bounds and a loss; empty: nothing does.
        takes: what else of the training they follow from: epochs, batch_size, radius.
        usual: what is taken then, in place of the defaults, where it is not given: a value, or a
            function of the learner; of the training and of rows as well.
        settings_by_field: settings of rows that a field of the problem gives -> that field.
        tabulated: the field for which rows get a table of its values, where it is not given.
    """

    algorithm: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    accountants: ClassVar[Mapping[str, str]]
    preferred: ClassVar[tuple[str, ...]] = ("exact",)
    sound: ClassVar[tuple[str, ...]] = ("corrected", "exact")
    claims: ClassVar[tuple[str, ...] | None] = None
    renyi: ClassVar[bool] = False
    several: ClassVar[bool] = False
    plans: ClassVar[str | None] = None
    example: ClassVar[str] = ""
    derived: ClassVar[Mapping[str, Fact]] = {}
    takes: ClassVar[tuple[str, ...]] = ()
    usual: ClassVar[Mapping[str, Any]] = {}
    settings_by_field: ClassVar[Mapping[str, str]] = {}
    tabulated: ClassVar[str | None] = None

    _learner: ClassVar[Learner | None] = None

    def __post_init__(self) -> None:
        settle(self, lambda: self._unused(None))
        self._check()

    @property
    def assumptions(self) -> Assumptions:
        """What every number of the problem rests on."""
        assumptions, learner = self._assumptions, self._learner
        if learner is None:
            return assumptions
        return replace(
            assumptions,
            from_data=(*assumptions.from_data, *learner.measured),
            conditions=(*assumptions.conditions, *learner.conditions),
        )

    def with_fields(self, **changes: Any) -> Self:
        """The same with other fields, posed by the same rows if any were."""
        other = replace(self, **changes)
        if self._learner is not None:
            # Not a field: `pose` sets it after the fields.
            object.__setattr__(other, "_learner", self._learner)
        return other

    @typed
    def unanswered(self, target: Target, names: Iterable[str], reason: str) -> Answers:
        """Answers without a noise, for a reason that is none of the accountants'."""
        none = np.full(self._shape, math.inf)
        by = {
            name: self._answer("noise", name, none, None, None, target, reason)
            for name in self.asked("noise", names)
        }
        return Answers("noise", target.epsilon, target.delta, by, None)

    @property
    def facts(self) -> dict[str, Any]:
        """Numbers that follow from the fields and that a reader wants to see."""
        return {}

    @property
    def places(self) -> dict[str, Array]:
        """What belongs to each place of the noise: name -> (k,); empty for a single number."""
        return {}

    @property
    def condition(self) -> str | None:
        """What every answer is conditional on, if it is."""
        return None

    @typed
    def unused(
        self, question: Question | None, names: Iterable[str] | None = None
    ) -> dict[str, str]:
        """Fields that the question to these accountants does not read -> why.

        No question: whatever is asked.  No names: to whichever accountants.
        """
        return self._unused(question, None if names is None else self.asked("noise", names))

    @typed
    def asked(self, question: Question, names: Iterable[str] | None = None) -> tuple[str, ...]:
        """The accountants that answer the question, of those named."""
        known = tuple(self.accountants)
        if question == "privacy" and self.claims is not None:
            known = self.claims
        if names is None:
            return known
        return tuple(validation.choice("accountant", name, known) for name in names)

    @typed
    def noise(self, accountant: str, target: Target) -> Answer:
        """The noise that the accountant asks for, and what it truly certifies.

        Infinite where the accountant fails: `details` say why.  Raises ValueError where it refuses
        a field, by name.
        """
        (name,) = self.asked("noise", (accountant,))
        self._insist(target.delta)
        none = np.full(self._shape, math.inf)
        computed, failure = self._attempted(lambda: self._noise(name, target), none)
        sigma = self._resolved(name, computed)
        epsilon, valid = None, None
        if not failure and np.isfinite(sigma).all():
            # If judging fails the noise stands, with nothing known of what it certifies.
            nothing: tuple[ArrayLike, bool | None] = (math.inf, None)
            judged, failure = attempt(lambda: self._judge(name, sigma, target), nothing)
            epsilon, valid = np.asarray(judged[0], dtype=np.float64), judged[1]
        answer = self._answer("noise", name, sigma, epsilon, valid, target, failure)
        if (sigma > computed).any():
            return replace(answer, details={**answer.details, "raised_from": computed})
        return answer

    @typed
    def certified(self, accountant: str, sigma: ArrayLike, delta: float | None = None) -> Answer:
        """The epsilon that the accountant claims for this noise, and whether that is true.

        Infinite where the accountant fails, and errors, as for `noise`.
        """
        (name,) = self.asked("privacy", (accountant,))
        at = checked_delta(delta)
        self._insist(at)
        deviations = self._sigma(sigma)
        none = np.full(deviations.shape, math.inf)
        epsilon, failure = self._attempted(lambda: self._claim(name, deviations, at), none)
        # A theorem, or compared with an accountant that has one; a condition leaves both open.
        valid: bool | None = name in self.sound
        if not valid:
            valid, more = attempt(lambda: self._true(name, deviations, epsilon, at), None)
            failure = failure or more
        if valid and self.condition is not None:
            valid = None
        return self._answer(
            "privacy", name, deviations, epsilon, valid, Target(LARGEST, at), failure
        )

    @typed
    def least_noise(self, target: Target, names: Iterable[str] | None = None) -> Answers:
        """The noise by each accountant; one that fails takes no other with it.

        Ctrl-C raises AnswersInterrupted, a KeyboardInterrupt, once one has answered.
        """
        none = np.full(self._shape, math.inf)
        return self._each(
            ("noise", target.epsilon, target.delta),
            self.asked("noise", names),
            lambda name: self.noise(name, target),
            lambda name, why: self._answer("noise", name, none, None, None, target, why),
        )

    @typed
    def privacy(
        self, sigma: ArrayLike, delta: float | None = None, names: Iterable[str] | None = None
    ) -> Answers:
        """The epsilon by each accountant; one that fails takes no other with it.

        Ctrl-C as for `least_noise`.
        """
        at = checked_delta(delta)
        self._insist(at)
        deviations = self._sigma(sigma)
        none, target = np.full(deviations.shape, math.inf), Target(LARGEST, at)
        return self._each(
            ("privacy", None, delta),
            self.asked("privacy", names),
            lambda name: self.certified(name, deviations, at),
            lambda name, why: self._answer("privacy", name, deviations, none, None, target, why),
        )

    @typed
    def step_sizes(self, count: int) -> Array | None:
        """eta of the first gradient steps of the training; None: it ends at the minimiser."""
        return self._step_sizes(validation.count("count", count, low=1))

    @typed
    def plan(self, sigma: ArrayLike, target: Target, names: Iterable[str] | None = None) -> Answers:
        """What the noise and the target together allow (`plans`)."""
        if self.plans is None:
            raise ValueError(f"sigma must not be given with a target for {self.algorithm}")
        self._insist(target.delta)
        return self._plan(self._sigma(sigma, low_open=True), target, self.asked("plan", names))

    @typed
    def as_contraction(
        self, sigma: ArrayLike, accountant: str | None = None, place: int | None = None
    ) -> Process:
        """What is executed at this noise, as maps with noise.

        accountant: whose answers it has, the first preferred one's if None.  place: which place of
        the noise, from 0, where there are several.  Raises ValueError where the problem is no noisy
        contraction, with the field that keeps it from one.
        """
        given = self._sigma(sigma)
        (name,) = self.asked("privacy", (accountant or self._usual,))
        if self.several:
            (size,) = self._shape
            if place is None:
                raise ValueError(f"place must be given, in [0, {size - 1}], got None")
            place = validation.count("place", place, low=0, high=size - 1)
        elif place is not None:
            raise ValueError(f"place must be left out for {self.algorithm}, got {place!r}")
        return self._process(name, given, place or 0)

    # What a subclass supplies.

    @property
    def _usual(self) -> str:
        """The accountant whose process is meant where none is named."""
        names = self.asked("privacy")
        return next((name for name in self.preferred if name in names), names[0])

    def _process(self, accountant: str, noise: Array, place: int) -> Process:
        """What is executed, as maps with noise."""
        raise ValueError(f"problem must be a noisy contraction, got {self.algorithm}")

    @property
    def _assumptions(self) -> Assumptions:
        raise NotImplementedError

    @property
    def _start(self) -> tuple[str, ...]:
        """Where the first model comes from, if its distance follows from the learner."""
        if self._learner is None:
            return ()
        steps = self._learner.epochs
        return (f"the first model is {steps} full gradient steps of length 2/(mu + L) from 0",)

    def _step_sizes(self, count: int) -> Array | None:
        return None

    @property
    def _magnitude(self) -> float | None:
        """A length of what the noise is added to, as large as it may become; None: unknown."""
        return None

    def _unused(
        self, question: Question | None, names: tuple[str, ...] | None = None
    ) -> dict[str, str]:
        return {}

    def _check(self) -> None:
        """Raises ValueError for fields that do not go together."""

    def _noise(self, accountant: str, target: Target) -> ArrayLike:
        raise NotImplementedError

    def _claim(self, accountant: str, noise: Array, delta: float | None) -> ArrayLike:
        """The epsilon that the accountant gives to finite noise."""
        raise NotImplementedError

    def _truth(self, accountant: str, noise: Array, delta: float | None) -> ArrayLike:
        """The epsilon that an accountant's noise certifies: by default the last preferred one's."""
        return self._claim(self.preferred[-1], noise, delta)

    def _judge(
        self, accountant: str, noise: Array, target: Target
    ) -> tuple[ArrayLike, bool | None]:
        """What an accountant's noise certifies, and whether it keeps the target."""
        epsilon = np.asarray(self._truth(accountant, noise, target.delta))
        return epsilon, None if self.condition else bool((epsilon <= target.epsilon).all())

    def _true(self, accountant: str, noise: Array, epsilon: Array, delta: float | None) -> bool:
        """Whether the claim of an accountant that proves nothing is true all the same."""
        return bool((np.asarray(self._truth(accountant, noise, delta)) <= epsilon).all())

    def _plan(self, noise: Array, target: Target, names: tuple[str, ...]) -> Answers:
        raise NotImplementedError

    def _deviation(self, noise: Array) -> Array:
        """Standard deviation of what is added, a coordinate."""
        return noise

    def _apply(self, deviation: Array) -> str:
        """What to do with noise of this standard deviation, in a sentence."""
        return application(deviation, self.assumptions.noise_on.means)

    def _details(self, question: Question, answer: Answer, target: Target) -> dict[str, Any]:
        return {}

    def _remarks(self, answers: Answers) -> tuple[dict[str, Any], list[str]]:
        """What is worth saying of all answers together: as data, and as lines."""
        return {}, []

    # What all share.

    def _resolved(self, accountant: str, sigma: Array) -> Array:
        """The noise, or the least that a run in floats can add where that is more.

        More noise never certifies less.  What proves nothing is told as its source has it, and no
        noise stays none: the laws are equal then.
        """
        magnitude = self._magnitude
        if magnitude is None or accountant not in (*self.preferred, *self.sound):
            return sigma
        unit = self._deviation(np.ones(self._shape))
        # One factor for all steps: the largest noise is the one that must be seen.
        unit = unit if self.several else unit.max()
        # Where nothing is added to, no noise is too little.
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            # Rounded up by far more than the two operations round.
            least = RESOLUTION * magnitude / unit * (1 + 2.0**-50)
        raised = np.isfinite(least) & (sigma > 0) & (sigma < least)
        return np.where(raised, least, sigma)

    def _insist(self, delta: float | None) -> None:
        if delta is None and not self.renyi:
            raise ValueError("delta must be given, in (0, 1), got None")

    @property
    def _shape(self) -> tuple[int, ...]:
        """Of the noise: a number, or one for every place."""
        return (len(next(iter(self.places.values()), ())),) if self.several else ()

    def _attempted(self, call: Callable[[], ArrayLike], none: Array) -> tuple[Array, str]:
        """The numbers, or `none` and why; ValueError where a field is refused by name."""

        def numbers() -> Array:
            try:
                return np.asarray(call(), dtype=np.float64)
            except ValueError as error:
                if validation.refuses(error, {*_TARGET, *(of.name for of in fields(self))}):
                    refusal.append(error)
                raise

        # `attempt` turns every error into infinity: a refusal is kept beside it, and raised after
        # it.
        refusal: list[ValueError] = []
        values, failure = attempt(numbers, none)
        if refusal:
            raise refusal[0]
        return values, failure

    def _each(
        self,
        asked: tuple[Question, float | None, float | None],
        names: tuple[str, ...],
        ask: Callable[[str], Answer],
        failed: Callable[[str, str], Answer],
    ) -> Answers:
        """The answer of every accountant; where all refuse a field, the refusal is the answer.

        asked: the question, with its epsilon and delta.
        """
        by: dict[str, Answer] = {}
        refusals = []
        for name in names:
            _log.info("%s: accountant %s", self.algorithm, name)
            try:
                by[name] = ask(name)
            except ValueError as error:
                refusals.append(error)
                by[name] = failed(name, why(error))
            except KeyboardInterrupt as stop:
                if len(refusals) == len(by):
                    raise
                best = recommended(asked[0], by, self.preferred)
                left = tuple(other for other in names if other not in by)
                raise AnswersInterrupted(Answers(*asked, by, best), left) from stop
        # Refused by all: the arguments are wrong, rather than an accountant too narrow.
        if refusals and len(refusals) == len(by):
            raise refusals[0]
        return self._answers(*asked, by)

    def _sigma(self, noise: ArrayLike, low_open: bool = False) -> Array:
        """sigma as the problem takes it: a number, or one for every place."""
        sigma = validation.real("sigma", noise, low=0, low_open=low_open, high_open=True)
        if sigma.shape not in ((), self._shape):
            wanted = (
                f"one number or {self._shape[0]} numbers" if self.several else "a single number"
            )
            raise ValueError(f"sigma must be {wanted}, got shape {sigma.shape}")
        return np.broadcast_to(sigma, self._shape)

    def _answer(
        self,
        question: Question,
        name: str,
        sigma: Array,
        epsilon: Array | None,
        valid: bool | None,
        target: Target,
        failure: str = "",
    ) -> Answer:
        deviation = self._deviation(sigma)
        answer = Answer(
            name,
            sigma,
            deviation,
            epsilon,
            valid,
            application(deviation, self.assumptions.noise_on.means),
        )
        if failure:
            return replace(answer, details={"failed": failure})
        nothing: dict[str, Any] = {}
        details, _ = attempt(lambda: self._details(question, answer, target), nothing)
        return replace(answer, details=details)

    def _answers(
        self,
        question: Question,
        epsilon: float | None,
        delta: float | None,
        by: Mapping[str, Answer],
    ) -> Answers:
        best = recommended(question, by, self.preferred)
        plain = Answers(question, epsilon, delta, by, best)
        nothing: tuple[dict[str, Any], list[str]] = ({}, [])
        remarks, failure = attempt(lambda: self._remarks(plain), nothing)
        lines = [f"nothing is said of all together: {failure}"] if failure else remarks[1]
        lines = [*lines, *self._raised(by)]
        return Answers(question, epsilon, delta, by, best, remarks[0], lines)

    def _raised(self, by: Mapping[str, Answer]) -> list[str]:
        """Which accountants asked for less noise than a run in floats can add."""
        names = [name for name, answer in by.items() if "raised_from" in answer.details]
        if not names:
            return []
        magnitude = self._magnitude
        assert magnitude is not None
        return [
            f"{', '.join(names)}: raised to 2^-40 of {shown(magnitude)}, a length of what it is "
            "added to; rounding hides less"
        ]
