"""How far retraining drifts from learning: the recursions behind hf Lemma 4.1, sharp.

Steps eta_t, batches of b_t samples of which m_t are forgotten, |g_u| <= C.  All functions take
arrays whose last axis counts the steps t = 0..T-1 (leading axes broadcast) and return the bounds
on |v_t - w_t| for t = 0..T along that axis.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.validation import broadcastable, choice, real, scalar

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
    return np.broadcast_to(eta, shape), share, 1.0 - share


def factors(eta: Array, beta: Array, lam: float, M: float) -> tuple[Array, Array]:
    """(r_t, rho_t): Lipschitz constants of a step on the kept part, and on the whole batch."""
    low = scalar("lam", lam, low_open=True, high_open=True)
    high = scalar("M", M, low=0.0, high_open=True)
    if not low <= high:
        raise ValueError(f"lam must be <= M = {high:.17g}, got {low:.17g}")
    kept = np.maximum(np.abs(1.0 - eta * beta * low), np.abs(1.0 - eta * beta * high))
    whole = np.maximum(np.abs(1.0 - eta * low), np.abs(1.0 - eta * high))
    return kept, whole


def drift_clip(steps: ArrayLike, missing: ArrayLike, sizes: ArrayLike, C: float) -> Array:
    """Bound that needs no smoothness: every gradient is at most C (hf Lemma 4.1, sharp form (a)).

    C (eta_{t0} m_{t0}/b_{t0} + sum_{t0 < k < t} eta_k (2 - m_k/b_k)), t0 the first batch with a
    forgotten sample: before it nothing differs, and there the kept gradients still cancel.
    Attained by |w + theta| against a linear loss.
    """
    eta, share, _ = schedule(steps, missing, sizes)
    bound = scalar("C", C, low=0.0, high_open=True)
    seen = np.cumsum(share > 0, axis=-1)
    first = (seen == 1) & (share > 0)
    moved = np.where(first, share, np.where(seen > 0, 2.0 - share, 0.0))
    return _from_zero(bound * np.cumsum(eta * moved, axis=-1))


def drift_smooth(
    steps: ArrayLike,
    missing: ArrayLike,
    sizes: ArrayLike,
    C: float,
    lam: float,
    M: float,
    branch: str = "min",
) -> Array:
    """d_{t+1} = f_t d_t + eta_t (m_t/b_t) C, Hessians in [lam, M] (hf Lemma 4.1, sharp form (b)).

    branch "min" takes f_t = min(r_t, rho_t) and needs |g_u| <= C on both trajectories; "r" takes
    f_t = r_t and needs it on the learned one only, where it can be measured.  Attained in one
    dimension.
    """
    eta, share, beta = schedule(steps, missing, sizes)
    bound = scalar("C", C, low=0.0, high_open=True)
    kept, whole = factors(eta, beta, lam, M)
    factor = kept if choice("branch", branch, ("min", "r")) == "r" else np.minimum(kept, whole)
    return recursion(factor, eta * share * bound)


def recursion(factor: Array, arrival: Array) -> Array:
    """x_{t+1} = factor_t x_t + arrival_t from x_0 = 0, for t = 0..T along the last axis."""
    rates, added = np.broadcast_arrays(factor, arrival)
    found = np.zeros((*rates.shape[:-1], rates.shape[-1] + 1))
    for t in range(rates.shape[-1]):
        found[..., t + 1] = rates[..., t] * found[..., t] + added[..., t]
    return found


def _from_zero(sums: Array) -> Array:
    return np.concatenate((np.zeros((*sums.shape[:-1], 1)), sums), axis=-1)
