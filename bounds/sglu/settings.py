"""The experimental constants of sglu: data sets, losses, burn-in, and the grids of its figures.

Logistic regression on unit features with l2 regularisation lambda = 1e-6 n, so that m = lambda,
L = 1/4 + lambda, eta = 1/L, M = 1, delta = 1/n (Section 4, Appendix K, Tables 1 and 2).
"""

from dataclasses import dataclass

import numpy as np

from bounds.forms import Array


@dataclass(frozen=True)
class DataSet:
    """One of the paper's data sets: points used, points before dropping some, and dimension."""

    n: int
    before: int
    d: int
    printed_d: int


DATA = {
    "CIFAR-10": DataSet(n=9728, before=10_000, d=512, printed_d=512),
    "MNIST": DataSet(n=11264, before=11_982, d=784, printed_d=724),
}
SIZES = {name: data.n for name, data in DATA.items()}
LARGEST_BATCH = 512
RADIUS = 100
LIPSCHITZ = 1
EPSILONS = (0.05, 0.1, 0.5, 1.0, 2.0, 5.0)
# Batch size (None is the full batch) -> learning epochs, Table 2.
BURN_IN: dict[int | None, int] = {32: 10, 128: 20, 512: 50, None: 1000}
BASELINE_STEPS = 10_000
SEQUENTIAL_SIGMAS = (0.05, 0.1, 0.2, 0.5, 1.0)
REQUESTS = 100


def regularisation(n: float | Array) -> Array:
    """lambda = 1e-6 n, which is also the strong convexity m."""
    return np.asarray(1e-6 * np.asarray(n, dtype=float))


def smoothness(n: float | Array) -> Array:
    """L = 1/4 + lambda for unit features."""
    return 0.25 + regularisation(n)


def step_and_convexity(xp, n):
    """eta = 1/L and m of the paper's runs."""
    m = n * xp.rational(1, 10**6)
    return 1 / (xp.rational(1, 4) + m), m


def constants(n: float | Array, b: float | Array) -> dict[str, Array]:
    """eta, m, M, b and J = n/b of the paper's runs; arrays broadcast."""
    size, m = np.asarray(n, dtype=float), regularisation(n)
    return {
        "eta": 1 / smoothness(n),
        "m": m,
        "M": LIPSCHITZ * np.ones_like(m),
        "b": np.asarray(b, dtype=float),
        "J": size / b,
    }
