"""Noisy mini-batch SGD that learns on D and unlearns towards D' (sglu Algorithm 1).

Step: x <- proj(x - eta (mean gradient of the batch) + sqrt(2 eta) sigma W), J = n/b batches in a
fixed order, T epochs on D, then K on D', which differs in one point of batch j0.  It is a noisy
contraction with c = 1 - eta m, shifts q = 2 eta M/b at the steps tJ + j0 of the learning epochs
and noise s = sqrt(2 eta) sigma.  M is half the bound on gradient differences (sglu Remark 3.7).
Targets: "stationary" (T -> inf, both laws stationary), "T" (the paper's: T epochs on D' from
scratch) and "T+K" (T + K epochs on D' with the same initial law).
"""

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.contraction.noisy_contraction import NoisyContraction
from accounting.noisy_sgd.closed_forms import (
    mu_stationary,
    mu_stationary_bounded,
    mu_target_t,
    mu_target_t_plus_k,
)
from accounting.noisy_sgd.constants import NoisySGD as NoisySGD
from accounting.numerics.validation import choice, count, real, scalar

Array = NDArray[np.float64]
Target = Literal["stationary", "T", "T+K"]
TARGETS: tuple[Target, ...] = ("stationary", "T", "T+K")
INITIAL = ("any", "point")
_LONGEST = 10**6
_LONGEST_CHAIN = 2 * 10**7


def _epochs(
    setting: NoisySGD, unlearn_epochs: int, learn_epochs: int | None, target: str
) -> tuple[int, int | None, Target]:
    if not isinstance(setting, NoisySGD):
        raise ValueError(f"setting must be a NoisySGD, got {setting!r}")
    k = count("unlearn_epochs", unlearn_epochs, low=0)
    word = choice("target", target, TARGETS)
    if word == "stationary":
        if learn_epochs is not None:
            raise ValueError(
                f"learn_epochs must be None for the target 'stationary', got {learn_epochs!r}"
            )
        if setting.gap == 0 and math.isinf(setting.radius):
            raise ValueError(
                "radius must be finite for the target 'stationary' when strong_convexity is 0, "
                "got inf"
            )
        return k, None, word
    return k, count("learn_epochs", learn_epochs, low=1), word


def schedule(
    setting: NoisySGD,
    sigma: float,
    unlearn_epochs: int,
    learn_epochs: int | None = None,
    target: str = "stationary",
    position: int | None = None,
    initial: str = "any",
) -> NoisyContraction:
    """Return the noisy contraction whose mu is the privacy of unlearning against the target.

    "T+K": shifts in the T learning epochs, no initial distance.  "T": the two runs aligned at their
    ends, T epochs with shifts in the first (T - K)+ of them, from distance 2R (R if `initial` is
    "point", a point mass at the centre), or 0 if K = 0.  "stationary": as many learning epochs as
    matter (at most 10^6 steps), from the distance Z of the stationary laws.  position None is the
    worst, J - 1.  Raises ValueError on bad input, and for a stationary target without a
    stationary law (m = 0 and R = inf).
    """
    k, t, word = _epochs(setting, unlearn_epochs, learn_epochs, target)
    p, j = setting.position(position), setting.batches
    s = float(setting.noise(scalar("sigma", sigma, low=0, low_open=True, high_open=True)))
    choice("initial", initial, INITIAL)
    start, distance = 0, 0.0
    if word == "stationary":
        t = _epochs_that_matter(setting, k)
        distance = float(setting.distance(math.inf, p))
    assert t is not None
    shifted_epochs = t
    if word == "T" and k > 0:
        shifted_epochs = max(t - k, 0)
        distance = setting.diameter / (2 if initial == "point" else 1)
        start = k
    steps = (t + k - start) * j
    if steps > _LONGEST_CHAIN:
        raise ValueError(f"steps of the chain must be <= {_LONGEST_CHAIN}, got {steps}")
    shift = np.zeros(steps)
    # Batch j0 of every epoch with shifts, counted from 0.
    shift[p : shifted_epochs * j : j] = setting.sensitivity
    return NoisyContraction(
        np.full(steps, setting.contraction), shift, np.full(steps, s), distance, setting.diameter
    )


