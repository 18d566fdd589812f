"""The accountants of sglu side by side: what each asks of sigma, and what epsilon each certifies.

- `printed`: the paper's own: Theorem 3.2 with Proposition K.2 (Algorithm 5), for several requests
  Corollary 3.8 with Theorem 3.11 (Algorithm 6, its distance updated), for a random batch order
  Corollary 3.9.
- `corrected`: the same argument with the noise variance that the algorithm has, the shift spread
  over all unlearning steps, the optimal triangle inequality, and the Gaussian trade-off curve.
- `exact`: the optimal accounting of the whole process, learning noise included.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from accounting.noisy_sgd.closed_forms import distance_learning, geometric_sum, mu_same_updates
from accounting.noisy_sgd.langevin import NoisySGD, mu_unlearning
from accounting.noisy_sgd.random_position import MOST_POSITIONS, position_mus
from accounting.numerics import validation
from bounds.forms import Array
from bounds.sglu.sequence_plans import least_epochs_each
from bounds.sglu.unit_loss import UnitLoss

ACCOUNTANTS = ("printed", "corrected", "exact")
_MOST_STEPS = 2**62
_LARGEST = 1.7e308


@dataclass(frozen=True)
class TrainingScenario:
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
                    "target must be stationary for several requests or batch_order random, "
                    f"got {self.target}"
                )
        if self.target == "T" and not math.isfinite(self.setting.radius):
            raise ValueError(f"radius must be finite for target T, got {self.setting.radius}")
        if self.requests > 1 and self.batch_order == "random":
            raise ValueError(
                "batch_order must be fixed for several requests (the partition stays), got random"
            )
        if self.batch_order == "random" and not self.setting.batches <= MOST_POSITIONS:
            raise ValueError(
                f"batch_size must leave at most {MOST_POSITIONS} batches for a random batch order, "
                f"got {self.setting.batch_size} of n = {self.setting.n}"
            )


def loss(scenario: TrainingScenario, accountant: str) -> UnitLoss:
    """The loss that an accountant sees in the scenario, at sigma = 1.

    Raises:
        ValueError: there is no such accountant.
    """
    validation.choice("accountant", accountant, ACCOUNTANTS)
    table: dict[str, Callable[[TrainingScenario], UnitLoss]] = {
        "printed": _printed,
        "corrected": _corrected,
        "exact": _exact,
    }
    return table[accountant](scenario)


def noise(scenario: TrainingScenario, epsilon: float, delta: float) -> dict[str, float]:
    """Least sigma for (epsilon, delta), by each accountant."""
    return {name: loss(scenario, name).sigma(epsilon, delta) for name in ACCOUNTANTS}


def privacy(scenario: TrainingScenario, sigma: float, delta: float) -> dict[str, float]:
    """The epsilon that each accountant certifies at this sigma and delta."""
    checked = validation.scalar("sigma", sigma, low=0, low_open=True)
    return {name: loss(scenario, name).epsilon(checked, delta) for name in ACCOUNTANTS}


def epochs(
    scenario: TrainingScenario, sigma: float, epsilon: float, delta: float
) -> dict[str, list[int] | None]:
    """Least epochs K_1..K_S of each request at a given sigma, by each accountant.

    None where no number is enough: for `printed` at epsilon 0, which no Rényi bound reaches.

    Source: sglu, Algorithm 6 with the distance of Theorem 3.11 (`printed`), the variance, the
    iteration and the conversion repaired (`corrected`), and the exact accounting (`exact`).

    Raises:
        ValueError: the target or the batch order has no such plan.
    """
    if scenario.target != "stationary" or scenario.batch_order != "fixed":
        raise ValueError(
            "target must be stationary and batch_order fixed to plan epochs at a given sigma, "
            f"got {scenario.target}, {scenario.batch_order}"
        )
    return {
        name: None
        if name == "printed" and epsilon == 0
        else [*least_epochs_each(name, scenario.setting, sigma, scenario.requests, epsilon, delta)]
        for name in ACCOUNTANTS
    }


def distance(scenario: TrainingScenario) -> float:
    """Z of the last request before it is served: Lemma 3.5, accumulated by Theorem 3.11.

    Z^(s+1) = min(c^{KJ} Z^(s) + Z, 2R) with Z^(1) = Z grows with s, so that what is enough for the
    last request is enough for every one.
    """
    return min(_free_distance(scenario), scenario.setting.diameter)


def _free_distance(scenario: TrainingScenario) -> float:
    """Z (1 - c^{SKJ})/(1 - c^{KJ}): the distance without the cap 2R (but Z capped if m = 0)."""
    s = scenario.setting
    stationary = scenario.target == "stationary"
    if stationary and s.gap == 0 and math.isinf(s.diameter):
        raise ValueError(
            "radius must be finite when strong_convexity is 0 and the target is stationary, "
            f"got {s.radius}"
        )
    epochs = math.inf if scenario.learn_epochs is None or stationary else scenario.learn_epochs
    cap = s.diameter if s.gap == 0 and stationary else math.inf
    last = s.batches - 1
    single = distance_learning(
        s.contraction, s.sensitivity, s.batches, epochs, last, diameter=cap, gap=s.gap
    )
    if scenario.requests == 1:
        return float(single)
    steps = min(scenario.unlearn_epochs * s.batches, _MOST_STEPS)
    with np.errstate(over="ignore"):
        several = distance_learning(
            s.contraction, min(float(single), _LARGEST), steps, scenario.requests, gap=s.gap
        )
    return float(several)


def _spread(scenario: TrainingScenario, distance: float) -> float:
    """mu at sigma = 1 of the unlearning steps alone: Z c^{KJ}/sqrt(2 eta G_c(KJ))."""
    s = scenario.setting
    steps = scenario.unlearn_epochs * s.batches
    if math.isinf(distance):
        return 0.0 if s.contraction == 0 else math.inf
    return float(mu_same_updates(distance, s.contraction, s.unit_noise, steps, gap=s.gap))


def _last_step(scenario: TrainingScenario, distance: float) -> float:
    """The root of the printed slope: Z c^{KJ}/sqrt(2 eta), all noise but the last step's wasted."""
    s = scenario.setting
    total = geometric_sum(s.contraction, scenario.unlearn_epochs * s.batches, gap=s.gap)
    return _spread(scenario, distance) * math.sqrt(float(total))


