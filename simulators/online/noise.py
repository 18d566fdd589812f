"""How much noise each unlearner's requests need on a stream, from its certified constants."""

from __future__ import annotations

import math

import numpy as np

from accounting.deletions.active import first_order, second_order
from accounting.deletions.noise import least_deletion_noise, minimal_noise
from accounting.deletions.online_descent import OnlineDescent, inverse_time
from accounting.deletions.schedule import DeletionSchedule
from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.online.steps import Adaptive, LeastAdaptiveNoise, Steps
from simulators.online.streams import Stream

Array = np.ndarray


@typed
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


@typed
def passive_noise(
    stream: Stream, requests: DeletionSchedule, steps: Steps, rho: float
) -> Array | LeastAdaptiveNoise:
    """The least sigma_i with D_alpha <= alpha rho for the passive unlearner (olu Algorithm 1).

    For `Adaptive` steps a rule that reads the steps taken; see `LeastAdaptiveNoise`.
    """
    if isinstance(steps, Adaptive):
        return LeastAdaptiveNoise(stream.constants.lipschitz, rho)
    return least_deletion_noise(descent_on(stream, steps), requests, rho)


@typed
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

    The least noise of `accounting.deletions.active.first_order`, for any order of requests.
    first, second: I_1 and I_2; rate: as in `requests.Descent`.
    """
    validation.count("second", second, low=0)
    validation.count("first", first, low=0)
    shifts = first_order(descent_on(stream, steps), requests, second, first, rate)
    return minimal_noise(shifts.log_shifts, shifts.log_factors, rho)


@typed
def newton_noise(stream: Stream, requests: DeletionSchedule, rho: float, *, first: int) -> Array:
    """sigma_i for `requests.Newton("retained", first)` with D_alpha <= alpha rho.

    The least noise of `accounting.deletions.active.second_order`; 0 for quadratics.  Valid where
    the minimisers lie in the interior of the domain.
    """
    c = stream.constants
    descent = descent_on(stream, inverse_time(c.strong_convexity))
    shifts = second_order(descent, requests, first, c.hessian_lipschitz, "retained")
    return minimal_noise(shifts.log_shifts, shifts.log_factors, rho)
