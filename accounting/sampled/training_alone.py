"""What training alone costs, every step published: no later step can make it worse.

One step of Poisson sampling is N(0, s^2) against (1 - q) N(0, s^2) + q N(1, s^2), s = sigma/kappa,
kappa what the row moves the sum by (`SampledSGD.moved`).
A contour encloses their composition (`compositions`), at a cost that does not grow with N.  Where
every pattern has the same number of inclusions it is a Gaussian curve.
"""

import math
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from accounting.compositions.epsilons import StepKind, composition_epsilon
from accounting.curves.discrete_sums import Array, resolvable, times
from accounting.curves.gaussian import epsilon_gdp
from accounting.curves.gaussian_mixtures import epsilon as mixture_epsilon
from accounting.sampled._draws import draws_law
from accounting.sampled._same_batches import displaced
from accounting.sampled._unlike_rates import binomial, moved_by
from accounting.sampled.algorithm import SampledSGD
from accounting.sampled.changed_data import dropped, unlike
from accounting.sampled.schedules import RESIZING

_MOST_VALUES = 16  # of what a row moves different steps by
_MOST_PARTS = 64  # different steps that are composed
_MOST_ROWS = 3000  # in all different steps; epsilon is far beyond use where there are more
_LEAST = 0.03  # noise multiplier for one row; below, epsilon is in the thousands
_MOST_OF_MANY = 1e4  # the same where a row moves a step by one of many values
_MOST = 1e8  # of the least noise multiplier: more is counted as this, as rounding would rule
_DOWN = 2.0**-50  # of the values of a lower bound, for each step
Step = tuple[float, float, int]  # noise multiplier, sampling rate, rows


def training_epsilon(setting: SampledSGD, sigma: float, delta: float) -> float:
    """epsilon of the N steps that see the rows; inf where no composition is known."""
    if setting.reference != "T+K":
        return math.inf
    profile, rows = setting.profile, setting.present
    # Under Poisson sampling a replaced row moves a step either way (`mixture_steps`).
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
    # Each number of rows at a step is an outcome, in all different steps.
    if int(np.unique(rows).sum()) > _MOST_ROWS:
        return math.inf
    noise = sigma * profile[there] / _few(displacement[there])
    # All in proportion, and never up: less noise is the safe side.
    noise = _grouped(noise * min(_MOST / float(noise.min()), 1.0), up=False)
    rates = _grouped(setting.rates[there], up=True)
    for s, q, m in zip(noise.tolist(), rates.tolist(), rows[there].tolist(), strict=True):
        steps[s, q, m] = steps.get((s, q, m), 0) + 1
    return of_rows(tuple(sorted(steps.items())), setting.adjacency == "replace", delta)


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
    kinds = []
    for s, (k, often) in zip((key[0] for key in parts), parts.values(), strict=True):
        shifts, chances = moved_by(setting, numbers, k)
        kinds.append(StepKind(np.array(shifts) / float(s), np.array(chances), often))
    return _composed(kinds, spare, exchanged=False)


def _composed(kinds: list[StepKind], delta: float, *, exchanged: bool) -> float:
    """epsilon of all steps; inf where there is too little noise for it to be of use."""
    if not _LEAST * max(float(kind.shifts.max()) for kind in kinds) < 1:
        return math.inf
    return composition_epsilon(kinds, delta, exchanged=exchanged)


def _few(moved: Array) -> Array:
    """The same where there are few values, and otherwise few values above them."""
    if np.unique(moved).size <= _MOST_VALUES:
        return moved
    top = float(moved.max())
    values: Array = top * np.ceil(moved / top * _MOST_VALUES) / _MOST_VALUES * (1 + 2.0**-50)
    return values


def _grouped(values: Array, *, up: bool) -> Array:
    """The same where there are few values, and otherwise few, in proportion, on the safe side."""
    least, most = float(values.min()), float(values.max())
    if np.unique(values).size <= _MOST_PARTS:
        return values
    spacing = math.log(most / least) / _MOST_PARTS
    place = np.log(values / least) / spacing
    grid = np.ceil(place) if up else np.floor(place)
    groups: Array = least * np.exp(grid * spacing)
    # The grid's own rounding, and the ends, which stay what they are.
    groups = groups * (1 + 2.0**-40 if up else 1 - 2.0**-40)
    return np.minimum(groups, most) if up else groups


@lru_cache(maxsize=64)
def of_rows(steps: tuple[tuple[Step, int], ...], replace: bool, delta: float) -> float:
    """epsilon where each row is drawn by itself, at one rate in both runs."""
    return _composed(drawn_rows(steps), delta, exchanged=replace)


def drawn_rows(steps: Iterable[tuple[Step, int]]) -> list[StepKind]:
    """Steps at which so many rows are drawn one by one: their noise multiplier, rate and rows."""
    kinds = []
    for (s, q, m), often in steps:
        number = np.arange(1.0, m + 1)
        chances = np.array([q]) if m == 1 else binomial(np.full(m, m), number, np.full(m, q))
        kinds.append(StepKind(number / s, chances, often))
    return kinds
