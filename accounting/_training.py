"""What training alone costs, every step published: no later step can make it worse.

One step of Poisson sampling is N(0, s^2) against (1 - q) N(0, s^2) + q N(1, s^2), s = sigma/kappa,
kappa what the row moves the sum by (`SampledSGD.moved`).
The composition is dp-accounting's privacy loss distribution, rounded to the safe side there.  Where
every pattern has the same number of inclusions it is a Gaussian curve.
"""

import math
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np
import scipy

from accounting._smoothed import Array
from accounting.gaussian import epsilon_gdp
from accounting.sampled_sgd import SampledSGD

_INTERVAL = 3e-4  # of the privacy loss, as a part of what one step may lose
_MOST_VALUES = 16  # of what a row moves different steps by
_LEAST = 0.03  # noise multiplier for one row; below, epsilon is in the thousands
Step = tuple[float, float, int]  # noise multiplier, sampling rate, rows


def available() -> bool:
    """Whether dp-accounting is installed."""
    return find_spec("dp_accounting") is not None


def training_epsilon(setting: SampledSGD, sigma: float, delta: float) -> float:
    """epsilon of the N steps that see the rows; inf where no composition is known.

    Raises ModuleNotFoundError where dp-accounting is needed and not installed.
    """
    if setting.reference != "T+K":
        return math.inf
    profile, rows = setting.profile, setting.present
    kappa = 2 if setting.adjacency == "replace" and setting.sampling != "poisson" else 1
    if setting.sampling == "fixed":
        if setting.adjacency == "replace":
            return math.inf
        kappa = 2
    moved = setting.moved(kappa)
    if setting.sampling in ("cyclic", "full"):
        squares = (rows * moved / profile) ** 2
        each = setting.epoch if setting.sampling == "cyclic" else 1
        most = max(float(squares[first::each].sum()) for first in range(each))
        return float(epsilon_gdp(math.sqrt(most) / sigma * (1 + 2.0**-40), delta))
    if setting.sampling == "shuffled":
        epochs = -(-setting.steps // setting.epoch)
        most = float(moved[: setting.steps].max())
        square = most**2 if setting.adjacency == "replace" else (1 + most) ** 2 + 1
        mu = math.sqrt(square * epochs) / float(profile[: setting.steps].min())
        return float(epsilon_gdp(mu / sigma * (1 + 2.0**-40), delta))
    steps: dict[Step, int] = {}
    there = rows > 0
    noise = sigma * profile[there] / _few(moved[there])
    for s, q, m in zip(
        noise.tolist(), setting.rates[there].tolist(), rows[there].tolist(), strict=True
    ):
        steps[s, q, m] = steps.get((s, q, m), 0) + 1
    return _composed(tuple(sorted(steps.items())), setting.adjacency == "replace", delta)


def _few(moved: Array) -> Array:
    """The same where there are few values, and otherwise few values above them."""
    if np.unique(moved).size <= _MOST_VALUES:
        return moved
    top = float(moved.max())
    found: Array = top * np.ceil(moved / top * _MOST_VALUES) / _MOST_VALUES * (1 + 2.0**-50)
    return found


@lru_cache(maxsize=64)
def _composed(steps: tuple[tuple[Step, int], ...], replace: bool, delta: float) -> float:
    from dp_accounting import NeighboringRelation
    from dp_accounting.pld import privacy_loss_distribution as losses

    least = min(s for (s, _, _), _ in steps)
    most = max(m for (_, _, m), _ in steps)
    if not least > _LEAST * most:
        return math.inf
    interval = _INTERVAL * max(most / least, (most / least) ** 2)
    relation = NeighboringRelation.REPLACE_ONE if replace else NeighboringRelation.ADD_OR_REMOVE_ONE
    total: Any = None
    for (s, q, m), times in steps:
        if m == 1:
            one = losses.from_gaussian_mechanism(
                s,
                value_discretization_interval=interval,
                sampling_prob=q,
                neighboring_relation=relation,
            )
        else:
            number = np.arange(m + 1)
            chance = scipy.special.binom(m, number) * q**number * (1 - q) ** (m - number)
            one = losses.from_mixture_gaussian_mechanism(
                s, number, chance / chance.sum(), value_discretization_interval=interval
            )
        part = one.self_compose(times)
        total = part if total is None else total.compose(part)
    return max(float(total.get_epsilon_for_delta(delta)), 0.0)
