"""Privacy from samples: is what was claimed compatible with them, and would it have shown?

Both assertions fail a true claim with probability at most 1 - confidence, 1e-6 unless asked
otherwise, whatever the laws are. What they could have seen is stated with every answer, and by
pytest of every test, failed or passed: two Gaussians `detectable_mu` apart, which have an epsilon
of `detectable_epsilon`, would have been refused with probability at least 0.9.  With `detects`
the test itself says what it has to see, and pytest's summary says nothing of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from forgetproof.ours import inside_ours
from forgetproof.testing.power import state

if TYPE_CHECKING:
    from verify.audit import AuditReport

CONFIDENCE = 1 - 1e-6
_DELTA = 1e-5  # at which epsilon is told where the claim has none


@dataclass(frozen=True)
class Separation:
    """How far apart two laws are, by samples.

    Attributes:
        mu: lower limit of the true mu, wrong with probability at most `level`.
        level: that probability.
        detectable_mu: Gaussians this far apart would have been refused with probability 0.9.
        judged: samples of each law that judged (the others chose what to look at).
        detectable_epsilon: of those Gaussians at delta 1e-5; laws with a smaller one may pass.
    """

    mu: float
    level: float
    detectable_mu: float
    judged: int

    @property
    def detectable_epsilon(self) -> float:
        from accounting.curves.gaussian import epsilon_gdp

        if math.isinf(self.detectable_mu):
            return math.inf
        return float(epsilon_gdp(self.detectable_mu, _DELTA))


@inside_ours
def assert_gdp(
    samples_p: ArrayLike,
    samples_q: ArrayLike,
    mu: float,
    confidence: float = CONFIDENCE,
    *,
    detects: float | None = None,
) -> Separation:
    """Raise AssertionError if samples refute that the two laws are mu-GDP, in both directions.

    Args:
        samples_p, samples_q: (trials, ...), at least 24 each; rows are independent outputs.
        mu: claimed, >= 0.
        confidence: in (0, 1); a true claim fails with probability at most 1 - confidence.
        detects: fail too if Gaussians this far apart could have gone unnoticed (with probability
            over 0.1): too few samples are then no success.

    Returns what the samples show. Raises ValueError for bad input.
    """
    __tracebackhide__ = True
    from accounting.numerics import validation
    from verify.audit import GaussianDP, compare, detectable_mu
    from verify.audit.events import LARGEST, samples_of
    from verify.audit.report import noticeable

    claim = GaussianDP(validation.scalar("mu", mu, low=0, high=LARGEST))
    first, second = samples_of("samples_p", samples_p), samples_of("samples_q", samples_q)
    if first.shape[1] != second.shape[1]:
        raise ValueError(
            f"samples_p and samples_q must have rows of one length, got {first.shape} and "
            f"{second.shape}"
        )
    target = None
    if detects is not None:
        target = validation.scalar("detects", detects, low=claim.mu, low_open=True, high_open=True)
    limits = compare(first, second, confidence=confidence, claim=claim)
    # What could be seen is limited by the smaller of the two samples.
    judged = min(limits.judged)
    resolution = detectable_mu(
        claim,
        judged,
        confidence=confidence,
        events=len(limits.names) or 1,
        dimension=limits.dimension,
    )
    strength = "0.9 against no Gaussians, however far apart"
    # Infinite where no distance would be refused so surely: there are too few samples.
    if math.isfinite(resolution):
        strength = f"0.9 against Gaussians {resolution:.4g} apart"
    separation = Separation(limits.mu(), 1 - float(confidence), resolution, judged)
    if target is None:
        state(noticeable(claim, resolution, _DELTA, separation.level, judged))
    power = (
        f"level       {separation.level:.3g}: the chance that a true claim fails\n"
        f"power       {strength}; {judged} samples of each law judged"
    )
    if limits.refutes(claim):
        p, q = limits.corners()
        # The event that exceeds what is claimed by most, of those that were judged.
        worst = int((q - claim.most(p)).argmax())
        raise AssertionError(
            f"the laws are not {claim.mu:.6g}-GDP: mu is at least {separation.mu:.6g}\n"
            f"event       probability at most {p[worst]:.6g} under one law, "
            f"at least {q[worst]:.6g} under the other, "
            f"claimed at most {float(claim.most(p[worst])):.6g}\n{power}"
        )
    # Also where the resolution is NaN.
    if target is not None and not resolution <= target:
        raise AssertionError(
            f"too few samples to tell: Gaussians {target:.4g} apart could go unnoticed\n{power}"
        )
    return separation


@inside_ours
def assert_unlearning(
    learn: Callable[..., Any],
    unlearn: Callable[..., Any],
    retrain: Callable[..., Any],
    epsilon: float | None = None,
    delta: float | None = None,
    *,
    data: Any,
    request: Any,
    mu: float | None = None,
    renyi: Any = None,
    trials: int = 10_000,
    confidence: float = CONFIDENCE,
    seed: int = 0,
    batched: bool = False,
    detects: float | None = None,
) -> AuditReport:
    """Raise AssertionError if samples refute that unlearning is as private as claimed.

    Args:
        learn: learn(data, rng) -> state.
        unlearn: unlearn(state, data, request, rng) -> what is released.
        retrain: retrain(data, request, rng) -> the same, never having seen what is removed.
        epsilon, delta, mu, renyi: the claim between the laws of `unlearn` and `retrain`, in both
            directions; exactly one kind (renyi: rho for D_alpha <= rho alpha, or (alpha, value)).
        data, request: passed on as they are.
        trials: samples of each law, at least 24.
        confidence: in (0, 1); a true claim fails with probability at most 1 - confidence.
        seed: of everything random; the same seed gives the same answer.
        batched: learn and retrain take a last argument `trials`, outputs have trials first.
        detects: fail too if laws as far apart as this could have gone unnoticed (with probability
            over 0.1): the epsilon of two Gaussians at delta, where epsilon and delta are claimed;
            else their mu.

    At the defaults (1, 1e-5) is told from an epsilon of about 3.5 and more, and from nothing less:
    what would have been noticed stands in the report, as `detectable_epsilon` and `power`, and
    without `detects` at the end of pytest's output, also where the test passes.

    Returns the report of the audit. Raises ValueError for bad input, or where a function fails.
    """
    __tracebackhide__ = True
    from accounting.numerics import validation
    from verify.audit import audit

    target = None
    if detects is not None:
        # What the claim admits can never be detected, however many the trials.
        name, value = ("epsilon", epsilon) if epsilon is not None else ("mu", mu)
        least = 0.0 if value is None else validation.scalar(name, value, low=0, high_open=True)
        target = validation.scalar("detects", detects, low=least, low_open=True, high_open=True)
    report = audit(
        learn,
        unlearn,
        retrain,
        data,
        request,
        epsilon=epsilon,
        delta=delta,
        mu=mu,
        renyi=renyi,
        trials=trials,
        confidence=confidence,
        seed=seed,
        batched=batched,
    )
    if target is None:
        state(report.power)
    if report.refuted:
        raise AssertionError(f"the claim is refuted by samples\n{report}")
    # epsilon is told at the claimed delta; other claims by mu, which needs none.
    resolution = report.detectable_mu if epsilon is None else report.detectable_epsilon
    if target is not None and not (resolution is not None and resolution <= target):
        what = f"Gaussians {target:.4g} apart"
        if epsilon is not None:
            what = f"a true epsilon of {target:.4g} at delta {delta:.3g}"
        raise AssertionError(f"too few samples to tell: {what} could go unnoticed\n{report}")
    return report
