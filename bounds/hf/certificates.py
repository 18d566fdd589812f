"""Certified approximation errors |v_T - w_T - a|: hf Theorem 4.3 as it should be.

Hessians of all losses lie in [lam, M] and are Lam-Lipschitz on the segments between the two
trajectories.  `hessian` "kept" is the leave-one-out approximator, "batch" the paper's.  A priori
bounds need C; a posteriori ones need the norms of the approximator along the way, which can be
stored.  Arrays count steps along the last axis; results are for t = 0..T along it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.validation import choice, real, scalar
from bounds.hf.drift import drift_smooth, factors, recursion, schedule

Array = NDArray[np.float64]
HESSIANS = ("kept", "batch")


def error_apriori(
    steps: ArrayLike,
    missing: ArrayLike,
    sizes: ArrayLike,
    C: float,
    lam: float,
    M: float,
    Lam: float,
    hessian: str = "kept",
    branch: str = "min",
) -> Array:
    """Before the run: forms (A) for "kept" and (B) for "batch", both attained in one dimension.

    kept:  delta_{t+1} = r_t delta_t + eta_t beta_t tau_t;
    batch: delta_{t+1} = rho_t delta_t + eta_t beta_t tau_t + eta_t (m_t/b_t) max(|lam|, M) d_t,
    with the Taylor remainder tau_t = min(Lam d_t^2/2, (M - lam) d_t) and the drift d_t.
    """
    eta, share, beta = schedule(steps, missing, sizes)
    curvature = scalar("Lam", Lam, low=0.0)
    d = drift_smooth(steps, missing, sizes, C, lam, M, branch)[..., :-1]
    kept, whole = factors(eta, beta, lam, M)
    remainder = _least(curvature / 2.0, d * d, (M - lam) * d)
    if choice("hessian", hessian, HESSIANS) == "kept":
        return recursion(kept, eta * beta * remainder)
    return recursion(whole, eta * (beta * remainder + share * max(abs(lam), M) * d))


def error_aposteriori(
    steps: ArrayLike,
    missing: ArrayLike,
    sizes: ArrayLike,
    norms: ArrayLike,
    lam: float,
    M: float,
    Lam: float,
    hessian: str = "kept",
) -> Array:
    """After the run, from norms |A_t| for t = 0..T-1 (or upper bounds on them): forms (C), (C').

    delta_{t+1} = r_t delta_t + eta_t beta_t min(Lam |A_t| (|A_t| + delta_t)/2, (M - lam) |A_t|),
    and for "batch" eta_t (m_t/b_t) max(|lam|, M) |A_t| more.  Needs no C.  For a sum of the stored
    "batch" vectors the sum of their norms is such an upper bound.
    """
    eta, share, beta = schedule(steps, missing, sizes)
    kept, _ = factors(eta, beta, lam, M)
    curvature = scalar("Lam", Lam, low=0.0)
    a = real("norms", norms, low=0.0, high_open=True)
    if a.shape[-1:] != eta.shape[-1:]:
        raise ValueError(f"norms must have one entry per step ({eta.shape[-1]}), got {a.shape}")
    extra = 0.0
    if choice("hessian", hessian, HESSIANS) == "batch":
        extra = max(abs(lam), M)
    eta, share, beta, kept, a = np.broadcast_arrays(eta, share, beta, kept, a)
    found = np.zeros((*a.shape[:-1], a.shape[-1] + 1))
    for t in range(a.shape[-1]):
        now, delta = a[..., t], found[..., t]
        remainder = _least(curvature / 2.0, now * (now + delta), (M - lam) * now)
        found[..., t + 1] = kept[..., t] * delta + eta[..., t] * (
            beta[..., t] * remainder + share[..., t] * extra * now
        )
    return found


def gap_of_sum(
    steps: ArrayLike,
    missing: ArrayLike,
    sizes: ArrayLike,
    present: ArrayLike,
    norms: ArrayLike,
    lam: float,
    M: float,
) -> Array:
    """Bound on |A^U_t - sum_{u in U} A^u_t| for the "kept" approximator, from stored norms.

    gap_{t+1} = r_t gap_t + (eta_t/b_t) max(|lam|, M) sum_u (m_t - [u in B_t]) |A^u_t|, where r_t is
    that of U.  present and norms have shape (|U|, T): whether u is in B_t, and |A^u_t|.
    Source: hf Theorem 3.1, whose additivity holds for the "batch" approximator only.
    """
    eta, _, beta = schedule(steps, missing, sizes)
    kept, _ = factors(eta, beta, lam, M)
    here = real("present", present, low=0.0, high=1.0)
    a = real("norms", norms, low=0.0, high_open=True)
    m = real("missing", missing, low=0.0)
    others = np.sum((m - here) * a, axis=0)
    b = real("sizes", sizes, low=1.0)
    return recursion(kept, eta / b * max(abs(lam), M) * others)


def _least(half: float, square: Array, linear: Array) -> Array:
    """min(half * square, linear), where an infinite `half` leaves the linear bound."""
    if np.isinf(half):
        return linear
    return np.minimum(half * square, linear)
