"""Theorem 4.3 of hf on whole batches with one step size, and its limit for many steps."""

import math

import numpy as np

from bounds import Hypothesis, Interpretation, Plot, Statement
from bounds.forms import Array
from bounds.hf.symbols import C, Lam, M, T, curvatures, eta, lam_positive, m, n
from bounds.hf.theorem_4_3 import LEFT
from bounds.homogeneous import log_h

fewer = Hypothesis("m < n", lambda m, n: m < n)
stable = Hypothesis("eta <= 2/(lam + M)", lambda eta, lam, M: eta <= 2 / (lam + M))
ARGUMENTS = (eta, n, m, lam_positive, M, Lam, C, T)

_CLASS = "whole batches, constant eta <= 2/(lam + M), lam > 0, |g_u| <= C on both trajectories"
_INTERPRETATIONS = (Interpretation("literal", _CLASS, {"corrected": "<="}),)
_STEPS = tuple(float(t) for t in range(1, 41))
kept = Statement(
    "hf.thm4.3.constant",
    "Theorem 4.3, whole batches and constant steps, leave-one-out",
    "inequality",
    words="The leave-one-out error stays below (Lam/(2 lam))(mC/(n lam))^2, the Newton step's.",
    left=LEFT,
    reads={"r": r"\max(|1-\eta\beta\lambda|,|1-\eta\beta M|)"},
    symbols=ARGUMENTS,
    requires=(fewer, curvatures, stable),
    interpretations=_INTERPRETATIONS,
    plot=Plot(
        "T", _STEPS, {"eta": 0.3, "n": 10, "m": 2, "lam": 0.5, "M": 2.0, "Lam": 1.0, "C": 1.0}
    ),
    quantity="|v_T - w_T - a|",
)
batch = Statement(
    "hf.thm4.3.constant.batch",
    "Theorem 4.3, whole batches and constant steps",
    "inequality",
    words="The error of the paper's approximator is of first order in m/n.",
    left=LEFT,
    symbols=ARGUMENTS,
    requires=(fewer, curvatures, stable),
    interpretations=_INTERPRETATIONS,
    plot=Plot(
        "T", _STEPS, {"eta": 0.3, "n": 10, "m": 2, "lam": 0.5, "M": 0.5, "Lam": 0.0, "C": 1.0}
    ),
    quantity="|v_T - w_T - a|",
)


def _sum(
    eta: float, n: float, m: float, lam: float, M: float, Lam: float, C: float, T: float, own: bool
) -> float:
    """sum_t f^{T-1-t} eta (beta Lam d_t^2/2 + own (m/n) M d_t), d_t = (mC/(n lam))(1 - rho^t).

    With h_k the homogeneous polynomials, sum_t f^{T-1-t}(1 - rho^t) = (1 - rho) h_{T-2}(f, 1, rho),
    and (1 - rho^t)^2, (1 - rho)^2 times a squared rho-integer, has the generating function
    (1 - rho)^2 z (1 + rho z)/((1 - z)(1 - rho z)(1 - rho^2 z)).
    """
    beta, radius = 1 - m / n, m * C / (n * lam)
    rho = _log_below_one(eta * lam)
    factor = rho if own else _log_below_one(eta * lam * beta)

    def total(degree: float, *logs: float) -> float:
        return math.exp(log_h((factor, 0.0, rho, *logs), int(max(degree, -1))))

    squares = total(T - 2, 2 * rho) + math.exp(rho) * total(T - 3, 2 * rho)
    bound = beta * Lam / 2 * (radius * eta * lam) ** 2 * squares
    if own:
        bound += m / n * M * radius * eta * lam * total(T - 2)
    return eta * bound


def _log_below_one(gap: float) -> float:
    """log(1 - gap) for gap <= 1, up to the rounding that may carry it past 1."""
    return math.log1p(-gap) if gap < 1 else -math.inf


_each = np.vectorize(_sum, otypes=[float])


@kept.form(
    "corrected",
    tex=r"\frac{\eta\beta\Lambda}{2}\Big(\frac{mC}{n\lambda}\Big)^2\big[h_{T-1}(r,1)-2h_{T-1}(r,"
    r"\rho)+h_{T-1}(r,\rho^2)\big]",
)
def leave_one_out(xp, eta, n, m, lam, M, Lam, C, T):
    """The error of the leave-one-out approximator is at most this value; M enters by eta only.

    Tends to (Lam/(2 lam)) (mC/(n lam))^2.

    Note: r = 1 - eta beta lam, rho = 1 - eta lam; summed without subtraction
    Proof: geometric sums of form (A) and (B), with d_t = (mC/(n lam))(1 - rho^t)
    Source: hf, Theorem 4.3, form (D)
    """
    beta, radius = 1 - m / n, m * C / (n * lam)
    r, rho = 1 - eta * beta * lam, 1 - eta * lam
    first, second, third = (xp.homogeneous(T - 1, r, x) for x in (1, rho, rho**2))
    return eta * beta * Lam / 2 * radius**2 * (first - 2 * second + third)


