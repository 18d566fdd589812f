"""Certified noise for a stream of publications: a model is followed as rows leave, and published.

The learner keeps u_t and publishes w_t = u_t + N(0, sigma_t^2 I) once round t has removed m_t of
the n_{t-1} rows that were left; w_t* is the minimiser over the others, and |u_t - w_t*| <= D_t.

Promised: for every t the law of w_t and N(w_t*, sigma_t^2 I), that is exact retraining followed
by the same noise with the same sigma_t, are (epsilon, delta)-indistinguishable in both directions,
for sigma_t = D_t/mu*(epsilon, delta), the exact Gaussian trade-off.  Releasing w_1..w_T together
is sqrt(sum (D_t/sigma_t)^2)-Gaussian-DP.

Not promised: anything against retraining without noise (a point mass: no delta < 1 works);
indistinguishability of the sizes m_t, which are public and set sigma_t; requests that depend on
what was published before; and u_t itself, which has no noise and must stay secret, as must what
is kept to compute it.  All of it is for exact arithmetic, up to the `step_error` that is stated.

Source: the corrected theorem that replaces safe, Theorem 2(ii)-(iii) (Neel et al. 2021,
Descent-to-Delete, for the idea; Balle and Wang 2018 for mu*).  All values are rounded to the
safe side.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.curves.gaussian import epsilon_gdp, mu_gdp
from accounting.numerics.validation import broadcastable, count, real, scalar
from accounting.publications.tracking import checked_path, finite, fits, tracking_errors

Array = NDArray[np.float64]
_ULP = float(np.finfo(np.float64).eps)
_TINY = float(np.finfo(np.float64).tiny)
_ROOM = 2.0**-42
_MOST_STEPS = 2**52


def publication_noise(
    errors: ArrayLike, epsilon: float, delta: float, *, releases: int = 1
) -> Array:
    """Return sigma = sqrt(releases) D/mu*(epsilon, delta): the least noise for these errors.

    One publication with |u - w*| <= D is then (epsilon, delta)-indistinguishable from N(w*,
    sigma^2 I), and less noise is not (when D is attained).  releases k: any k of them together
    are, since each is mu*/sqrt(k)-Gaussian-DP.  errors D >= 0, any shape; epsilon >= 0, delta in
    (0, 1).  Rounded up; 0 for D = 0.  What is not promised: see the module.
    Source: safe, Theorem 2(iii), corrected.  Raises ValueError out of range or overflow.
    """
    mu, k = _target(epsilon, delta), count("releases", releases, low=1)
    return finite("errors and releases", _least_noise(_errors(errors), mu, k))


def _least_noise(d: Array, mu: float, k: int) -> Array:
    """sqrt(k) D/mu, rounded up; inf beyond the floats."""
    with np.errstate(over="ignore", under="ignore"):
        # _ROOM is more than the inverse, which checks it, rounds up.
        sigma = d / mu * np.sqrt(float(k)) * (1 + _ROOM)
    return np.where(d > 0, np.maximum(sigma, _TINY), 0.0)


def publication_mus(errors: ArrayLike, sigma: ArrayLike) -> Array:
    """Return mu = D/sigma of every publication, rounded up; arrays broadcast.

    0 for D = 0, inf for D > 0 without noise.  errors >= 0, sigma >= 0, finite.
    Raises ValueError out of range.
    """
    d, s = _errors(errors), real("sigma", sigma, low=0.0, high_open=True)
    broadcastable(errors=d, sigma=s)
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        mu = d / s * (1 + 2 * _ULP)
    return np.where(d > 0, np.maximum(mu, _TINY), 0.0)


def joint_mu(errors: ArrayLike, sigma: ArrayLike) -> Array:
    """Return sqrt(sum_t (D_t/sigma_t)^2) over the last axis, rounded up: w_1..w_T together.

    Exact for two streams of Gaussians N(u_t, sigma_t^2 I), N(w_t*, sigma_t^2 I) at distances D_t.
    errors and sigma as for `publication_mus`.  Raises ValueError out of range.
    """
    mus = np.atleast_1d(np.ascontiguousarray(publication_mus(errors, sigma)))
    top = mus.max(axis=-1, keepdims=True)
    # Divided by the largest, so that no square leaves the floats.
    scale = np.where((top > 0) & np.isfinite(top), top, 1.0)
    with np.errstate(under="ignore", over="ignore"):
        # Pairwise sums of N terms err by less than 16 + log2 N ulps.
        ratios = np.where(np.isfinite(mus), mus / scale, 0.0)
        total = scale[..., 0] * np.sqrt((ratios**2).sum(axis=-1)) * (1 + 256 * _ULP)
    mu: Array = np.where(np.isinf(top[..., 0]), np.inf, total)
    return mu


def publication_epsilon(
    errors: ArrayLike, sigma: ArrayLike, delta: float, *, joint: bool = False
) -> Array:
    """Return the least epsilon that noise sigma certifies at delta: inverse of the noise.

    For each publication, or (joint) for those along the last axis together.  errors and sigma as
    for `publication_mus`; delta in (0, 1).  Rounded up; inf without noise.
    Raises ValueError out of range.
    """
    d = scalar("delta", delta, low=0.0, high=1.0, low_open=True, high_open=True)
    if not isinstance(joint, bool):
        raise ValueError(f"joint must be True or False, got {joint!r}")
    mus = joint_mu(errors, sigma) if joint else publication_mus(errors, sigma)
    return np.asarray(epsilon_gdp(mus, d), dtype=np.float64)


def least_tracking_steps(
    path: ArrayLike,
    contraction: float,
    sigma: ArrayLike,
    epsilon: float,
    delta: float,
    *,
    initial: ArrayLike = 0.0,
    step_error: float = 0.0,
    releases: int = 1,
) -> NDArray[np.int64]:
    """Return the least J >= 0, one per stream (...), whose sigma_t never exceeds `sigma`.

    path (..., T), contraction, initial, step_error as for `tracking_errors`; epsilon, delta,
    releases as for `publication_noise`; sigma > 0 broadcasts against path.
    Raises ValueError out of range, or where the step error alone asks for more noise.
    """
    v = checked_path(path)
    s = real("sigma", sigma, low=0.0, low_open=True, high_open=True)
    if not fits(s.shape, v.shape):
        raise ValueError(f"sigma must fit the shape {v.shape}, got {s.shape}")
    mu, k = _target(epsilon, delta), count("releases", releases, low=1)

    def enough(J: NDArray[np.int64]) -> NDArray[np.bool_]:
        errors = tracking_errors(v, contraction, J, initial=initial, step_error=step_error)
        return np.asarray((_least_noise(errors, mu, k) <= s).all(axis=-1))

    # Not enough and enough, one bracket a stream: -1 steps stand for what never is tried.
    low = np.full(v.shape[:-1], -1, dtype=np.int64)
    high = np.zeros(v.shape[:-1], dtype=np.int64)
    while not (good := enough(high)).all():
        low = np.where(good, low, high)
        high = np.where(good, high, 2 * high + 1)
        if high.max() > _MOST_STEPS:
            raise ValueError(
                f"sigma must be larger where no number of steps is enough, as with step_error = "
                f"{step_error:g}, got {float(s.min()):g}"
            )
    while (open_ := high - low > 1).any():
        # All streams go on together; one whose bracket is closed asks for its answer again.
        middle = np.where(open_, (low + high) // 2, high)
        good = enough(middle)
        high = np.where(good, middle, high)
        low = np.where(open_ & ~good, middle, low)
    return high


def _errors(errors: ArrayLike) -> Array:
    return real("errors", errors, low=0.0, high_open=True)


def _target(epsilon: float, delta: float) -> float:
    e = scalar("epsilon", epsilon, low=0.0, high_open=True)
    d = scalar("delta", delta, low=0.0, high=1.0, low_open=True, high_open=True)
    return float(mu_gdp(e, d))
