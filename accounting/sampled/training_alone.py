"""What training alone costs, every step published: no later step can make it worse.

One step of Poisson sampling is N(0, s^2) against (1 - q) N(0, s^2) + q N(1, s^2), s = sigma/kappa,
kappa what the row moves the sum by (`SampledSGD.moved`).
The composition is dp-accounting's privacy loss distribution, rounded to the safe side there.  Where
every pattern has the same number of inclusions it is a Gaussian curve.
"""

import math
from collections.abc import Iterable
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np
import scipy

from accounting.curves.discrete_sums import Array, resolvable, times
from accounting.curves.gaussian import epsilon_gdp
from accounting.curves.gaussian_mixtures import epsilon as mixture_epsilon
from accounting.sampled._draws import draws_law
from accounting.sampled._same_batches import displaced
from accounting.sampled._unlike_rates import moved_by
from accounting.sampled.algorithm import SampledSGD
from accounting.sampled.changed_data import dropped, unlike
from accounting.sampled.schedules import RESIZING

_INTERVAL = 3e-4  # of the privacy loss, as a part of what one step may lose
_WIDER = 10.0  # where several rows take seconds each time: 1e-4 of epsilon, on the safe side
_MOST_VALUES = 16  # of what a row moves different steps by
_MOST_PARTS = 64  # different steps that are composed
_MOST_ROWS = 600  # in all different steps; epsilon is far beyond use where there are more
_LEAST = 0.03  # noise multiplier for one row; below, epsilon is in the thousands
_MOST_OF_MANY = 1e4  # the same where a row moves a step by one of many values
_MOST = 1e8  # of the least noise multiplier: more is counted as this, as rounding would rule
_DOWN = 2.0**-50  # of the values of a lower bound, for each step
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
    # Under Poisson sampling the relation of dp-accounting itself counts a replaced row twice.
    kappa = 2 if setting.adjacency == "replace" and setting.sampling != "poisson" else 1
    if setting.sampling == "fixed":
        # With a row in its place, in either run, what a batch has depends on the draw.
        if setting.adjacency not in RESIZING:
            return math.inf
        kappa = 2
    # In units of eta C/B, as sigma is: their quotient is the noise multiplier of one row.
    displacement = setting.moved(kappa)
    shifts = displaced(setting)
    if shifts is not None:
        return _gaussian(math.sqrt(float(((shifts / profile) ** 2).sum())) / sigma, delta)
    if unlike(setting):
        return _unlike(setting, sigma, delta)
    if setting.sampling in ("cyclic", "full"):
        squares = (rows * displacement / profile) ** 2
        each = setting.epoch if setting.sampling == "cyclic" else 1
        # The row is in one batch of each epoch, the same in all: the worst of its places.
        most = max(float(squares[first::each].sum()) for first in range(each))
        return _gaussian(math.sqrt(most) / sigma, delta)
    if setting.sampling == "shuffled":
        epochs = -(-setting.steps // setting.epoch)
        most = float(displacement[: setting.steps].max())
        # A deletion moves the last row too: (1 + g) where it leaves, and 1 in the last batch.
        square = (1 + most) ** 2 + 1 if setting.adjacency in RESIZING else most**2
        mu = math.sqrt(square * epochs) / float(profile[: setting.steps].min())
        return _gaussian(mu / sigma, delta)
    steps: dict[Step, int] = {}
    there = rows > 0
    # Each number of rows at a step takes milliseconds, in all different steps.
    if int(np.unique(rows).sum()) > _MOST_ROWS:
        return math.inf
    noise = sigma * profile[there] / _few(displacement[there])
    # All in proportion, and never up: less noise is the safe side.
    noise = noise * min(_MOST / float(noise.min()), 1.0)
    for s, q, m in zip(
        noise.tolist(), setting.rates[there].tolist(), rows[there].tolist(), strict=True
    ):
        steps[s, q, m] = steps.get((s, q, m), 0) + 1
    return _composed(tuple(sorted(steps.items())), setting.adjacency == "replace", delta)


def training_at_least(setting: SampledSGD, sigma: float, delta: float) -> float:
    """What `training_epsilon` cannot be below, at the cost of one curve; 0 where none is known.

    One test of the outputs y_k of all steps: sum c_k y_k, c_k = m_k q_k/s_k^2, is a sum of draws of
    c_k and normal noise of the variance sum c_k^2 s_k^2.
    """
    draws = setting.sampling == "poisson" or setting.exchange == 2
    one_sided = setting.adjacency != "replace" and not unlike(setting)
    there = setting.present > 0
    if not (draws and one_sided and setting.reference == "T+K" and there.any()):
        return 0.0
    rows, rate = setting.present[there].astype(np.float64), setting.rates[there]
    # In units of the least noise, whose square may leave the floats.
    noise = setting.profile[there] / setting.moved(setting.exchange)[there]
    least = float(noise.min())
    weight = rows * rate / (noise / least) ** 2
    deviation = float(np.linalg.norm(weight * (noise / least))) * least * sigma
    law = (draws_law(weight / deviation * (1 - _DOWN * noise.size), rows, rate),)
    if not resolvable(law):
        return 0.0
    away = mixture_epsilon(law, None, delta, up=False)
    return max(away, mixture_epsilon(None, times(law, -1), delta, up=False))


def _gaussian(mu: float, delta: float) -> float:
    return float(epsilon_gdp(mu * (1 + 2.0**-40), delta))


def _unlike(setting: SampledSGD, sigma: float, delta: float) -> float:
    """Where common rows have two rates: the batch at the higher one is drawn for both runs."""
    numbers = dropped(setting, delta)
    spare = delta - numbers.owed
    noise = sigma * setting.profile
    noise = noise * min(_MOST_OF_MANY / float(noise.min()), 1.0)
    parts: dict[tuple[float, ...], tuple[int, int]] = {}
    same = (setting.present, setting.share, setting.rates, setting.rates_without)
    for k, key in enumerate(zip(noise, *same, strict=True)):
        if key[1] > 0 or key[3] != key[4]:
            parts[key] = (k, parts.get(key, (k, 0))[1] + 1)
    if not spare > 0 or len(parts) > _MOST_PARTS:
        return math.inf
    moves = [(key[0], *moved_by(setting, numbers, k), times) for key, (k, times) in parts.items()]
    least = min(s for s, *_ in moves)
    most = max(max(shifts) for _, shifts, _, _ in moves)
    # Too little noise: the law of the loss would be too long to compose.
    if not least > _LEAST * most:
        return math.inf
    from dp_accounting.pld import privacy_loss_distribution as losses

    interval = _INTERVAL * max(most / least, (most / least) ** 2)

    def mixture(s: float, moved: list[float], chance: list[float]) -> Any:
        return losses.from_mixture_gaussian_mechanism(
            s, moved, chance, value_discretization_interval=interval
        )

    steps = ((mixture(float(s), *law), times) for s, *law, times in moves)
    return _epsilon(steps, spare)


def _epsilon(parts: Iterable[tuple[Any, int]], delta: float) -> float:
    """epsilon of steps one after another, from the loss of each and how often it is suffered."""
    total: Any = None
    for loss, often in parts:
        part = loss.self_compose(often)
        total = part if total is None else total.compose(part)
    return _number(total.get_epsilon_for_delta(delta))


def _number(found: float) -> float:
    """inf where rounding left no number."""
    return math.inf if math.isnan(found) else max(float(found), 0.0)


def _few(moved: Array) -> Array:
    """The same where there are few values, and otherwise few values above them."""
    if np.unique(moved).size <= _MOST_VALUES:
        return moved
    top = float(moved.max())
    values: Array = top * np.ceil(moved / top * _MOST_VALUES) / _MOST_VALUES * (1 + 2.0**-50)
    return values


@lru_cache(maxsize=64)
def _composed(steps: tuple[tuple[Step, int], ...], replace: bool, delta: float) -> float:
    from dp_accounting import NeighboringRelation
    from dp_accounting.pld import privacy_loss_distribution as losses

    least = min(s for (s, _, _), _ in steps)
    most = max(m for (_, _, m), _ in steps)
    if not least > _LEAST * most or sum(m for (_, _, m), _ in steps) > _MOST_ROWS:
        return math.inf
    interval = _INTERVAL * max(most / least, (most / least) ** 2) * (_WIDER if most > 1 else 1.0)
    relation = NeighboringRelation.REPLACE_ONE if replace else NeighboringRelation.ADD_OR_REMOVE_ONE

    def step(s: float, q: float, m: int) -> Any:
        if m == 1:
            return losses.from_gaussian_mechanism(
                s,
                value_discretization_interval=interval,
                sampling_prob=q,
                neighboring_relation=relation,
            )
        number = np.arange(m + 1)
        chance = scipy.special.binom(m, number) * q**number * (1 - q) ** (m - number)
        return losses.from_mixture_gaussian_mechanism(
            s, number, chance / chance.sum(), value_discretization_interval=interval
        )

    return _epsilon(((step(*each), times) for each, times in steps), delta)
