"""Where the printed noise of sglu is lost: one accountant a step, from the paper's to the exact.

Every step gives the least sigma for an (epsilon, delta) guarantee after K unlearning epochs from
the stationary law, worst batch position. All share the distance Z c^{KJ} with
Z = q/(1 - c^J); they differ in what they divide it by.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from accounting.noisy_sgd.closed_forms import geometric_sum
from accounting.renyi.linear import rho_cks, rho_gaussian, rho_mironov, rho_weak_triangle
from bounds.forms import Array
from bounds.namespaces import numeric
from bounds.sglu.series import stationary


@dataclass(frozen=True)
class BreakdownStep:
    """One accountant: its name, what it mends relative to the step above, and its sigma."""

    name: str
    repairs: str
    sigma: Callable[..., Array]


def remaining(xp, eta, m, M, b, J, K):
    """Z c^{KJ}: distance to retraining that K epochs leave, Z = q / (1 - c^J), q = 2 eta M / b."""
    return stationary(xp, eta, m, M, b, J) * xp.decay(eta * m, K * J)


def weak_triangle(xp, epsilon, budget):
    """rho with 3 rho + 2 sqrt(2 rho (rho + budget)) = epsilon; the budget is log(1/delta)."""
    whole = 3 * epsilon + 4 * budget
    return epsilon**2 / (whole + xp.sqrt(whole**2 - epsilon**2))


def printed(xp, epsilon, delta, eta, m, M, b, J, K):
    """The paper's own sigma: Algorithms 4 and 5."""
    rho = weak_triangle(xp, epsilon, -xp.log(delta))
    return remaining(xp, eta, m, M, b, J, K) / xp.sqrt(2 * eta * rho)


def exact(xp, epsilon, delta, eta, m, M, b, J, K):
    """Least sigma for the class of Remark 3.7 with the projection inactive (attained)."""
    share = xp.sqrt(m * (2 - eta * m) / 2)
    return remaining(xp, eta, m, M, b, J, K) * share / xp.mu_star(epsilon, delta)


def _from_rho(factor: float, conversion: Callable[[Array, Array], Array]) -> Callable[..., Array]:
    """sigma with alpha-order loss alpha Z^2 c^{2KJ} / (factor eta sigma^2) at most alpha rho."""

    def sigma(
        epsilon: Array, delta: Array, eta: Array, m: Array, M: Array, b: Array, J: Array, K: Array
    ) -> Array:
        distance = remaining(numeric, eta, m, M, b, J, K)
        return np.asarray(distance / np.sqrt(factor * eta * conversion(epsilon, delta)))

    return sigma


def _spread(sigma: Callable[..., Array]) -> Callable[..., Array]:
    """Lets the shift be spread over all K J unlearning steps instead of the last one."""

    def spread(
        epsilon: Array, delta: Array, eta: Array, m: Array, M: Array, b: Array, J: Array, K: Array
    ) -> Array:
        whole = sigma(epsilon, delta, eta, m, M, b, J, K)
        return whole / np.sqrt(geometric_sum(1 - eta * m, K * J))

    return spread


BREAKDOWN = (
    BreakdownStep(
        "printed", "Algorithms 4 and 5 as the paper calibrates", _from_rho(2, rho_weak_triangle)
    ),
    BreakdownStep(
        "variance",
        "a step adds variance 2 eta sigma^2, not eta sigma^2",
        _from_rho(4, rho_weak_triangle),
    ),
    BreakdownStep("triangle", "no weak triangle inequality", _from_rho(4, rho_mironov)),
    BreakdownStep(
        "iteration", "the shift is spread over all steps", _spread(_from_rho(4, rho_mironov))
    ),
    BreakdownStep(
        "conversion", "Canonne-Kamath-Steinke conversion", _spread(_from_rho(4, rho_cks))
    ),
    BreakdownStep(
        "Rényi", "the Gaussian trade-off curve itself", _spread(_from_rho(4, rho_gaussian))
    ),
    BreakdownStep(
        "trajectory", "the noise of the learning epochs counts too", partial(exact, numeric)
    ),
)
