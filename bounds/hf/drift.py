"""How far retraining drifts from learning: the recursions behind hf Lemma 4.1, sharp.

Steps eta_t, batches of b_t samples of which m_t are forgotten, |g_u| <= C.  All functions take
arrays whose last axis counts the steps t = 0..T-1 (leading axes broadcast) and return the bounds
on |v_t - w_t| for t = 0..T along that axis.  Constants (C, lam, M) may be arrays over the leading
axes.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics.validation import broadcastable, choice, real, shortest

Array = NDArray[np.float64]


def schedule(steps: ArrayLike, missing: ArrayLike, sizes: ArrayLike) -> tuple[Array, Array, Array]:
    """(eta_t, m_t/b_t, beta_t), broadcast. Raises ValueError naming what is out of range."""
    eta = real("steps", steps, low=0.0, low_open=True, high_open=True)
    m = real("missing", missing, low=0.0, high_open=True)
    b = real("sizes", sizes, low=1.0, high_open=True)
    shape = broadcastable(steps=eta, missing=m, sizes=b)
    if not shape:
        raise ValueError("steps must be a list of numbers, got one number")
    if not (m <= b).all():
        raise ValueError("missing must be <= sizes in every batch, got more")
    share = np.broadcast_to(m / b, shape)
    return np.broadcast_to(eta, shape), share, np.broadcast_to((b - m) / b, shape)


def constant(name: str, value: ArrayLike, low: float = 0.0) -> Array:
    """A finite constant >= low, or one for every line of the leading axes, ready to broadcast."""
    return real(name, value, low=low, low_open=np.isinf(low), high_open=True)[..., None]


def curvatures(lam: ArrayLike, M: ArrayLike) -> tuple[Array, Array]:
    """(lam, M), checked: the range of all Hessians, lam of any sign, M >= 0."""
    low, high = constant("lam", lam, -np.inf), constant("M", M)
    broadcastable(lam=low, M=high)
    if not (low <= high).all():
        raise ValueError(
            f"lam must be <= M = {shortest(np.max(high))}, got {shortest(np.max(low))}"
        )
    return low, high


def factors(eta: Array, beta: Array, lam: ArrayLike, M: ArrayLike) -> tuple[Array, Array]:
    """(r_t, rho_t): Lipschitz constants of a step on the kept part, and on the whole batch."""
    low, high = curvatures(lam, M)
    kept_factor = np.maximum(np.abs(1.0 - eta * beta * low), np.abs(1.0 - eta * beta * high))
    whole = np.maximum(np.abs(1.0 - eta * low), np.abs(1.0 - eta * high))
    return kept_factor, whole


def drift_clip(steps: ArrayLike, missing: ArrayLike, sizes: ArrayLike, C: ArrayLike) -> Array:
    """Bound that needs no smoothness: every gradient is at most C (hf Lemma 4.1, sharp form (a)).

    C (eta_{t0} m_{t0}/b_{t0} + sum_{t0 < k < t} eta_k (2 - m_k/b_k)), t0 the first batch with a
    forgotten sample: before it nothing differs, and there the kept gradients still cancel.
    Attained by |w + theta| against a linear loss.
    """
    eta, share, _ = schedule(steps, missing, sizes)
    bound = constant("C", C)
    hits = np.cumsum(share > 0, axis=-1)
    first = (hits == 1) & (share > 0)
    weights = np.where(first, share, np.where(hits > 0, 2.0 - share, 0.0))
    sums = bound * np.cumsum(eta * weights, axis=-1)
    return np.concatenate((np.zeros((*sums.shape[:-1], 1)), sums), axis=-1)


def drift_smooth(
    steps: ArrayLike,
    missing: ArrayLike,
    sizes: ArrayLike,
    C: ArrayLike,
    lam: ArrayLike,
    M: ArrayLike,
    branch: str = "min",
) -> Array:
    """d_{t+1} = f_t d_t + eta_t (m_t/b_t) C, Hessians in [lam, M] (hf Lemma 4.1, sharp form (b)).

    branch "min" takes f_t = min(r_t, rho_t) and needs |g_u| <= C on both trajectories; "r" takes
    f_t = r_t and needs it on the learned one only, where it can be measured.  Attained in one
    dimension, by linear forgotten losses ("r") and by quadratics retrained from their optimum.
    """
    eta, share, beta = schedule(steps, missing, sizes)
    kept_factor, whole = factors(eta, beta, lam, M)
    factor = (
        kept_factor
        if choice("branch", branch, ("min", "r")) == "r"
        else np.minimum(kept_factor, whole)
    )
    return recursion(factor, eta * share * constant("C", C))


def drift_capped(
    steps: ArrayLike,
    missing: ArrayLike,
    sizes: ArrayLike,
    C: ArrayLike,
    kept_C: ArrayLike,
    lam: ArrayLike,
    M: ArrayLike,
) -> Array:
    """`drift_smooth` where the kept gradients are at most kept_C on both trajectories besides.

    d_{t+1} = min(f_t d_t, d_t + 2 eta_t beta_t kept_C) + eta_t (m_t/b_t) C: the kept part of a step
    moves the two apart by both (hf Lemma 4.1, sharp form (d)).
    """
    eta, share, beta = schedule(steps, missing, sizes)
    kept_factor, whole = factors(eta, beta, lam, M)
    factor = np.minimum(kept_factor, whole)
    apart = 2.0 * eta * beta * constant("kept_C", kept_C)
    factor, apart, added = np.broadcast_arrays(factor, apart, eta * share * constant("C", C))
    drifts = np.zeros((*factor.shape[:-1], factor.shape[-1] + 1))
    for t in range(factor.shape[-1]):
        now = drifts[..., t]
        drifts[..., t + 1] = np.minimum(factor[..., t] * now, now + apart[..., t]) + added[..., t]
    return drifts


def recursion(factor: Array, arrival: Array) -> Array:
    """x_{t+1} = factor_t x_t + arrival_t from x_0 = 0, for t = 0..T along the last axis.

    Once beyond the floats it stays inf, also where a factor of 0 would bring it back.
    """
    rates, added = np.broadcast_arrays(factor, np.where(np.isnan(arrival), np.inf, arrival))
    totals = np.zeros((*rates.shape[:-1], rates.shape[-1] + 1))
    for t in range(rates.shape[-1]):
        with np.errstate(over="ignore", invalid="ignore"):
            grown = rates[..., t] * totals[..., t]
        totals[..., t + 1] = np.where(np.isnan(grown), np.inf, grown) + added[..., t]
    return totals
