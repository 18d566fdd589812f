"""How much noise each unlearner's requests need on a stream, from its certified constants."""

from __future__ import annotations

import math

import numpy as np

from accounting import validation
from accounting.deletion_noise import least_deletion_noise, minimal_noise
from accounting.deletions import DeletionSchedule, transport
from accounting.online_descent import OnlineDescent
from simulators.online.steps import Adaptive, LeastAdaptiveNoise, Steps
from simulators.online.streams import Stream

Array = np.ndarray


def descent_on(stream: Stream, steps: Steps) -> OnlineDescent:
    """The stream's constants and the steps, as the accountants take them.

    Raises ValueError for adaptive steps, which have no sizes before the run, and where L is
    infinite (an unbounded domain).
    """
    if not isinstance(stream, Stream):
        raise ValueError(f"stream must be a Stream, got {stream!r}")
    if isinstance(steps, Adaptive):
        raise ValueError("steps must be known beforehand, got Adaptive: use LeastAdaptiveNoise")
    c = stream.constants
    if not c.lipschitz < math.inf:
        raise ValueError("domain must be bounded for a finite Lipschitz constant, got R^d")
    return OnlineDescent(c.strong_convexity, c.smoothness, c.lipschitz, steps, c.diameter)


def passive_noise(
    stream: Stream, requests: DeletionSchedule, steps: Steps, rho: float
) -> Array | LeastAdaptiveNoise:
    """The least sigma_i with D_alpha <= alpha rho for the passive unlearner (olu Algorithm 1).

    For `Adaptive` steps a rule that reads the steps taken; see `LeastAdaptiveNoise`.
    """
    if isinstance(steps, Adaptive):
        return LeastAdaptiveNoise(stream.constants.lipschitz, rho)
    return least_deletion_noise(descent_on(stream, steps), requests, rho)


def active_noise(
    stream: Stream,
    requests: DeletionSchedule,
    steps: Steps,
    rho: float,
    *,
    second: int,
    first: int = 0,
    rate: float | None = None,
) -> Array:
    """sigma_i for `requests.Descent` with D_alpha <= alpha rho at every request (convention C).

    One step on the mean loss contracts by r = max(|1 - rate mu|, |1 - rate beta|) ((beta - mu)/
    (beta + mu) at the default rate).  With a_i the shift of plain descent (`transport`) and m_i
    losses seen, phase 1 sees means over m_i losses, and over those without u_1..u_i, whose
    gradients differ by at most 2 i L/m_i; phase 2 is one and the same map in both worlds:
        s_i = r^{I_2} [r^{I_1} a_i + rate (1 + r + ... + r^{I_1 - 1}) 2 i L/m_i],
    distances change by r^{I_1 + I_2} Gamma_i between requests, and the noise is
    `accounting.minimal_noise` of these.  For eta_t = 1/(mu t): a_i = L/(mu m_i), and s_i =
    r^{I_2} (L/(mu m_i)) (2 i (1 - r^{I_1}) + r^{I_1}), where eq 40 has a smaller number.

    Raises ValueError unless tau_{i-1} <= u_i (the paper's hypothesis: otherwise earlier requests
    map differently in the two worlds), and for a convention other than C.
    """
    u, tau = requests.indices, requests.times
    if requests.convention != "C":
        raise ValueError(
            f"convention must be 'C' for an active unlearner, got {requests.convention!r}"
        )
    if (u[1:] < tau[:-1]).any():
        i = int(np.flatnonzero(u[1:] < tau[:-1])[0]) + 1
        raise ValueError(
            f"indices must be >= the time of the request before for an active unlearner, got "
            f"{u[i]} after {tau[i - 1]}"
        )
    one = validation.count("first", first, low=0)
    two = validation.count("second", second, low=0)
    moved = transport(descent_on(stream, steps), requests)
    c = stream.constants
    mu, beta, L = c.strong_convexity, c.smoothness, c.lipschitz
    if not mu + beta > 0:
        raise ValueError("smoothness must be > 0 for an active unlearner, got 0")
    step = 2.0 / (beta + mu) if rate is None else rate
    step = validation.scalar("rate", step, low=0.0, low_open=True, high_open=True)
    r = max(abs(1.0 - step * mu), abs(1.0 - step * beta))
    missing = np.arange(1, len(u) + 1)
    grown = step * float(np.sum(r ** np.arange(one)))
    with np.errstate(divide="ignore"):
        differing = np.log(grown * 2.0 * missing * L / (tau - 1))
        log_r = np.log(r) if r > 0 else -math.inf
    shifts = np.logaddexp(moved.log_shifts + _times(one, log_r), differing) + _times(two, log_r)
    factors = moved.log_factors + _times(one + two, log_r)
    return minimal_noise(shifts, factors, rho)


def _times(count: int, log: float) -> float:
    """count * log, 0 for count 0."""
    return count * log if count else 0.0


def newton_noise(stream: Stream, requests: DeletionSchedule, rho: float, *, first: int) -> Array:
    """sigma_i for `requests.Newton("retained", first)` with D_alpha <= alpha rho.

    After I_1 steps of descent both worlds are within q = r^{I_1} D of the minimisers of their own
    mean losses, which are within i L/(mu m_i) of each other (olu Lemma 5), and a Newton step
    squares the distance to the retained minimiser: the worlds are within
        (M/(2 mu)) [(q + i L/(mu m_i))^2 + q^2]
    of each other, whatever happened before, M the Lipschitz constant of the Hessian.  Valid where
    these minimisers lie in the interior of the domain.  0 for quadratics.

    Raises ValueError unless mu > 0 and M is finite.
    """
    c = stream.constants
    one = validation.count("first", first, low=0)
    if not c.strong_convexity > 0:
        raise ValueError("strong_convexity must be > 0 for Newton's step, got 0")
    if not c.hessian_lipschitz < math.inf:
        raise ValueError("hessian_lipschitz must be finite for Newton's step, got inf")
    if not (c.lipschitz < math.inf and c.diameter < math.inf):
        raise ValueError("domain must be bounded for a finite Lipschitz constant, got R^d")
    mu = c.strong_convexity
    r = (c.smoothness - mu) / (c.smoothness + mu)
    q = r**one * c.diameter
    i = np.arange(1, len(requests) + 1)
    moved = i * c.lipschitz / (mu * (requests.times - 1))
    with np.errstate(divide="ignore"):
        shifts = np.log(c.hessian_lipschitz / (2.0 * mu) * ((q + moved) ** 2 + q**2))
    return minimal_noise(shifts, np.full(len(requests), -math.inf), rho)