@leave_one_out.numeric
def _(
    eta: Array, n: Array, m: Array, lam: Array, M: Array, Lam: Array, C: Array, T: Array
) -> Array:
    return np.asarray(_each(eta, n, m, lam, M, Lam, C, T, False))


@batch.form(
    "corrected",
    tex=r"\sum_{t<T}\rho^{T-1-t}\eta\Big[\frac{\beta\Lambda}{2}d_t^2+\frac mnMd_t\Big],\quad "
    r"d_t=\frac{mC}{n\lambda}(1-\rho^t)",
)
def papers(xp, eta, n, m, lam, M, Lam, C, T):
    """The error of the paper's approximator is at most this value, of first order in m/n.

    Note: attained by quadratics of one curvature
    Proof: geometric sums of form (A) and (B), with d_t = (mC/(n lam))(1 - rho^t)
    """
    rho = 1 - eta * lam

    def arrived(t):
        d = m * C / (n * lam) * (1 - rho**t)
        return rho ** (T - 1 - t) * eta * ((1 - m / n) * Lam / 2 * d**2 + m / n * M * d)

    return xp.total(arrived, 0, T - 1)


@papers.numeric
def _(
    eta: Array, n: Array, m: Array, lam: Array, M: Array, Lam: Array, C: Array, T: Array
) -> Array:
    return np.asarray(_each(eta, n, m, lam, M, Lam, C, T, True))


limit = Statement(
    "hf.thm4.3.limit",
    "Theorem 4.3, T to infinity",
    "claim",
    words="If rho < 1 the approximation error approaches 0 as T -> infinity.",
    left=r"\lim_{T\to\infty}\|\Delta_{E,B}^{-U}\|",
    symbols=(n, m, lam_positive, M, Lam, C),
    requires=(fewer, curvatures),
    aliases=("hf.thm4.3-limit",),
    plot=Plot(
        "m",
        tuple(float(m) for m in range(1, 10)),
        {"n": 10, "lam": 0.5, "M": 0.5, "Lam": 0.0, "C": 1.0},
        log_y=False,
    ),
    quantity="limit of |v_T - w_T - a|",
    correction="The paper's a tends to the infinitesimal jackknife, the leave-one-out one to the "
    "Newton step; neither is v_T - w_T.",
)
limit.interpreted_as("literal", "one step size (q = 1), rho < 1", {"printed": "<="})
limit.interpreted_as("decaying", "0 < q < 1, rho(eta_0) < 1", {"printed": "<="})
limit.interpreted_as(
    "leave_one_out",
    "with the Hessian of the kept samples, q = 1",
    {"printed": "<="},
    stance="amended",
)
limit.interpreted_as("whole", _CLASS, {"corrected": "<="}, stance="amended")


@limit.form("printed", tex=r"0\quad(\rho<1)")
def vanishing(xp, n):
    """The approximation error tends to 0 when rho < 1. False.

    Note: as T -> infinity, the error approaches 0
    Fails (literal): With a constant step a tends to the infinitesimal jackknife (18), which is not
        the difference of the two minimisers. With m = {m} of n = {n} forgotten an error of
        {measured} stays, however many steps are taken.
    Fails (decaying): Decaying steps sum to η/(1 - q), so that training and retraining stop short of
        their minimisers, each at its own place: for two quadratics, η = {eta}, q = {q}, the error
        tends to {measured}.
    Fails (leave_one_out): Even with the Hessians of the remaining samples a tends to the Newton
        step (17), which is exact on quadratics only: with m = {m} of n = {n} forgotten an error of
        {measured} stays.
    Source: hf, after Theorem 4.3
    """
    return 0


@limit.form(
    "corrected",
    tex=r"\frac1\lambda\Big[\frac{\beta\Lambda}{2}\Big(\frac{mC}{n\lambda}\Big)^2+\frac mn M"
    r"\frac{mC}{n\lambda}\Big]",
)
def remaining(xp, n, m, lam, M, Lam, C):
    """The error stays at most this value however many steps are taken.

    Note: whole batches, one step size, the paper's approximator; attained
    Proof: limit of geometric sums of form (A) and (B), with d_t = (mC/(n lam))(1 - rho^t)
    Equality: on quadratics
    """
    radius = m * C / (n * lam)
    return ((1 - m / n) * Lam / 2 * radius**2 + m / n * M * radius) / lam
