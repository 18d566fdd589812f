"""Searching a claim: find the largest slack, minimise what violates, certify what can be."""

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import bounds
from accounting.numerics.validation import count, scalar
from verify.context import LEVEL
from verify.search.domain import Point
from verify.search.experiments import extremes
from verify.search.finding import INTERRUPTED, Finding, certified, expected_word
from verify.search.limit import Late, limit
from verify.search.minimise import minimise
from verify.search.optimise import METHODS, SlackObjective, maximise
from verify.search.slack import SlackTarget, slack
from verify.search.targets import targets

MARGIN = 1e-6  # relative size of a violation: ten thousand times an exact side's rounding
SEARCHING = 0.8  # of the seconds; the rest is for minimising and certifying
ENOUGH = 0.05  # slack at which there is nothing left to look for
LONGEST = 1e6  # seconds: longer alarms leave the range of some systems' clocks
FRESH = 1_000_003  # added to the seed of a sampling exact side when its extreme is retested


@dataclass(frozen=True)
class Budget:
    """What a search of one form may spend; raises ValueError outside the ranges."""

    evaluations: int = 3000
    seconds: float = 10.0
    seed: int = 0
    scale: float = 1.0
    methods: tuple[str, ...] = METHODS

    def __post_init__(self) -> None:
        count("evaluations", self.evaluations, low=1, high=10**9)
        count("seed", self.seed, low=0, high=2**32 - 1)
        scalar("seconds", self.seconds, low=0, low_open=True, high=LONGEST)
        scalar("scale", self.scale, low=0, low_open=True, high_open=True)
        if unknown := [m for m in self.methods if m not in METHODS]:
            raise ValueError(f"methods must be of {', '.join(METHODS)}, got {unknown[0]!r}")


def search(
    id: str,
    *,
    interpretation: str | None = None,
    form: str | None = None,
    budget: Budget | None = None,
) -> Iterator[Finding]:
    """The most extreme instance of every form of a claim, one after the other.

    A claim without an exact side or an attained form is searched over its experiments: its check is
    rerun with other seeds, and the most extreme comparison is reported.

    Raises ValueError for an unknown claim, interpretation or form.
    """
    claim = bounds.get(id)
    budget = budget or Budget()
    interpretations = [r.name for r in claim.interpretations]
    forms = {f for r in claim.interpretations for f in r.forms}
    if interpretation is not None and interpretation not in interpretations:
        raise ValueError(
            f"interpretation must be one of {', '.join(interpretations)}, got {interpretation!r}"
        )
    if form is not None and form not in forms:
        raise ValueError(f"form must be one of {', '.join(sorted(forms))}, got {form!r}")
    # What cannot be searched over inputs is left to the experiments.
    candidates = targets(claim, seed=budget.seed, seconds=max(budget.seconds, 1.0))
    selection = [
        t
        for t in candidates
        if interpretation in (None, t.interpretation) and form in (None, t.form)
    ]
    resolved = set()
    for target in selection:
        if one := search_target(target, budget):
            resolved.add((target.interpretation, target.form))
            yield one
    # What no target answered, or answered with nothing measurable.
    missing = {
        (r.name, f)
        for r in claim.interpretations
        for f in r.forms
        if interpretation in (None, r.name) and form in (None, f)
    } - resolved
    if missing:
        yield from extremes(
            claim, missing, seconds=budget.seconds, runs=8, seed=budget.seed, scale=budget.scale
        )


def search_target(target: SlackTarget, budget: Budget) -> Finding | None:
    """The most extreme instance of one form; None when its domain holds nothing measurable."""
    started = time.monotonic()
    record: dict[str, tuple[float, float]] = {}

    def value(point: Point) -> float:
        sides = target.sides(point, budget.scale)
        slack_value = slack(*sides, target.relation)
        # Asked before the objective updates its best, so that `record` holds the sides of that
        # point.
        if slack_value > objective.best:
            record["best"] = sides
        return slack_value

    objective = SlackObjective(
        target.domain, value, budget.evaluations, SEARCHING * budget.seconds, ENOUGH, target.starts
    )
    finished = maximise(objective, seed=budget.seed, methods=budget.methods)
    if objective.point is None:
        return None
    deadline = started + budget.seconds
    return _finding(
        target, objective.point, record["best"], budget, deadline, objective.used, finished, True
    )