def _epochs_that_matter(setting: NoisySGD, k: int) -> int:
    """Learning epochs of which earlier ones add less than 2^-60 to the clock or to the shift."""
    j, most = setting.batches, max(1, _LONGEST // setting.batches - k)
    epochs = math.inf
    if setting.contraction < 1:
        # 42 > 60 log 2: by then c^(epochs J) is below 2^-60.
        epochs = 42 / (j * -math.log1p(-setting.gap)) if setting.gap < 1 else 0.0
    if math.isfinite(setting.radius):
        # At c = 1 more shifts than fill the domain add nothing to the distance.
        epochs = min(epochs, setting.diameter / setting.sensitivity) if setting.gap == 0 else epochs
    return int(min(math.ceil(epochs) + 2 if math.isfinite(epochs) else most, most))


def mu_unlearning(
    setting: NoisySGD,
    sigma: ArrayLike,
    unlearn_epochs: int,
    *,
    learn_epochs: int | None = None,
    target: str = "stationary",
    position: int | None = None,
    initial: str = "any",
) -> Array:
    """Return mu such that unlearning K epochs is mu-Gaussian-DP from the target, both ways.

    Closed forms (`accounting.noisy_sgd.closed_forms`) where they are proved to be the least, the
    general accountant of `schedule` elsewhere (beyond 2*10^7 steps a valid closed form if there is
    one). mu is proportional to 1/sigma; sigma may be an array. Exact for the class of the
    hypothesis "gradient_difference" where the projection is inactive. inf when no noise follows the
    last shift or the runs start infinitely far apart. Raises ValueError on bad input.
    """
    k, t, word = _epochs(setting, unlearn_epochs, learn_epochs, target)
    p = setting.position(position)
    choice("initial", initial, INITIAL)
    s = real("sigma", sigma, low=0, low_open=True, high_open=True)
    # At sigma = 1, as mu is proportional to 1/sigma.
    unit, least = _closed(setting, k, t, word, p, initial)
    if not least and (math.isinf(unit) or ((t or 0) + k) * setting.batches <= _LONGEST_CHAIN):
        unit = min(unit, schedule(setting, 1.0, k, t, word, p, initial).mu)
    with np.errstate(over="ignore", under="ignore"):
        mu = unit / s
    return np.where(unit > 0, np.maximum(mu, 5e-324), mu)[()]


def _closed(
    setting: NoisySGD, k: int, t: int | None, target: Target, p: int, initial: str
) -> tuple[float, bool]:
    """A closed form of mu at sigma = 1 (inf where none applies), and whether it is the least."""
    c, g, q, j = setting.contraction, setting.gap, setting.sensitivity, setting.batches
    s, d = setting.unit_noise, setting.diameter
    if target == "stationary":
        if k >= 1 and math.isfinite(d):
            return float(mu_stationary_bounded(c, q, s, j, k, d, p, gap=g)), True
        if math.isinf(d) and (k >= 1 or 2 * p <= j):
            return float(mu_stationary(c, q, s, j, k, p, gap=g)), True
        return math.inf, False
    assert t is not None
    if k == 0:
        return math.inf, False
    idle = math.isinf(d) or c * d + q <= d  # a restart at distance 2R cannot pay
    if target == "T+K":
        return float(mu_target_t_plus_k(c, q, s, j, t, k, p, gap=g)), idle
    z = d / 2 if initial == "point" else d
    if math.isinf(z):
        # From an infinite distance only a total contraction helps.
        return (0.0 if c == 0 else math.inf), True
    if z >= q or t <= k:
        return float(mu_target_t(c, q, s, j, t, k, z, p, gap=g)), idle
    return math.inf, False