def _initial(scenario: TrainingScenario) -> float:
    """2R c^{TJ}, the distance that T epochs leave of the initial one."""
    s = scenario.setting
    assert scenario.learn_epochs is not None
    return float(s.diameter * s.contraction ** float(scenario.learn_epochs * s.batches))


def _positions(scenario: TrainingScenario) -> Array:
    """c^{J-1-j} for every position of a random batch order, or just the worst position."""
    s = scenario.setting
    if scenario.batch_order == "fixed":
        return np.ones(1)
    return s.contraction ** np.arange(s.batches - 1, -1, -1, dtype=float)


def _at_positions(scenario: TrainingScenario, worst: float) -> tuple[float, ...]:
    return tuple((worst * _positions(scenario)).tolist())


def _printed(scenario: TrainingScenario) -> UnitLoss:
    remainder = distance(scenario)
    if scenario.target == "T":
        initial = _initial(scenario)
        after = _last_step(scenario, initial + remainder)
        return UnitLoss(
            "weak triangle", (math.hypot(initial / scenario.setting.unit_noise, after),)
        )
    roots = _at_positions(scenario, _last_step(scenario, remainder))
    if scenario.batch_order == "random" or scenario.requests > 1 or scenario.target == "T+K":
        return UnitLoss("Rényi", roots)
    return UnitLoss("weak triangle", roots)


def _corrected(scenario: TrainingScenario) -> UnitLoss:
    s = scenario.setting
    if scenario.target == "T":
        assert scenario.learn_epochs is not None
        initial = _initial(scenario)
        steps = scenario.learn_epochs * s.batches
        learned_noise = s.unit_noise * math.sqrt(
            float(geometric_sum(s.contraction, steps, gap=s.gap))
        )
        after = _spread(scenario, min(initial + distance(scenario), s.diameter))
        return UnitLoss("Gaussian", (initial / learned_noise + after,))
    return UnitLoss("Gaussian", _at_positions(scenario, _spread(scenario, distance(scenario))))


def _exact(scenario: TrainingScenario) -> UnitLoss:
    s = scenario.setting
    K = scenario.unlearn_epochs
    if scenario.requests > 1:
        return UnitLoss("Gaussian", (_last_of_several(scenario),))
    if scenario.batch_order == "random":
        return UnitLoss("Gaussian", tuple(map(float, position_mus(s, K))))
    T = None if scenario.target == "stationary" else scenario.learn_epochs
    mu = mu_unlearning(s, 1.0, K, learn_epochs=T, target=scenario.target)
    return UnitLoss("Gaussian", (float(mu),))


def _last_of_several(scenario: TrainingScenario) -> float:
    """mu at sigma = 1 of the last request, from the stationary law.

    The noise before a request may be counted only with the distance that no cap has cut, since a
    restart at distance 2R forfeits it. Either accounting is valid; the smaller one is returned,
    the least possible where the cap is idle.
    """
    s = scenario.setting
    free = _free_distance(scenario)
    capped = _spread(scenario, min(free, s.diameter))
    if s.gap in (0, 1) or not math.isfinite(free):
        return capped
    steps = scenario.unlearn_epochs * s.batches
    share = math.sqrt(-math.expm1(2 * steps * math.log1p(-s.gap)))
    return min(_spread(scenario, free) * share, capped)
