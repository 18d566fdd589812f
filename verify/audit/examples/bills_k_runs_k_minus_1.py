"""A common slip: the noise is billed for K unlearning steps, and the loop runs K - 1.

As `correct`, but written for one trial at a time; `range(1, UNLEARN)` leaves one step out.
"""

import numpy as np
from numpy.typing import NDArray

from accounting.contraction.noisy_contraction import pabi_mu
from verify.audit.problem import AuditedProblem

Array = NDArray[np.float64]
ETA, LEARN, UNLEARN, RECORDS = 0.5, 6, 3, 50
MU = 1.0
SIGMA = pabi_mu(1 - ETA, np.repeat([2 * ETA / RECORDS, 0.0], [LEARN, UNLEARN]), 1.0) / MU


def learn(data: Array, rng: np.random.Generator) -> float:
    """6 noisy gradient steps towards the mean."""
    w = 0.0
    for _ in range(LEARN):
        w += ETA * (data.mean() - w) + SIGMA * rng.normal()
    return w


def unlearn(w: float, data: Array, request: int, rng: np.random.Generator) -> float:
    """Meant to be K steps on the rest."""
    rest = np.delete(data, request)
    for _ in range(1, UNLEARN):
        w += ETA * (rest.mean() - w) + SIGMA * rng.normal()
    return w


def retrain(data: Array, request: int, rng: np.random.Generator) -> float:
    """The same without the record."""
    rest = np.delete(data, request)
    return unlearn(learn(rest, rng), data, request, rng)


DATA = np.full(RECORDS, -1.0)
DATA[3] = 1.0
EXAMPLE = AuditedProblem(learn, unlearn, retrain, DATA, 3, claim={"mu": MU})
