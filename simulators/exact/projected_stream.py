"""Online gradient descent on quadratics over an interval, with projected noise: exact losses.

f_t(z) = (h_t/2)(z - x_t)^2 on K = [-R, R], w_{t+1} = P[w_t - eta_t f_t'(w_t)], and at a request
w_tau is replaced by P[w_tau + sigma N(0, 1)] before it is played.  Once eta_t h_t <= 1 a step is a
convex combination and the projection acts on the noise alone, so that between requests all that
matters is the first two moments: those of a projected Gaussian mixture, in closed form.  Streams
come in batches; a box in R^d is d streams, one for each coordinate.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.data.rounds import rounds_of
from simulators.exact.quadrature import legendre

Array = NDArray[np.float64]
NODES = 240
_REACH = 9.5  # a Gaussian is below 1e-20 of its peak there


@typed
def projected_moments(mean: ArrayLike, sigma: ArrayLike, radius: float) -> tuple[Array, Array]:
    """E Y and E Y^2 of Y = P[mean + sigma N(0, 1)] on [-radius, radius]; sigma >= 0."""
    radius = validation.scalar("radius", radius, low=0.0, low_open=True, high_open=True)
    m = validation.real("mean", mean, low_open=True, high_open=True)
    s = validation.real("sigma", sigma, low=0.0, high_open=True)
    validation.broadcastable(mean=m, sigma=s)
    return _moments(m, s, radius)


def _moments(m: Array, s: Array, radius: float) -> tuple[Array, Array]:
    m, s = np.broadcast_arrays(m, s)
    quiet = s == 0
    # 1 stands in for sigma = 0, whose moments are those of the clipped point, taken at the end.
    scale = np.where(quiet, 1.0, s)
    a, b = (-radius - m) / scale, (radius - m) / scale
    below, above = ndtr(a), ndtr(-b)
    inside = 1 - below - above
    pa, pb = (np.exp(-z * z / 2) / math.sqrt(2 * math.pi) for z in (a, b))
    # Two atoms at the ends, and the moments of the normal density between them.
    first = radius * (above - below) + m * inside + scale * (pa - pb)
    second = (
        radius**2 * (above + below)
        + m * m * inside
        + 2 * m * scale * (pa - pb)
        + scale**2 * (inside + a * pa - b * pb)
    )
    clipped = np.clip(m, -radius, radius)
    return np.where(quiet, clipped, first), np.where(quiet, clipped**2, second)


@typed
def expected_losses(
    points: ArrayLike,
    curvature: ArrayLike,
    steps: ArrayLike,
    radius: float,
    times: ArrayLike = (),
    sigmas: ArrayLike = (),
    start: float = 0.0,
) -> Array:
    """E f_t(w_t), shape (n, T), of n streams with points (n, T) in [-radius, radius].

    curvature and steps broadcast to (n, T); times tau_1 <= ... <= tau_k, sigmas broadcast to
    (n, k).  Exact to quadrature: two requests to rounding, more wherever the noise of all but
    the first and the last spans a few of NODES Gauss-Legendre nodes.

    Raises:
        ValueError: points outside the interval, or eta_t h_t > 1 at or after the first request.
    """
    radius = validation.scalar("radius", radius, low=0.0, low_open=True, high_open=True)
    x = np.atleast_2d(validation.real("points", points, low_open=True, high_open=True))
    if not (np.abs(x) <= radius).all():
        far = x[np.abs(x) > radius][0]
        raise ValueError(
            f"points must be within radius = {validation.shortest(radius)} of 0, "
            f"got {validation.shortest(far)}"
        )
    h = _over(
        "curvature", validation.real("curvature", curvature, low=0.0, high_open=True), x.shape
    )
    eta = validation.real("steps", steps, low=0.0, low_open=True, high_open=True)
    eta = _over("steps", eta, x.shape)
    tau = rounds_of("times", times, x.shape[1] + 1, ordered=True)
    s = np.zeros(0)
    if np.size(sigmas):
        s = validation.real("sigmas", sigmas, low=0.0, high_open=True)
    s = _over("sigmas", s, (len(x), tau.size))
    start = validation.scalar("start", start, low_open=True, high_open=True)
    rate = eta * h
    # Index tau - 1 is round tau. Before the first request a step may leave K: one point is clipped.
    if tau.size and (rate[:, tau[0] - 1 :] > 1).any():
        raise ValueError(f"steps must be <= 1/curvature from round {tau[0]} on")
    here = np.full((len(x), 1), float(start))
    mass = np.ones((len(x), 1))
    first, second = here[:, 0], here[:, 0] ** 2
    # w_t = squeeze w_tau + move since the last request tau: the law itself is not carried along.
    squeeze, move = np.ones(len(x)), np.zeros(len(x))
    losses = np.empty_like(x)
    for t in range(1, x.shape[1] + 1):
        for i in np.flatnonzero(tau == t):
            # At the first request the law is one point. Later the noise of the request before is
            # spread over points, which the steps since have moved; the newest noise stays analytic.
            if i:
                here, mass = _spread(here, mass, s[:, i - 1], radius)
                here = here * squeeze[:, None] + move[:, None]
            moments = _moments(here, s[:, i, None], radius)
            first, second = ((mass * m).sum(axis=1) for m in moments)
            squeeze, move = np.ones(len(x)), np.zeros(len(x))
        # The loss is met by w_t as played, after the noise of round t and before its step.
        xt, rt = x[:, t - 1], rate[:, t - 1]
        losses[:, t - 1] = h[:, t - 1] / 2 * (second - 2 * xt * first + xt * xt)
        second = (1 - rt) ** 2 * second + 2 * (1 - rt) * rt * xt * first + (rt * xt) ** 2
        first = first + rt * (xt - first)
        if tau.size and t >= tau[0]:
            squeeze, move = (1 - rt) * squeeze, (1 - rt) * move + rt * xt
        else:
            # No noise yet: w is one point, and the projection acts on it.
            first = np.clip(first, -radius, radius)
            second, here = first**2, first[:, None]
    return losses


def _over(name: str, values: Array, shape: tuple[int, ...]) -> Array:
    try:
        return np.broadcast_to(values, shape)
    except ValueError:
        raise ValueError(f"{name} must broadcast to {shape}, got {values.shape}") from None


def _spread(here: Array, mass: Array, sigma: Array, radius: float) -> tuple[Array, Array]:
    """Points and masses of P[here + sigma N(0, 1)]: Gauss-Legendre nodes, and the two ends."""
    nodes, weights = legendre(NODES)
    span = _REACH * sigma
    # Points of next to no mass must not stretch the interval that the nodes are spread over.
    heavy = mass > 1e-25
    low = np.maximum(np.where(heavy, here, np.inf).min(axis=1) - span, -radius)
    high = np.minimum(np.where(heavy, here, -np.inf).max(axis=1) + span, radius)
    half = (high - low)[:, None] / 2
    y = (high + low)[:, None] / 2 + half * nodes
    scale = np.where(sigma > 0, sigma, 1.0)[:, None, None]
    z = (y[:, :, None] - here[:, None, :]) / scale
    density = np.exp(-z * z / 2) / (scale * math.sqrt(2 * math.pi))
    inside = half * weights * (density * mass[:, None, :]).sum(axis=2)
    below = (mass * ndtr((-radius - here) / scale[:, 0])).sum(axis=1, keepdims=True)
    above = (mass * ndtr((here - radius) / scale[:, 0])).sum(axis=1, keepdims=True)
    ends = np.broadcast_to([-radius, radius], (len(here), 2))
    there, masses = np.hstack([y, ends]), np.hstack([inside, below, above])
    quiet = sigma == 0
    # Streams without noise keep their point, padded with points of mass 0 to the others' shape.
    if here.shape[1] == 1:
        here = np.broadcast_to(here, there.shape)
        mass = np.broadcast_to(np.eye(1, there.shape[1]), there.shape)
    there = np.where(quiet[:, None], np.clip(here, -radius, radius), there)
    masses = np.where(quiet[:, None], mass, masses)
    # Nodes too coarse for a narrow noise show in the total mass.
    if np.abs(masses.sum(axis=1) - 1).max() > 1e-8:
        raise ValueError("sigmas must be resolved by the quadrature between the first and the last")
    return there, masses


def _minimiser(points: Array, curvature: Array) -> Array:
    """The mean of the points by curvature, which minimises the sum of their quadratics."""
    total = curvature.sum(axis=1)
    if not (total > 0).all():
        raise ValueError("points must have a round of curvature > 0 that stays, got none")
    return np.asarray((curvature * points).sum(axis=1) / total)


@typed
def comparator_losses(
    points: ArrayLike, curvature: ArrayLike, indices: ArrayLike = (), times: ArrayLike = ()
) -> Array:
    """f_t(z*_{i(t)}), shape (n, T): z_i* minimises all losses without u_1..u_i (olu eq 5).

    i(t) is the number of requests with tau_i < t.  Points inside the interval keep z_i* inside.

    Raises ValueError on bad input, and where the losses that stay are flat: no z_i* is the one.
    """
    x = np.atleast_2d(validation.real("points", points, low_open=True, high_open=True))
    h = validation.real("curvature", curvature, low=0.0, high_open=True)
    h = np.array(_over("curvature", h, x.shape))
    removals = rounds_of("indices", indices, x.shape[1])
    tau = rounds_of("times", times, x.shape[1] + 1, ordered=True)
    if len(removals) < len(tau):
        raise ValueError(
            f"indices must be one for each of times, got {len(removals)} for {len(tau)}"
        )
    weight = h.copy()
    stars = [_minimiser(x, weight)]
    for u in removals:
        weight[:, u - 1] = 0.0
        stars.append(_minimiser(x, weight))
    request_counts = np.searchsorted(tau, np.arange(1, x.shape[1] + 1), side="left")
    return np.asarray(h / 2 * (x - np.array(stars)[request_counts].T) ** 2)
