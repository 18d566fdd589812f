"""epsilon of a mechanism at a delta, from both sides; and mu, where its laws are Gaussian."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

from accounting.curves.gaussian import epsilon_gdp
from accounting.mechanism._certified import largest_mu
from accounting.mechanism._gradients import gradient_truth
from accounting.mechanism._maps import GaussianTruth, gaussian_truth
from accounting.mechanism._setting import FieldNotCovered
from accounting.mechanism._steps import Maps
from accounting.mechanism._two_sides import Truth, consistent
from accounting.mechanism._value import MechanismFields
from accounting.numerics.validation import scalar

_DOWN = 1 - 1e-12
_NEAR_ZERO = 1e-9  # a delta: what is told apart there has no epsilon at delta = 0
NO_DELTA = "Gaussian noise has no epsilon at delta = 0"


def truth(mechanism: MechanismFields, delta: float) -> Truth:
    """Return lower <= epsilon <= upper at delta in [0, 1), and by which route.

    `upper` is certified of every instance of the class that the document declares; some instance of
    it needs `lower`.  A draft, and what nothing of ours speaks of, have 0 and infinity, with the
    fields.  Raises ValueError for a delta out of range.
    """
    at = scalar("delta", delta, low=0.0, high=1.0, high_open=True)
    if mechanism.draft:
        unknown = tuple(f"{path}: unknown" for path in mechanism.unknowns)
        return Truth(0.0, math.inf, "a draft", unknown)
    # Claims and places make no difference, and what is remembered is found without them.
    plain = replace(mechanism, claims=(), places=(), source=None, name="-")
    if at > 0:
        return _at(plain, at)
    near = _at(plain, _NEAR_ZERO)
    if near.lower > 0:
        return Truth(math.inf, math.inf, NO_DELTA)
    gaussian = gaussian_bounds(mechanism)
    upper = 0.0 if gaussian.upper == 0 else math.inf
    return Truth(0.0, upper, near.route, near.open_fields)


@lru_cache(maxsize=512)
def _at(mechanism: MechanismFields, delta: float) -> Truth:
    try:
        if not isinstance(mechanism.steps[0], Maps):
            return gradient_truth(mechanism, delta)
        bounds = gaussian_truth(mechanism)
    except FieldNotCovered as refusal:
        return Truth(0.0, math.inf, "", (str(refusal),))
    lower = float(epsilon_gdp(bounds.lower, delta)) * _DOWN
    upper = float(epsilon_gdp(bounds.upper, delta))
    return consistent(lower, upper, bounds.route)


@lru_cache(maxsize=512)
def gaussian_bounds(mechanism: MechanismFields) -> GaussianTruth:
    """mu from both sides; of gradient steps the upper one alone, and 0 from below."""
    if mechanism.draft:
        return GaussianTruth(0.0, math.inf, "a draft")
    try:
        if isinstance(mechanism.steps[0], Maps):
            return gaussian_truth(mechanism)
        upper = largest_mu(mechanism)
    except FieldNotCovered as refusal:
        return GaussianTruth(0.0, math.inf, str(refusal))
    return GaussianTruth(0.0, upper, "a Gaussian mechanism that sees every state and batch")
