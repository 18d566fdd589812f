"""Theorem 4.3 of hf on whole batches with one step size, and its limit for many steps."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.hf.symbols import C, Lam, M, T, curvatures, eta, lam_positive, m, n
from bounds.hf.theorem_4_3 import LEFT

fewer = Requirement("m < n", lambda m, n: m < n)
stable = Requirement("eta <= 2/(lam + M)", lambda eta, lam, M: eta <= 2 / (lam + M))
ARGUMENTS = (eta, n, m, lam_positive, M, Lam, C, T)

kept = Formula(
    id="hf.thm4.3.constant",
    label="Theorem 4.3, whole batches and constant steps, leave-one-out",
    left=LEFT,
    symbols=ARGUMENTS,
    requires=(fewer, curvatures, stable),
)
batch = Formula(
    id="hf.thm4.3.constant.batch",
    label="Theorem 4.3, whole batches and constant steps",
    left=LEFT,
    symbols=ARGUMENTS,
    requires=(fewer, curvatures, stable),
)


def _sum(
    eta: float, n: float, m: float, lam: float, M: float, Lam: float, C: float, T: float, own: bool
) -> float:
    """sum_t f^{T-1-t} eta (beta Lam d_t^2/2 + own (m/n) M d_t), d_t = (mC/(n lam))(1 - rho^t)."""
    beta, reach = 1 - m / n, m * C / (n * lam)
    k = np.arange(int(T))
    drift = -reach * np.expm1(k * np.log1p(-eta * lam)) if eta * lam < 1 else reach * (k > 0)
    factor = 1 - eta * lam * (1.0 if own else beta)
    step = eta * (beta * Lam / 2 * drift**2 + (m / n * M * drift if own else 0.0))
    return float(np.sum(factor ** (T - 1 - k) * step))


_each = np.vectorize(_sum, otypes=[float])


@kept.form(
    "corrected",
    tex=r"\frac{\eta\beta\Lambda}{2}\Big(\frac{mC}{n\lambda}\Big)^2\big[h_{T-1}(r,1)-2h_{T-1}(r,"
    r"\rho)+h_{T-1}(r,\rho^2)\big]",
    note="r = 1 - eta beta lam, rho = 1 - eta lam; summed without subtraction",
)
def leave_one_out(
    eta: Array, n: Array, m: Array, lam: Array, M: Array, Lam: Array, C: Array, T: Array
) -> Array:
    """The error of the leave-one-out approximator is at most this value; M enters by eta only.

    Source: hf, Theorem 4.3, form (D). Tends to (Lam/(2 lam)) (mC/(n lam))^2.
    """
    return np.asarray(_each(eta, n, m, lam, M, Lam, C, T, False))


@batch.form(
    "corrected",
    tex=r"\sum_{t<T}\rho^{T-1-t}\eta\Big[\frac{\beta\Lambda}{2}d_t^2+\frac mnMd_t\Big],\quad "
    r"d_t=\frac{mC}{n\lambda}(1-\rho^t)",
    note="attained by quadratics of one curvature",
)
def papers(
    eta: Array, n: Array, m: Array, lam: Array, M: Array, Lam: Array, C: Array, T: Array
) -> Array:
    """The error of the paper's approximator is at most this value, of first order in m/n."""
    return np.asarray(_each(eta, n, m, lam, M, Lam, C, T, True))


def _homogeneous(x: Any, y: Any, count: Any) -> Any:
    return count * x ** (count - 1) if x == y else (x**count - y**count) / (x - y)


@leave_one_out.expression
def _(sp: Any, eta: Any, n: Any, m: Any, lam: Any, M: Any, Lam: Any, C: Any, T: Any) -> Any:
    beta, reach = 1 - m / n, m * C / (n * lam)
    r, rho = 1 - eta * beta * lam, 1 - eta * lam
    total = (
        _homogeneous(r, 1, T) - 2 * _homogeneous(r, rho, T) + _homogeneous(r, rho**2, T)
        if T > 0
        else 0
    )
    return eta * beta * Lam / 2 * reach**2 * total


@papers.expression
def _(sp: Any, eta: Any, n: Any, m: Any, lam: Any, M: Any, Lam: Any, C: Any, T: Any) -> Any:
    reach, rho, total = m * C / (n * lam), 1 - eta * lam, sp.Integer(0)
    for t in range(T):
        d = reach * (1 - rho**t)
        total += rho ** (T - 1 - t) * eta * ((1 - m / n) * Lam / 2 * d**2 + m / n * M * d)
    return total


limit = Formula(
    id="hf.thm4.3.limit",
    label="Theorem 4.3, T to infinity",
    left=r"\lim_{T\to\infty}\|\Delta_{E,B}^{-U}\|",
    symbols=(n, m, lam_positive, M, Lam, C),
    requires=(fewer, curvatures),
)


@limit.form("printed", tex=r"0\quad(\rho<1)", note="as T -> infinity, the error approaches 0")
def vanishing(n: Array) -> Array:
    """The approximation error tends to 0 when rho < 1. Source: hf, after Theorem 4.3. False."""
    return np.zeros_like(n)


@vanishing.expression
def _(sp: Any, n: Any) -> Any:
    return sp.Integer(0)


@limit.form(
    "corrected",
    tex=r"\frac1\lambda\Big[\frac{\beta\Lambda}{2}\Big(\frac{mC}{n\lambda}\Big)^2+\frac mn M"
    r"\frac{mC}{n\lambda}\Big]",
    note="whole batches, one step size, the paper's approximator; attained",
)
def remaining(n: Array, m: Array, lam: Array, M: Array, Lam: Array, C: Array) -> Array:
    """The error stays at most this value however many steps are taken; quadratics reach it."""
    reach = m * C / (n * lam)
    return ((1 - m / n) * Lam / 2 * reach**2 + m / n * M * reach) / lam


@remaining.expression
def _(sp: Any, n: Any, m: Any, lam: Any, M: Any, Lam: Any, C: Any) -> Any:
    reach = m * C / (n * lam)
    return ((1 - m / n) * Lam / 2 * reach**2 + m / n * M * reach) / lam
