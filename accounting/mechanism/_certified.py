"""What is certified of gradient steps: the least of several bounds from above."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from accounting.curves.gaussian import epsilon_gdp
from accounting.mechanism._coverage import alike, contracts, seeing, uncovered
from accounting.mechanism._setting import GradientSteps, most_moved, multiplier, refuse, setting
from accounting.mechanism._steps import Gradient
from accounting.mechanism._to_problem import problem_of
from accounting.mechanism._unhidden import without_secret
from accounting.mechanism._value import MechanismFields
from accounting.numerics.attempt import attempt
from accounting.problems.answer import Array
from accounting.problems.clipped import Clipped
from accounting.sampled.privacy import sampled_epsilon
from accounting.sampled.training_alone import available

TIGHT = ("cyclic", "full")
"""Their composition is a Gaussian curve, attained by linear losses."""
COMPOSED = "the composition of all steps"
SAME_LENGTH = ("N+K", "other")
_UP = 1 + 2.0**-40


def largest_mu(mechanism: MechanismFields) -> float:
    """mu of the Gaussian mechanism that sees every state, with the row in every batch; inf if none.

    Whatever the batches are, known batches tell no less.
    """
    steps = GradientSteps(mechanism)
    if uncovered(steps) or without_secret(steps, 0.5) is not None or not alike(steps):
        return math.inf
    if mechanism.relation.reference not in SAME_LENGTH:
        return math.inf
    # Another row may stand in the place: two rows move the sum.
    kappa = 2.0 if mechanism.relation.adjacency == "replace" else 1.0
    squares = (kappa * steps.present * steps.spread(_relative) * steps.seen) ** 2
    return float(np.sqrt(_visited(steps, squares))) * _UP


def _visited(steps: GradientSteps, squares: Array) -> float:
    """The most that the squares of the steps come to in which a row is."""
    first, n = steps.first.batches, steps.mechanism.n
    whole = len({each.batches for each in steps.segments}) == 1 and first.last != "filled"
    if first.drawn not in ("cyclic", "shuffled") or not whole or n is None or not first.size:
        # In every one, at most.
        return float(squares.sum())
    batches = max(n // first.size if first.last == "dropped" else -(-n // first.size), 1)
    if first.drawn == "shuffled":
        # In one batch of each epoch, in whichever.
        return float(squares.max() * -(-steps.total // batches))
    return max(float(squares[at::batches].sum()) for at in range(batches))


def _relative(segment: Gradient) -> float:
    """The most that a row moves the sum of a batch, over its noise; 0 where no row is seen."""
    return most_moved(segment) / multiplier(segment) if segment.sees else 0.0


def certified(steps: GradientSteps, delta: float) -> tuple[float, str, tuple[str, ...]]:
    """epsilon that is certified, by which route, and why there is none."""
    routes = [(_gaussian, "every state and batch known"), (_composition, COMPOSED)]
    if steps.mechanism.released != "every" and contracts(steps):
        routes.append((_contraction, "noisy SGD on sampled batches"))
    attempts = [(attempt(partial(route, steps, delta), math.inf), words) for route, words in routes]
    best, words = min((value, words) for (value, _), words in attempts)
    if math.isfinite(best):
        return best, words, ()
    refusals = [refusal for (_, refusal), _ in attempts if refusal]
    return math.inf, "", tuple(refusals[-1:])


def _gaussian(steps: GradientSteps, delta: float) -> float:
    """A Gaussian mechanism, whatever the batches."""
    return float(epsilon_gdp(largest_mu(steps.mechanism), delta))


def _composition(steps: GradientSteps, delta: float) -> float:
    """Every state is counted: optimizers and projections only read what was released."""
    case = setting(seeing(steps), most_moved)
    if case.sampled.reference != "T+K":
        refuse("relation.reference", "the composition is of runs of the same length")
    if not available() and case.sampled.sampling not in ("shuffled", *TIGHT):
        return math.inf
    return sampled_epsilon(replace(case.sampled, published=()), case.sigma, delta, "training")


def _contraction(steps: GradientSteps, delta: float) -> float:
    """What later steps hide is counted."""
    case = setting(steps, most_moved, contracts=True)
    sampled = case.sampled
    if steps.mechanism.requests == "adaptive" and 0 < steps.length < steps.total:
        # What requests may depend on: the models before each of them are counted as seen.
        left = np.flatnonzero(np.diff(steps.present)) + 1
        ends = sorted({*map(int, sampled.published), *left.tolist()})
        sampled = replace(sampled, published=ends)
    return sampled_epsilon(sampled, case.sigma, delta, "exact")


def certified_clipped(mechanism: MechanismFields, delta: float) -> float:
    """Clipped descent in one order, where the mechanism is one."""
    problem, sigma = problem_of(mechanism)
    if not isinstance(problem, Clipped):
        return math.inf
    return float(problem._claim("least", np.asarray(sigma), delta))
