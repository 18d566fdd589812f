"""A correct algorithm: noisy gradient descent forgets one record; its noise is calibrated exactly.

The mean of n records in the unit ball is learnt by w <- w - eta (w - mean) + s N(0, I), 12 steps;
a record is forgotten by 3 more steps without it.  The map contracts by 1 - eta, and one record
moves it by at most 2 eta/n: a noisy contraction, whose accountant gives the least s.  The data are
the worst case, so that the claim is attained.  Batched over trials, in numpy.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from accounting.contraction.noisy_contraction import pabi_mu
from accounting.curves.gaussian import mu_gdp
from verify.audit.problem import Problem

Array = NDArray[np.float64]
ETA, LEARN, UNLEARN, RECORDS, DIMENSION = 0.3, 12, 3, 100, 3
CLAIM = {"epsilon": 1.0, "delta": 1e-5}
SHIFTS = np.repeat([2 * ETA / RECORDS, 0.0], [LEARN, UNLEARN])
SIGMA = pabi_mu(1 - ETA, SHIFTS, 1.0) / float(mu_gdp(CLAIM["epsilon"], CLAIM["delta"]))


def step(w: Array, data: Array, rng: np.random.Generator) -> Array:
    """One noisy gradient step."""
    next_point: Array = w - ETA * (w - data.mean(axis=0)) + SIGMA * rng.normal(size=w.shape)
    return next_point


def learn(data: Array, rng: np.random.Generator, trials: int) -> Array:
    """12 steps from 0."""
    w = np.zeros((trials, data.shape[1]))
    for _ in range(LEARN):
        w = step(w, data, rng)
    return w


def unlearn(w: Array, data: Array, request: int, rng: np.random.Generator) -> Array:
    """3 steps without the record."""
    for _ in range(UNLEARN):
        w = step(w, forget(data, request), rng)
    return w


def retrain(data: Array, request: int, rng: np.random.Generator, trials: int) -> Array:
    """All steps without the record."""
    rest = forget(data, request)
    return unlearn(learn(rest, rng, trials), data, request, rng)


def forget(data: Array, request: int) -> Array:
    """The data without the record."""
    rest: Array = np.delete(data, request, axis=0)
    return rest


def _data() -> Any:
    data = np.zeros((RECORDS, DIMENSION))
    data[:, 0] = -1.0
    data[7, 0] = 1.0
    return data


EXAMPLE = Problem(
    learn, unlearn, retrain, _data(), 7, batched=True, claim=CLAIM, step=step, forget=forget
)
