"""The accountants of sglu side by side: what each asks of sigma, and what epsilon each certifies.

At sigma = 1 a process has a loss, one number for each batch position of the replaced point: a
Rényi slope rho (D_alpha <= alpha rho) or a Gaussian-DP parameter mu. A slope scales as sigma^-2,
mu as 1/sigma, so that calibration is a division; only a random batch order, which averages over
positions, needs a root finder.

- `printed`: the paper's own: Theorem 3.2 with Proposition K.2 (Algorithm 5), for several requests
  Corollary 3.8 with Theorem 3.11 (Algorithm 6, its distance updated), for a random batch order
  Corollary 3.9.
- `corrected`: the same argument with the noise variance that the algorithm has, the shift spread
  over all unlearning steps, the optimal triangle inequality, and the Gaussian trade-off curve.
- `exact`: the optimal accounting of the whole process, learning noise included.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from accounting import validation
from accounting.calibrate import least_noise
from accounting.closed_forms import geometric_sum
from accounting.gaussian import epsilon_gdp, mu_gdp
from accounting.langevin import NoisySGD, mu_unlearning
from accounting.random_position import epsilon_mixture, position_mus
from accounting.renyi import (
    epsilon_mironov,
    epsilon_weak_triangle,
    rho_mironov,
    rho_weak_triangle,
)
from accounting.sequences import sequence_epochs

ACCOUNTANTS = ("printed", "corrected", "exact")
Kind = Literal["weak triangle", "Rényi", "Gaussian"]


@dataclass(frozen=True)
class Scenario:
    """A training set-up with its requests: what is learned, unlearned, and compared with what.

    Attributes:
        setting: data sizes and constants of the losses.
        unlearn_epochs: K, the epochs of every request.
        learn_epochs: T; needed for the targets "T" and "T+K".
        target: law of comparison: "stationary" (T infinite), "T" (retraining for T epochs,
            Definition 2.3), or "T+K" (retraining for as long as learning and unlearning took).
        batch_order: "fixed" holds for every partition; "random" averages over a secret one.
        requests: S replacements in sequence; the guarantee is that of the last one.

    Raises:
        ValueError: a parameter is out of range, or the combination has no accountant.
    """

    setting: NoisySGD
    unlearn_epochs: int = 1
    learn_epochs: int | None = None
    target: str = "stationary"
    batch_order: str = "fixed"
    requests: int = 1

    def __post_init__(self) -> None:
        validation.choice("target", self.target, ("stationary", "T", "T+K"))
        validation.choice("batch_order", self.batch_order, ("fixed", "random"))
        validation.count("unlearn_epochs", self.unlearn_epochs, low=1)
        validation.count("requests", self.requests, low=1)
        if self.target != "stationary":
            if self.learn_epochs is None:
                raise ValueError(
                    f"learn_epochs must be a whole number >= 1 for target {self.target}, got None"
                )
            validation.count("learn_epochs", self.learn_epochs, low=1)
            if self.requests > 1 or self.batch_order == "random":
                raise ValueError(
                    "target must be stationary for several requests or a random batch order, "
                    f"got {self.target}"
                )
        if self.target == "T" and not math.isfinite(self.setting.radius):
            raise ValueError(f"radius must be finite for target T, got {self.setting.radius}")
        if self.requests > 1 and self.batch_order == "random":
            raise ValueError(
                "batch_order must be fixed for several requests (the partition stays), got random"
            )


@dataclass(frozen=True)
class Loss:
    """Loss at sigma = 1: its kind, and its strength for each equally likely batch position."""

    kind: Kind
    strengths: tuple[float, ...]

    def epsilon(self, sigma: float, delta: float) -> float:
        """The epsilon certified at this sigma and delta."""
        if len(self.strengths) > 1:
            return self._averaged_epsilon(sigma, delta)
        strength = self.strengths[0]
        if self.kind == "Gaussian":
            return float(epsilon_gdp(strength / sigma, delta))
        convert = epsilon_weak_triangle if self.kind == "weak triangle" else epsilon_mironov
        return float(convert(strength / sigma**2, delta))

    def sigma(self, epsilon: float, delta: float) -> float:
        """The least sigma with which this accountant certifies (epsilon, delta)."""
        if len(self.strengths) > 1:
            guess = Loss(self.kind, (max(self.strengths),)).sigma(epsilon, delta)
            return float(least_noise(lambda s: self.epsilon(s, delta), epsilon, start=guess))
        strength = self.strengths[0]
        if self.kind == "Gaussian":
            return strength / float(mu_gdp(epsilon, delta))
        invert = rho_weak_triangle if self.kind == "weak triangle" else rho_mironov
        return math.sqrt(strength / float(invert(epsilon, delta)))

    def _averaged_epsilon(self, sigma: float, delta: float) -> float:
        strengths = np.array(self.strengths)
        if self.kind == "Gaussian":
            return float(epsilon_mixture(strengths / sigma, delta))
        return _renyi_average(strengths / sigma**2, delta)


def loss(scenario: Scenario, accountant: str) -> Loss:
    """The loss that an accountant sees in the scenario, at sigma = 1.

    Raises:
        ValueError: there is no such accountant.
    """
    validation.choice("accountant", accountant, ACCOUNTANTS)
    table: dict[str, Callable[[Scenario], Loss]] = {
        "printed": _printed,
        "corrected": _corrected,
        "exact": _exact,
    }
    return table[accountant](scenario)


def noise(scenario: Scenario, epsilon: float, delta: float) -> dict[str, float]:
    """Least sigma for (epsilon, delta), by each accountant."""
    return {name: loss(scenario, name).sigma(epsilon, delta) for name in ACCOUNTANTS}


def privacy(scenario: Scenario, sigma: float, delta: float) -> dict[str, float]:
    """The epsilon that each accountant certifies at this sigma and delta."""
    checked = validation.scalar("sigma", sigma, low=0, low_open=True)
    return {name: loss(scenario, name).epsilon(checked, delta) for name in ACCOUNTANTS}


def epochs(scenario: Scenario, sigma: float, epsilon: float, delta: float) -> dict[str, list[int]]:
    """Least epochs K_1..K_S of each request at a given sigma, by each accountant.

    Source: sglu, Algorithm 6 with the distance of Theorem 3.11 (`printed`), the variance, the
    iteration and the conversion repaired (`corrected`), and the exact accounting (`exact`).

    Raises:
        ValueError: the target or the batch order has no such plan.
    """
    if scenario.target != "stationary" or scenario.batch_order != "fixed":
        raise ValueError(
            "target must be stationary and batch_order fixed to plan epochs, "
            f"got {scenario.target}, {scenario.batch_order}"
        )
    names = {"printed": "printed", "corrected": "tight", "exact": "exact"}
    return {
        name: sequence_epochs(
            scenario.setting, sigma, scenario.requests, epsilon, delta, accountant=accountant
        ).tolist()
        for name, accountant in names.items()
    }


def distance(scenario: Scenario) -> float:
    """Z of the last request before it is served: Lemma 3.5, accumulated by Theorem 3.11."""
    s = scenario.setting
    c, J, K = s.contraction, s.batches, scenario.unlearn_epochs
    per_epoch = c**J
    if scenario.target == "stationary":
        single = s.kick / (1 - per_epoch) if per_epoch < 1 else math.inf
    else:
        assert scenario.learn_epochs is not None
        single = s.kick * float(geometric_sum(math.sqrt(per_epoch), scenario.learn_epochs))
    total = min(single, 2 * s.radius)
    for _ in range(scenario.requests - 1):
        previous, total = total, min(c ** (K * J) * total + single, 2 * s.radius)
        if total == previous:
            break
    if math.isinf(total):
        raise ValueError(
            "radius must be finite when strong_convexity is 0 and the target is stationary, got inf"
        )
    return total


def _remaining(scenario: Scenario) -> float:
    s = scenario.setting
    return distance(scenario) * s.contraction ** (scenario.unlearn_epochs * s.batches)


def _initial(scenario: Scenario) -> float:
    """2R c^{TJ}, the distance that T epochs leave of the initial one."""
    s = scenario.setting
    assert scenario.learn_epochs is not None
    return 2 * s.radius * s.contraction ** (scenario.learn_epochs * s.batches)


def _positions(scenario: Scenario) -> np.ndarray:
    """c^{J-1-j} for every position of a random batch order, or just the worst position."""
    s = scenario.setting
    if scenario.batch_order == "fixed":
        return np.ones(1)
    return s.contraction ** np.arange(s.batches - 1, -1, -1, dtype=float)


def _printed(scenario: Scenario) -> Loss:
    s = scenario.setting
    remaining = _remaining(scenario)
    if scenario.target == "T":
        K, J = scenario.unlearn_epochs, s.batches
        after = (_initial(scenario) + distance(scenario)) * s.contraction ** (K * J)
        return Loss("weak triangle", ((_initial(scenario) ** 2 + after**2) / (2 * s.step),))
    slopes = (remaining * _positions(scenario)) ** 2 / (2 * s.step)
    if scenario.batch_order == "random" or scenario.requests > 1 or scenario.target == "T+K":
        return Loss("Rényi", tuple(slopes))
    return Loss("weak triangle", tuple(slopes))


def _corrected(scenario: Scenario) -> Loss:
    s = scenario.setting
    K, J = scenario.unlearn_epochs, s.batches
    unit = math.sqrt(2 * s.step)
    spread = unit * math.sqrt(float(geometric_sum(s.contraction, K * J)))
    if scenario.target == "T":
        assert scenario.learn_epochs is not None
        initial = _initial(scenario)
        learned = unit * math.sqrt(float(geometric_sum(s.contraction, scenario.learn_epochs * J)))
        after = min(initial + distance(scenario), 2 * s.radius) * s.contraction ** (K * J)
        return Loss("Gaussian", (initial / learned + after / spread,))
    return Loss("Gaussian", tuple(_remaining(scenario) * _positions(scenario) / spread))


def _exact(scenario: Scenario) -> Loss:
    s = scenario.setting
    if scenario.requests > 1:
        c = s.contraction
        if c == 1:
            return _corrected(scenario)
        scale = math.sqrt((1 - c**2) / (2 * s.step))
        return Loss("Gaussian", (_remaining(scenario) * scale,))
    K = scenario.unlearn_epochs
    if scenario.batch_order == "random":
        return Loss("Gaussian", tuple(map(float, position_mus(s, K))))
    T = None if scenario.target == "stationary" else scenario.learn_epochs
    mu = mu_unlearning(s, 1.0, K, learn_epochs=T, target=scenario.target)
    return Loss("Gaussian", (float(mu),))


def _renyi_average(slopes: np.ndarray, delta: float) -> float:
    """min over alpha of Corollary 3.9's bound plus log(1/delta)/(alpha - 1), for the slopes rho_j.

    (1/(alpha-1)) log mean exp(alpha (alpha-1) rho_j); with t = log(alpha - 1) the objective is
    quasi-convex, and bounded search over an interval that the single-slope optimum centres
    suffices. Any order is valid, so that an inexact minimiser errs on the safe side.
    """
    from scipy.optimize import minimize_scalar
    from scipy.special import logsumexp

    budget = math.log(1 / delta)

    def value(t: float) -> float:
        order = 1 + math.exp(t)
        moments = logsumexp(order * (order - 1) * slopes) - math.log(slopes.size)
        return float((moments + budget) / (order - 1))

    centre = 0.5 * math.log(budget / float(slopes.max()))
    found = minimize_scalar(value, bounds=(centre - 3, centre + 6), method="bounded",
                            options={"xatol": 1e-12})  # fmt: skip
    return float(found.fun)
