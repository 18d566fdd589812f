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
from accounting.problems.clipped import Clipped
from accounting.sampled.privacy import sampled_epsilon
from accounting.sampled.training_alone import available

TIGHT = ("cyclic", "full")
"""Their composition is a Gaussian curve, attained by linear losses."""
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
    drawn = steps.first.batches.drawn
    # Another row may stand in the place: two rows move the sum.
    kappa = 2.0 if mechanism.relation.adjacency == "replace" else 1.0
    moved = steps.spread(_relative)
    squares = (kappa * steps.present * moved * steps.seen) ** 2
    size, n = steps.first.batches.size, mechanism.n
    if drawn not in ("cyclic", "shuffled"):
        return float(np.sqrt(squares.sum())) * _UP
    if size is None or n is None or steps.first.batches.last == "filled":
        return math.inf
    batches = n // size if steps.first.batches.last == "dropped" else -(-n // size)
    if drawn == "shuffled":
        # The row is in one batch of each epoch, in whichever.
        return float(np.sqrt(squares.max() * -(-steps.total // batches))) * _UP
    return float(np.sqrt(max(squares[at::batches].sum() for at in range(batches)))) * _UP


def _relative(segment: Gradient) -> float:
    """The most that a row moves the sum of a batch, over its noise; 0 where no row is seen."""
    return most_moved(segment) / multiplier(segment) if segment.sees else 0.0


def certified(steps: GradientSteps, delta: float) -> tuple[float, str, tuple[str, ...]]:
    """epsilon that is certified, by which route, and why there is none."""
    whole, refusal = attempt(partial(_composition, steps, delta), math.inf)
    best = (whole, "the composition of all steps")
    if steps.mechanism.released != "every" and contracts(steps):
        after, refusal = attempt(partial(_contraction, steps, delta), math.inf)
        best = min(best, (after, "noisy SGD on sampled batches"))
    if math.isfinite(best[0]):
        return (*best, ())
    return math.inf, "", (refusal,) if refusal else ()


def _composition(steps: GradientSteps, delta: float) -> float:
    """Every state is counted: optimizers and projections only read what was released."""
    made = setting(seeing(steps), most_moved)
    if made.sampled.reference != "T+K":
        refuse("relation.reference", "the composition is of runs of the same length")
    bounds = [float(epsilon_gdp(largest_mu(steps.mechanism), delta))]
    if available() or made.sampled.sampling in ("shuffled", *TIGHT):
        whole = replace(made.sampled, published=())
        bounds.append(sampled_epsilon(whole, made.sigma, delta, "training"))
    return min(bounds)


def _contraction(steps: GradientSteps, delta: float) -> float:
    """What later steps hide is counted."""
    made = setting(steps, most_moved, contracts=True)
    sampled = made.sampled
    if steps.mechanism.requests == "adaptive" and 0 < steps.length < steps.total:
        # What requests may depend on: the models before each of them are counted as seen.
        left = np.flatnonzero(np.diff(steps.present)) + 1
        ends = sorted({*map(int, sampled.published), *left.tolist()})
        sampled = replace(sampled, published=ends)
    return sampled_epsilon(sampled, made.sigma, delta, "exact")


def certified_clipped(mechanism: MechanismFields, delta: float) -> float:
    """Clipped descent in one order, where the mechanism is one."""
    problem, sigma = problem_of(mechanism)
    if not isinstance(problem, Clipped):
        return math.inf
    return float(problem._claim("least", np.asarray(sigma), delta))
