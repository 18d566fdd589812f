"""Certified approximation errors |v_T - w_T - a|: hf Theorem 4.3 as it should be.

Hessians of all losses lie in [lam, M] and are Lam-Lipschitz on the segments between the two
trajectories.  `hessian` "kept" is the leave-one-out approximator, "batch" the paper's.  A priori
bounds need C; a posteriori ones need the norms of the approximator along the way, which can be
stored.  Arrays count steps along the last axis; results are for t = 0..T along it.  Constants may
be arrays over the leading axes; Lam may be inf.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics.validation import choice, real
from bounds.hf.drift import curvatures, drift_smooth, factors, recursion, schedule

Array = NDArray[np.float64]
HESSIANS = ("kept", "batch")


def hessian_change(distance: Array, spread: Array, Lam: Array) -> Array:
    """Bound on |mean Hessian along a segment - Hessian at its start|, segment length `distance`.

    integral_0^1 min(Lam s distance, spread) ds: a Hessian moves by at most Lam times the way, and
    by at most spread = M - lam in all.  At most min(Lam distance/2, spread).
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        way = np.where(distance > 0, Lam * distance, 0.0)
        return np.where(way <= spread, way / 2.0, spread * (1.0 - spread / way / 2.0))


def error_apriori(
    steps: ArrayLike,
    missing: ArrayLike,
    sizes: ArrayLike,
    C: ArrayLike,
    lam: ArrayLike,
    M: ArrayLike,
    Lam: ArrayLike,
    hessian: str = "kept",
    branch: str = "min",
) -> Array:
    """Before the run: forms (A) for "kept" and (B) for "batch", both attained in one dimension.

    kept:  delta_{t+1} = r_t delta_t + eta_t beta_t tau_t;
    batch: delta_{t+1} = rho_t delta_t + eta_t beta_t tau_t + eta_t (m_t/b_t) max(|lam|, M) d_t,
    with the drift d_t and the Taylor remainder tau_t = d_t `hessian_change`(d_t), which is
    Lam d_t^2/2 while Lam d_t <= M - lam.
    """
    eta, share, beta = schedule(steps, missing, sizes)
    d = drift_smooth(steps, missing, sizes, C, lam, M, branch)[..., :-1]
    kept_factor, whole = factors(eta, beta, lam, M)
    low, high = curvatures(lam, M)
    own = np.where(choice("hessian", hessian, HESSIANS) == "batch", np.maximum(-low, high), 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        remainder = d * hessian_change(d, high - low, _lipschitz(Lam))
        arrival = eta * (beta * remainder + share * own * d)
    return recursion(whole if hessian == "batch" else kept_factor, arrival)


def error_aposteriori(
    steps: ArrayLike,
    missing: ArrayLike,
    sizes: ArrayLike,
    norms: ArrayLike,
    lam: ArrayLike,
    M: ArrayLike,
    Lam: ArrayLike,
    hessian: str = "kept",
) -> Array:
    """After the run, from norms |A_t| for t = 0..T-1 (or upper bounds on them): forms (C), (C').

    delta_{t+1} = r_t delta_t + eta_t beta_t |A_t| `hessian_change`(|A_t| + delta_t), and for
    "batch" eta_t (m_t/b_t) max(|lam|, M) |A_t| more.  Needs no C.  For a sum of the stored "batch"
    vectors the sum of their norms is such an upper bound.
    """
    eta, share, beta = schedule(steps, missing, sizes)
    kept_factor, _ = factors(eta, beta, lam, M)
    low, high = curvatures(lam, M)
    a = real("norms", norms, low=0.0, high_open=True)
    if a.shape[-1:] != eta.shape[-1:]:
        raise ValueError(f"norms must have one entry per step ({eta.shape[-1]}), got {a.shape}")
    own = np.where(choice("hessian", hessian, HESSIANS) == "batch", np.maximum(-low, high), 0.0)
    eta, share, beta, kept_factor, a, own, spread, rate = np.broadcast_arrays(
        eta, share, beta, kept_factor, a, own, high - low, _lipschitz(Lam)
    )
    errors = np.zeros((*a.shape[:-1], a.shape[-1] + 1))
    for t in range(a.shape[-1]):
        now, delta = a[..., t], errors[..., t]
        change = hessian_change(now + delta, spread[..., t], rate[..., t])
        with np.errstate(over="ignore", invalid="ignore"):
            arrival = beta[..., t] * change + share[..., t] * own[..., t]
            error = kept_factor[..., t] * delta + eta[..., t] * now * arrival
        errors[..., t + 1] = np.where(np.isnan(error), np.inf, error)
    return errors


def gap_of_sum(
    steps: ArrayLike,
    missing: ArrayLike,
    sizes: ArrayLike,
    present: ArrayLike,
    norms: ArrayLike,
    lam: ArrayLike,
    M: ArrayLike,
) -> Array:
    """Bound on |A^U_t - sum_{u in U} A^u_t| for the "kept" approximator, from stored norms.

    gap_{t+1} = r_t gap_t + (eta_t/b_t) max(|lam|, M) sum_u (m_t - [u in B_t]) |A^u_t|, where r_t is
    that of U.  present and norms have shape (..., |U|, T): whether u is in B_t, and a bound on
    |A^u_t|, such as the stored norm or `drift_smooth` with branch "r" (the branch "min" bounds the
    drift of the models only: A^u contracts with r_t, whatever rho_t is).
    Source: hf Theorem 3.1, whose additivity holds for the "batch" approximator only.
    """
    eta, _, beta = schedule(steps, missing, sizes)
    kept_factor, _ = factors(eta, beta, lam, M)
    low, high = curvatures(lam, M)
    here = real("present", present, low=0.0, high=1.0)
    a = real("norms", norms, low=0.0, high_open=True)
    m = real("missing", missing, low=0.0)
    others = np.sum((m[..., None, :] - here) * a, axis=-2)
    b = real("sizes", sizes, low=1.0)
    return recursion(kept_factor, eta / b * np.maximum(np.abs(low), high) * others)


def _lipschitz(Lam: ArrayLike) -> Array:
    return real("Lam", Lam, low=0.0)[..., None]
