"""The accountants of olu side by side: the noise each asks for, the epsilon each gives to noise.

- `printed`: the paper's Algorithm 1, line 5, with the contraction factor gamma of Corollary 1 and
  the exponent tau - u of Theorem 1; not a guarantee (`certified` says what its noise is worth).
- `corrected`: the same allocation of the noise with the shifts that the algorithm has.
- `exact`: the least noise; its schedule is Gaussian-DP, the guarantee equality for linear losses.

Without delta the guarantee is D_alpha <= alpha epsilon for every alpha > 1, at every request.
With delta it is (epsilon, delta), by the paper's conversion (`printed`), the best order
(`corrected`), or the Gaussian trade-off curve (`exact`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from accounting.curves.gaussian import epsilon_gdp, mu_gdp
from accounting.deletions.noise import allocated_noise, least_of
from accounting.deletions.online_descent import OnlineDescent
from accounting.deletions.privacy import Events
from accounting.deletions.schedule import DeletionSchedule, noise_rounds
from accounting.numerics import validation
from accounting.renyi.linear import epsilon_mironov, rho_mironov
from bounds.forms import Array

ACCOUNTANTS = ("printed", "corrected", "exact")
_UP, _DOWN = 1 + 2.0**-48, 1 - 2.0**-48


@dataclass(frozen=True, eq=False)
class LearnerScenario:
    """An online learner with its requests.

    Attributes:
        descent: constants of the losses, step sizes, and the domain's diameter.
        schedule: who is deleted when, and the index convention.
        omega: exponent > 1 of the allocation of `printed` and `corrected`.

    Raises:
        ValueError: a parameter is out of range.
    """

    descent: OnlineDescent
    schedule: DeletionSchedule
    omega: float = 1.2

    def __post_init__(self) -> None:
        if not isinstance(self.descent, OnlineDescent):
            raise ValueError(f"descent must be an OnlineDescent, got {self.descent!r}")
        if not isinstance(self.schedule, DeletionSchedule):
            raise ValueError(f"schedule must be a DeletionSchedule, got {self.schedule!r}")
        omega = validation.scalar("omega", self.omega, low=1.0, low_open=True, high_open=True)
        object.__setattr__(self, "omega", omega)

    @cached_property
    def events(self) -> Events:
        """Shifts and noises, transported; computed once."""
        return Events(self.descent, self.schedule)


def noise(
    scenario: LearnerScenario,
    epsilon: float,
    delta: float | None = None,
    accountants: Sequence[str] = ACCOUNTANTS,
) -> dict[str, Array]:
    """sigma (k,) that each accountant asks for; inf where its budget is 0 and there is a shift.

    Raises:
        ValueError: epsilon is not in [0, 1e300] (> 0 without delta), delta not in (0, 1), or no
            such accountant.
    """
    budgets = {name: budget(name, epsilon, delta) for name in accountants}
    return {name: _noise(scenario, name, rho) for name, rho in budgets.items()}


def _noise(scenario: LearnerScenario, accountant: str, rho: float) -> Array:
    if accountant == "exact":
        return least_of(scenario.events, rho)
    if rho == 0:
        return np.where(np.isneginf(log_shifts(scenario, accountant)), 0.0, math.inf)
    return allocated_noise(log_shifts(scenario, accountant), rho, scenario.omega)


def privacy(
    scenario: LearnerScenario,
    sigma: ArrayLike,
    delta: float | None = None,
    accountants: Sequence[str] = ACCOUNTANTS,
) -> dict[str, Array]:
    """The epsilon (k,) that each accountant gives every request at noise sigma, a number or (k,).

    `printed` and `corrected` add up sum_{j<=i} a_j^2/(2 sigma_j^2) (eq 7) with their shifts.

    Raises:
        ValueError: sigma is negative, infinite, or of another length; delta is not in (0, 1); no
            such accountant.
    """
    each = _each(scenario, sigma)
    return {name: _epsilon(name, _rho(scenario, name, each), delta) for name in accountants}


def _rho(scenario: LearnerScenario, accountant: str, sigma: Array) -> Array:
    if accountant == "exact":
        return _half_square(scenario.events.mus(sigma))
    return _added(log_shifts(scenario, accountant), sigma)


def log_shifts(scenario: LearnerScenario, accountant: str) -> Array:
    """log a_i as the accountant has it: `printed` gamma^(tau - u) eta_u L, else the true one.

    On a domain of diameter D the true one is at most D at every step; the allocation stays valid,
    since what the deletions leave together is at most the sum of what each leaves alone.
    """
    if validation.choice("accountant", accountant, ACCOUNTANTS) == "printed":
        return _printed_log_shifts(scenario)
    return scenario.events.log_shifts


def certified(scenario: LearnerScenario, sigma: ArrayLike, delta: float | None = None) -> float:
    """The epsilon that the noise truly gives the worst request, by the exact accountant."""
    worst = np.asarray(scenario.events.worst(_each(scenario, sigma)))
    return float(_epsilon("exact", _half_square(worst), delta))


def _half_square(mu: Array) -> Array:
    with np.errstate(over="ignore"):
        rho: Array = 0.5 * np.square(mu)
    return rho


def _each(scenario: LearnerScenario, sigma: ArrayLike) -> Array:
    """sigma as (k,) numbers >= 0."""
    sigmas = validation.real("sigma", sigma, low=0, high_open=True)
    k = len(scenario.schedule)
    if sigmas.shape not in ((), (k,)):
        raise ValueError(f"sigma must be one number or {k} numbers, got shape {sigmas.shape}")
    return np.broadcast_to(sigmas, k)


def budget(accountant: str, epsilon: float, delta: float | None = None) -> float:
    """The rho of D_alpha <= alpha rho that the accountant needs for its guarantee.

    Without delta rho = epsilon.  With it, `printed`: "any (alpha, eps')-RDP algorithm is
    (2 eps', delta)-DP for alpha > 1 + ln(1/delta)/eps'" (Section 2.2), so that alpha rho =
    epsilon/2 at alpha = 1 + 2 ln(1/delta)/epsilon; `corrected`: the best order; `exact`:
    mu^2/2 of the Gaussian trade-off curve.

    Raises:
        ValueError: no such accountant, epsilon not in [0, 1e300] (> 0 without delta), or delta not
            in (0, 1).
    """
    validation.choice("accountant", accountant, ACCOUNTANTS)
    target = validation.scalar("epsilon", epsilon, low=0, low_open=delta is None, high=1e300)
    if delta is None:
        return target
    log = _log_inverse(delta)
    if accountant == "printed":
        return target * (target / (2 * target + 4 * log)) * _DOWN
    if accountant == "corrected":
        return float(rho_mironov(target, delta))
    return 0.5 * float(mu_gdp(target, delta)) ** 2 * _DOWN


def _epsilon(accountant: str, rho: Array, delta: float | None) -> Array:
    """The inverse of `budget`."""
    if delta is None:
        return rho
    log = _log_inverse(delta)
    finite = np.where(np.isinf(rho), 0.0, rho)
    if accountant == "printed":
        epsilon = (finite + np.sqrt(finite) * np.sqrt(finite + 4 * log)) * _UP
    elif accountant == "corrected":
        epsilon = epsilon_mironov(finite, delta)
    else:
        epsilon = epsilon_gdp(np.sqrt(2 * finite), delta)
    return np.where(np.isinf(rho), math.inf, epsilon)


def _log_inverse(delta: float) -> float:
    return -math.log(
        validation.scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    )


def _printed_log_shifts(scenario: LearnerScenario) -> Array:
    """log of gamma^(tau - u) eta_u L, gamma = (beta - mu)/(beta + mu); 1 where mu = 0."""
    mu, beta = scenario.descent.strong_convexity, scenario.descent.smoothness
    u, tau = scenario.schedule.indices, scenario.schedule.times
    with np.errstate(divide="ignore"):
        log_gamma = np.log1p(-2 * mu / (beta + mu)) if mu > 0 else 0.0
        arrival = np.log(scenario.descent.steps(u)) + np.log(scenario.descent.lipschitz)
    gap = (tau - u).astype(np.float64)
    shifts: Array = arrival + np.where(gap > 0, gap, 1.0) * np.where(gap > 0, log_gamma, 0.0)
    return shifts


def _added(log_shifts: Array, sigma: Array) -> Array:
    """sum_{j<=i} a_j^2/(2 sigma_j^2); inf where a shift meets no noise."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        log_costs = np.where(np.isneginf(log_shifts), -np.inf, 2 * (log_shifts - np.log(sigma)))
        total: Array = 0.5 * np.exp(np.logaddexp.accumulate(log_costs))
    return total


def regret_of_noise(scenario: LearnerScenario, sigma: ArrayLike, dimension: int = 1) -> Array:
    """What each noise adds to the bound on the expected regret: d sigma_i^2/(2 eta), (k,).

    eta is the step that the noise follows, eta_{tau_i - 1} in convention C (eq 16, first half).
    """
    d = validation.count("dimension", dimension, low=1)
    eta = scenario.descent.steps(noise_rounds(scenario.schedule))
    with np.errstate(over="ignore"):
        added: Array = d * np.square(_each(scenario, sigma)) / (2 * eta)
    return added


def regret_of_comparators(scenario: LearnerScenario, rounds: int) -> Array:
    """What each change of the comparator may add: (L^2/mu) (1 - tau_i/T), (k,); repeats add none.

    Source: Lemma 5 with its constant repaired (each deleted loss moves the minimiser by at most
    L/(mu T)), summed over the remaining rounds.

    Raises:
        ValueError: strong_convexity is 0, or rounds < tau_k.
    """
    mu, L = scenario.descent.strong_convexity, scenario.descent.lipschitz
    if not mu > 0:
        raise ValueError(f"strong_convexity must be > 0 for the comparators, got {mu}")
    tau = scenario.schedule.times
    T = validation.count("rounds", rounds, low=int(tau.max()))
    shift = np.where(scenario.schedule.repeated, 0.0, 1.0 - tau / T)
    return (L * L / mu) * shift