def at(target: SlackTarget, point: Mapping[str, Any], budget: Budget) -> Finding:
    """The finding at given inputs, as they are. ValueError outside the domain."""
    if not target.domain.admits(point):
        raise ValueError(f"{target.claim.id}: outside the hypotheses at {dict(point)}")
    deadline = time.monotonic() + budget.seconds
    return _finding(target, point, target.sides(point, budget.scale), budget, deadline)


def _finding(
    target: SlackTarget,
    point: Mapping[str, Any],
    sides: tuple[float, float],
    budget: Budget,
    deadline: float,
    used: int = 1,
    finished: bool = True,
    searched: bool = False,
) -> Finding:
    """What these inputs with these sides show: retested if sampled, minimised if searched for."""
    judge, instance, note = target, dict(point), "" if finished else INTERRUPTED
    retested = target.seed is not None or target.basis == "statistical"
    judged = True
    if target.seed is not None:  # a selected extreme of a sample is judged on a fresh one
        judge = target.reseeded(target.seed + FRESH)
        try:
            with limit(_left(deadline)):
                sides = judge.sides(instance, budget.scale)
        except Late:
            # The sample that selected the extreme is no evidence of it.
            judged = False
            note = f"{note}; no time for a fresh sample".strip("; ")

    def violates(candidate: Point) -> bool:
        nonlocal sides
        if not target.domain.admits(candidate):
            return False
        try:
            with limit(_left(deadline)):
                trial_sides = judge.sides(candidate, budget.scale)
        except (ValueError, Late):
            return False
        # The last candidate that fails leaves its sides for the finding.
        if failed := target.fails(trial_sides, MARGIN):
            sides = trial_sides
        return failed

    violated, proof = judged and target.fails(sides, MARGIN), None
    if violated and searched:
        # Determined arguments follow the candidate before it is judged, and in the result.
        complete = target.domain.complete
        instance = complete(
            minimise(instance, lambda c: time.monotonic() < deadline and violates(complete(c)))
        )
    if violated:
        why = "certification ran out of time"
        with suppress(Late), limit(_left(deadline)):
            proof, why = certified(target, instance, budget.scale)
        note = f"{note}; {why}".strip("; ")
    # Closed forms that stand in for a sampled left side are exact; a certificate beats both.
    statistical = retested and target.basis == "statistical"
    measurement, bound = sides
    return Finding(
        claim=target.claim.id,
        interpretation=target.interpretation,
        form=target.form,
        kind=target.kind if violated else "none",
        relation=target.relation,
        inputs=instance,
        measured=measurement,
        bound=bound,
        slack=slack(measurement, bound, target.relation),
        basis="certified" if proof else "statistical" if statistical else "exact",
        evaluations=used,
        level=LEVEL if statistical else None,
        expected=expected_word(target.claim, target.interpretation, target.form),
        certificate=proof,
        note=note,
    )


def _left(deadline: float) -> float:
    """Seconds to a deadline, half a second at least: what was found must be judged."""
    return max(deadline - time.monotonic(), 0.5)


def judge(
    id: str,
    point: Mapping[str, Any],
    *,
    interpretation: str | None = None,
    form: str | None = None,
    budget: Budget | None = None,
) -> Iterator[Finding]:
    """The findings of a claim at given inputs, without a search.

    Raises ValueError where the inputs are outside the domain, or nothing can be measured there.
    """
    budget = budget or Budget()
    for target in targets(bounds.get(id), seed=budget.seed, seconds=max(budget.seconds, 1.0)):
        if interpretation in (None, target.interpretation) and form in (None, target.form):
            names = target.domain.names
            if missing := [name for name in names if name not in point]:
                raise ValueError(f"{missing[0]} is missing: {id} needs {', '.join(names)}")
            yield at(target, {k: v for k, v in point.items() if k in names}, budget)
