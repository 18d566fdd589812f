"""Epochs K_1..K_S of the sequential experiments of sglu (Figure 3b to 3d), by each accounting.

n points in batches of b with the constants of Appendix K, delta = 1/n, the first law stationary,
each request replacing one more point of the last batch.
"""

import math
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Literal

from accounting.noisy_sgd.calibration import least_epochs
from accounting.noisy_sgd.constants import NoisySGD
from accounting.noisy_sgd.sequences import sequence_epochs
from accounting.numerics.validation import choice
from accounting.renyi.linear import epsilon_mironov, rho_mironov
from bounds import Hypothesis, Symbol
from bounds.sglu.settings import LIPSCHITZ, RADIUS, regularisation, smoothness
from bounds.sglu.symbols import b, n_data, sigma, target_each

MOST = 10**4  # requests, planned one after the other
Plan = Callable[[int, int, int, float, float], tuple[int, ...]]
SYMBOLS = (
    n_data,
    b,
    Symbol("S", "number of requests", "S", low=1, high=MOST, kind="integer"),
    sigma.measured("1"),
    target_each,
)
DIVIDES = Hypothesis("b divides n", lambda b, n: n % b == 0)
UPDATE = r"\quad Z^{(s+1)}=\min(c^{K_sn/b}Z^{(s)}+Z,2R)"


def setting(n: int, b: int) -> NoisySGD:
    """The losses and the algorithm of the experiments."""
    m, L = float(regularisation(n)), float(smoothness(n))
    return NoisySGD(n, b, L, m, LIPSCHITZ, radius=RADIUS)


def least_epochs_each(
    accountant: str, x: NoisySGD, sigma: float, S: int, epsilon: float, delta: float
) -> tuple[int, ...]:
    """Least K_1..K_S by an accountant, Z updated as in Theorem 3.11.

    printed: D_alpha <= alpha Z^2 c^{2KJ}/(2 eta sigma^2), Corollary 3.8 with Proposition K.2;
    corrected: its variance, iteration and conversion repaired; exact: the whole trajectory.
    """
    names: dict[str, str | Callable[[float, int], float]] = {
        "printed": _last_step(x, sigma, delta),
        "corrected": "spread",
        "exact": "exact",
    }
    word = choice("accountant", accountant, tuple(names))
    epochs = sequence_epochs(x, sigma, S, epsilon, delta, accountant=names[word])
    return tuple(epochs.tolist())


def _last_step(x: NoisySGD, sigma: float, delta: float) -> Callable[[float, int], float]:
    """Epsilon after K epochs from a distance, where the last step's noise alone counts."""

    def epsilon(distance: float, K: int) -> float:
        remainder = distance * math.exp(K * x.batches * math.log1p(-x.gap)) if x.gap < 1 else 0.0
        root = remainder / float(x.noise(sigma))
        rho = root * root
        return float(epsilon_mironov(rho, delta)) if rho < math.inf else math.inf

    return epsilon


@cache
def accounted(accountant: str) -> Plan:
    """Least K_s by an accountant of `least_epochs_each`."""

    @lru_cache(maxsize=1024)
    def plan(n: int, b: int, S: int, sigma: float, epsilon: float) -> tuple[int, ...]:
        return least_epochs_each(accountant, setting(n, b), sigma, S, epsilon, 1 / n)

    return plan


@cache
def stored(figure: Literal["3b", "3cd"]) -> Plan:
    """The interpretation that gives the epoch lists stored with the authors' public code.

    Shifts spread over all unlearning steps, D_alpha <= alpha Z^2 c^{2KJ}/(2 eta sigma^2 G_c(KJ)),
    with noise variance eta sigma^2. Figure 3b: Z = q/(1 - c). Figures 3c and 3d: Z = q/(1 - c^J),
    the first request by Corollary 3.8 as printed. No formula of the paper says either.
    """

    @lru_cache(maxsize=1024)
    def plan(n: int, b: int, S: int, sigma: float, epsilon: float) -> tuple[int, ...]:
        x = setting(n, b)
        log_c, J = math.log1p(-x.gap), x.batches
        fresh = x.sensitivity / -math.expm1(log_c * (1 if figure == "3b" else J))
        budget = float(rho_mironov(epsilon, 1 / n))
        distance, epochs = 0.0, list[int]()
        for request in range(S):
            distance = min(distance + fresh, x.diameter)
            spread = figure == "3b" or request > 0

            def slope(K: int, distance: float = distance, spread: bool = spread) -> float:
                remainder = (distance * math.exp(K * J * log_c)) ** 2 / (2 * x.step * sigma**2)
                total = math.expm1(2 * K * J * log_c) / math.expm1(2 * log_c)
                return remainder / total if spread else remainder

            epochs.append(least_epochs(slope, budget, low=1))
            distance *= math.exp(epochs[-1] * J * log_c)
        return tuple(epochs)

    return plan
