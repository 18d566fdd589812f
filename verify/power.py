"""What a check could have noticed: how loose a form is, how close the experiments came to it.

`slack` is form/tight, `attainment` measured/tight, and `red` the factors on the bound between which
the
verdict stays as it is: `verify --scale F` turns it red exactly when F lies outside.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verify.evidence import Comparison, Evidence
from verify.interpretations import GREEN
from verify.outcome import Outcome
from verify.verdict import Verdict, verdicts


@dataclass(frozen=True)
class Power:
    """The power of one check on one form.

    Attributes:
        claim, key, word: the verdict, "interpretation.form" and its word.
        basis: "exact", "certified" or "statistical".
        instances: how many comparisons stand behind it.
        slack: range of form/tight over the instances, where there is a tight form.
        attainment: the largest measured/tight; 1 means that an experiment attains the best known
            bound.
        lowest, highest: a green verdict stays green for every factor on the bound between these.
    """

    claim: str
    key: str
    word: str
    basis: str
    instances: int
    slack: tuple[float, float] | None
    attainment: float | None
    lowest: float
    highest: float

    @property
    def sharpness(self) -> float:
        """How near 1 the nearest factor lies that turns the check red; 0: none does."""
        return sharpness(self.lowest, self.highest)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, with infinities left to the writer."""
        return {**vars(self), "sharpness": self.sharpness}


def powers(outcomes: Iterable[Outcome]) -> list[Power]:
    """The power of every green verdict, the least sharp first."""
    entries = [
        _power(outcome, verdict)
        for outcome in outcomes
        for verdict in outcome.verdicts
        if verdict.word in GREEN and not outcome.error
    ]
    return sorted(entries, key=lambda p: (p.sharpness, p.claim, p.key))


def predicted(outcomes: Iterable[Outcome], scale: float) -> dict[tuple[str, str], str]:
    """Verdict words, by (claim, "interpretation.form"), of the same evidence with every bound
    scaled.

    Tables are left as they are: how many of their numbers survive a factor only a run can say.
    Raises ValueError unless `scale` is positive and finite.
    """
    if not 0 < scale < math.inf:
        raise ValueError(f"scale must be > 0 and finite, got {scale}")
    return {
        (outcome.claim.id, verdict.key): verdict.word
        for outcome in outcomes
        for verdict in verdicts(outcome.claim, [_scaled(e, scale) for e in outcome.evidence])
    }


def sharpness(lowest: float, highest: float) -> float:
    """How near 1 the nearest factor lies below the one or above the other; 0: there is none."""
    return max(lowest, 1 / highest if highest > 0 else math.inf)


def green_for_all(comparisons: Iterable[Comparison]) -> tuple[float, float]:
    """The factors on the bound between which none of these comparisons is violated.

    Without comparisons (tables, declarations) there is no such limit: 0 and infinity.
    """
    limits = [green_between(each) for each in comparisons] or [(0.0, math.inf)]
    return max(low for low, _ in limits), min(up for _, up in limits)


def green_between(comparison: Comparison) -> tuple[float, float]:
    """The factors on its bound between which this comparison is not violated.

    The tolerance is relative to the larger side, so that `a <= F b` fails once F < a (1 - tol)/b.
    A bound of 0 or infinity does not change with a factor.
    """
    a, b, keep = comparison.measured, comparison.bound, 1.0 - comparison.tolerance
    # Such sides do not change their order under a factor: green for every one.
    if b == 0 or math.isinf(b) or math.isinf(a) or (a > 0) != (b > 0):
        return 0.0, math.inf
    # The slack is a share of the larger side, which is a below a/b and the scaled bound above it.
    below, above = a / b * keep, a / b / keep
    if comparison.relation == "==":
        return below, above
    # A negative bound scales the other way: a larger factor makes it smaller.
    return (below, math.inf) if (comparison.relation == "<=") == (b > 0) else (0.0, above)


def _power(outcome: Outcome, verdict: Verdict) -> Power:
    return Power(
        outcome.claim.id,
        verdict.key,
        verdict.word,
        verdict.basis,
        verdict.instances,
        verdict.slack,
        verdict.attainment,
        *green_for_all(_bounds(outcome.evidence, verdict)),
    )


def _bounds(evidence: Sequence[Evidence], verdict: Verdict) -> list[Comparison]:
    return [
        e
        for e in evidence
        if isinstance(e, Comparison)
        and (e.interpretation, e.form, e.role) == (verdict.interpretation, verdict.form, "bound")
    ]


def _scaled(item: Evidence, scale: float) -> Evidence:
    if isinstance(item, Comparison) and item.role == "bound":
        return replace(item, bound=item.bound * scale)
    return item
