"""Whether what is claimed of a mechanism is true: a verdict for each claim, from two numbers.

    holds        upper <= claim, and nothing that the number rests on is uncertain
    conditional  upper <= claim, under conditions that are named
    false        lower > claim: some instance of the class that the document declares needs more
    open         neither, or a draft

A claim is compared on its own scale: epsilon at its delta; the divergence, the slope or mu where
the laws are Gaussian.  Elsewhere a Rényi or Gaussian claim is refuted by an epsilon that it would
imply, at some delta.  Numbers are taken to be equal to 1e-9.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from accounting.curves.gaussian import epsilon_gdp
from accounting.mechanism._claims import PrivacyClaim
from accounting.mechanism._truth import gaussian_bounds, truth
from accounting.mechanism._value import MechanismFields
from accounting.renyi.linear import epsilon_cks

ROOM = 1e-9
WORDS = ("holds", "conditional", "false", "open")
_DELTAS = (1e-2, 1e-5, 1e-8, 1e-12)
_SOFT = {
    "assumed": "is assumed",
    "estimated": "is estimated, and no bound",
    "rows": "was computed from private rows",
}


@dataclass(frozen=True)
class ClaimComparison:
    """A claim beside what is true, on one scale.

    Attributes:
        scale: what the numbers are: epsilon, divergence, slope or mu.
        claimed: the largest number that the claim stands for.
        lower, upper: what some instance needs, and what is certified of all.
        delta: of epsilon, else None.
        route: how they were found.
        open_fields: fields of which nothing of ours speaks.
    """

    scale: str
    claimed: float
    lower: float
    upper: float
    delta: float | None
    route: str
    open_fields: tuple[str, ...] = ()

    @property
    def certain(self) -> bool:
        """Whether the claim is certified."""
        return self.upper <= self.claimed * (1 + ROOM)

    @property
    def refuted(self) -> bool:
        """Whether some instance needs more than is claimed."""
        return self.lower > self.claimed * (1 + ROOM)


@dataclass(frozen=True)
class ClaimVerdict:
    """The word for a claim, its numbers, and what it rests on.

    `claim` is its place in the document; `conditions` begin with the path of a field.
    """

    claim: int
    word: str
    comparison: ClaimComparison
    conditions: tuple[str, ...]


def verdicts(mechanism: MechanismFields) -> tuple[ClaimVerdict, ...]:
    """Return the verdict of every claim, in the order of the document."""
    rests = conditions(mechanism)
    return tuple(
        _verdict(at, compare(mechanism, claim), rests, draft=mechanism.draft)
        for at, claim in enumerate(mechanism.claims)
    )


def _verdict(
    at: int, numbers: ClaimComparison, rests: tuple[str, ...], *, draft: bool
) -> ClaimVerdict:
    if draft:
        word = "open"
    elif numbers.certain:
        word = "conditional" if rests else "holds"
    else:
        word = "false" if numbers.refuted else "open"
    return ClaimVerdict(at, word, numbers, (*rests, *numbers.open_fields))


def conditions(mechanism: MechanismFields) -> tuple[str, ...]:
    """What every number of the mechanism rests on, each beginning with the path of a field."""
    return tuple(_conditions(mechanism))


def _conditions(mechanism: MechanismFields) -> Iterator[str]:
    for path, constant in mechanism.constants:
        if not constant.firm:
            by = f" by {constant.by}" if constant.by else ""
            yield f"{path}: {_SOFT[constant.origin]}{by}"
    for path, value in mechanism.walk():
        if path.endswith("noise.seed") and value == "chosen":
            yield f"{path}: the seed was chosen, and has to be secret"
    if not mechanism.draft:
        for what in mechanism.tuned_on_rows:
            yield f"tuned_on_rows: {what} was chosen by looking at private rows, not counted here"


def compare(mechanism: MechanismFields, claim: PrivacyClaim) -> ClaimComparison:
    """Return the claim beside what is true of the mechanism."""
    claimed = claim.number + claim.rounding
    if claim.delta is not None:
        sides = truth(mechanism, claim.delta)
        numbers = (sides.lower, sides.upper, claim.delta, sides.route, sides.open_fields)
        return ClaimComparison("epsilon", claimed, *numbers)
    bounds = gaussian_bounds(mechanism)
    scale, of_mu = _scale(claim)
    own = ClaimComparison(
        scale, claimed, of_mu(bounds.lower), of_mu(bounds.upper), None, bounds.route
    )
    if own.certain or own.refuted:
        return own
    return _implied(mechanism, claim, claimed) or own


def _scale(claim: PrivacyClaim) -> tuple[str, Callable[[float], float]]:
    """The scale of a Gaussian or Rényi claim, and what a mu is on it."""
    if claim.mu is not None:
        return "mu", float
    # mu-Gaussian-DP has D_a <= a mu^2/2, with equality for Gaussians.
    if claim.slope is not None:
        return "slope", lambda mu: mu * mu / 2
    order = claim.order or 1.0
    return "divergence", lambda mu: order * (mu * mu / 2)


def _implied(
    mechanism: MechanismFields, claim: PrivacyClaim, claimed: float
) -> ClaimComparison | None:
    """The comparison at a delta whose implied epsilon is refuted; None where none is."""
    for delta in _DELTAS:
        implied = implied_epsilon(claim, claimed, delta)
        sides = truth(mechanism, delta)
        compared = ClaimComparison("epsilon", implied, sides.lower, sides.upper, delta, sides.route)
        if compared.refuted:
            return compared
    return None


def implied_epsilon(claim: PrivacyClaim, claimed: float, delta: float) -> float:
    """The epsilon at delta that a Gaussian or Rényi claim of this number implies."""
    if claim.mu is not None:
        return float(epsilon_gdp(claimed, delta))
    if claim.slope is not None:
        return float(epsilon_cks(claimed, delta))
    order = claim.order or math.inf
    # D_a <= tau: epsilon = tau + log(1 - 1/a) - (log delta + log a)/(a - 1).
    rest = (math.log(delta) + math.log(order)) / (order - 1)
    return max(claimed + math.log1p(-1 / order) - rest, 0.0)
