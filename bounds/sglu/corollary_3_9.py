"""Corollary 3.9 of sglu: the loss averaged over a random, secret batch order."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bounds.forms import Array
from bounds.readings import Reading
from bounds.sglu.convergent import stationary_mu, stationary_mu_squared
from bounds.sglu.series import contracted, precise_c, stationary_distance
from bounds.sglu.symbols import J, K_positive, M, R, alpha, b, contractive, eta, m_positive, sigma
from bounds.statements import Plot, Statement

MOST_BATCHES = 5 * 10**5  # each is a position of its own

statement = Statement(
    "sglu.cor3.9",
    "Corollary 3.9",
    "inequality",
    words="With a random batch order, independent of the request, the loss is at most the "
    "exponential average of Corollary 3.8's over the order.",
    left=r"d_\alpha(\mathbb E_{\mathcal B}\,\rho_{K|\mathcal B}, "
    r"\mathbb E_{\mathcal B}\,\nu_{\mathcal D'|\mathcal B})",
    symbols=(alpha, eta, m_positive, M, sigma, R, b, J.upto(MOST_BATCHES), K_positive),
    requires=(contractive,),
    readings=(
        Reading(
            "literal",
            "T = inf for every data set; the order is uniform, secret, and kept for unlearning",
            {"printed": "<=", "corrected": "<="},
            proofs={
                "printed": "Corollary 3.8 for each order, joint convexity of exp((a - 1) D_a)",
                "corrected": "Theorem X (iii) for each position, the same convexity",
            },
        ),
        Reading(
            "public",
            "the order is released or known: the laws are those of one fixed order, the worst",
            {"printed": "<=", "corrected": "<="},
        ),
    ),
    aliases=("sglu.x3.vi",),
    plot=Plot(
        "K",
        tuple(map(float, range(1, 11))),
        {"alpha": 3, "eta": 0.8, "m": 0.1, "M": 1, "sigma": 0.3, "R": math.inf, "b": 2, "J": 4},
    ),
    quantity="d_alpha of the mixtures over the batch order",
    correction="Mix the exact accounting of each position (Theorem X (vi)); the order must stay "
    "secret.",
)


def _log_mean_exp(exponents: Array, used: NDArray[np.bool_]) -> Array:
    """log of the mean of exp over the last axis, to full relative precision also near 0."""
    count = used.sum(axis=-1)
    top = np.max(np.where(used, exponents, 0.0), axis=-1)
    below = np.where(used, exponents - top[..., None], -np.inf)
    large = top + np.log(np.sum(np.exp(below), axis=-1) / count)
    small = np.where(used, np.expm1(np.minimum(exponents, 1.0)), 0.0)
    return np.asarray(np.where(top < 1, np.log1p(np.sum(small, axis=-1) / count), large))


def _positions(J: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Distances J - 1 - j0 = 0, 1, ... of the batch from the epoch's end, and which exist."""
    quiet = np.arange(float(np.max(J)))
    return quiet, quiet < J[..., None]


def _expm1(sp: Any, x: Any) -> Any:
    """exp(x) - 1 with 60 digits, by its series where the difference would cancel."""
    return sp.exp(x) - 1 if x > 1e-30 else x + x**2 / 2 + x**3 / 6


def _log1p(sp: Any, x: Any) -> Any:
    """log(1 + x) with 60 digits, by its series where the sum would cancel."""
    return sp.log(1 + x) if x > 1e-30 else x - x**2 / 2 + x**3 / 3


@statement.form(
    "printed",
    tex=r"\frac{1}{\alpha-1}\log\left(\mathbb E_{\mathcal B}\exp\left("
    r"\frac{\alpha(\alpha-1)Z_{\mathcal B}^2}{2\eta\sigma^2}c^{2Kn/b}\right)\right)",
    reads={
        r"\mathbb E_{\mathcal B}": r"\frac1J\sum_{j<J}",
        r"Z_{\mathcal B}": r"\min(\frac{qc^{J-1-j}}{1-c^J},2R)",
    },
    note="Z_B depends on B through j0 only, which is uniform on 0..n/b - 1",
)
def printed(
    alpha: Array, eta: Array, m: Array, M: Array, sigma: Array, R: Array, b: Array, J: Array,
    K: Array,
) -> Array:  # fmt: skip
    """d_alpha of the laws mixed over a uniform secret batch order is at most this value, T = inf.

    Source: sglu, Corollary 3.9 (by joint convexity of exp((alpha - 1) D_alpha), not of KL).
    """
    alpha, eta, m, M, sigma, R, b, J, K = np.broadcast_arrays(alpha, eta, m, M, sigma, R, b, J, K)
    quiet, used = _positions(J)
    Z = stationary_distance(eta, m, M, b, J)[..., None] * contracted(
        eta[..., None], m[..., None], quiet
    )
    Z = np.minimum(Z, 2 * R[..., None])
    scale = alpha * (alpha - 1) * contracted(eta, m, 2 * K * J) / (2 * eta * sigma**2)
    return _log_mean_exp(scale[..., None] * Z**2, used) / (alpha - 1)


@printed.expression
def _(
    sp: Any, alpha: Any, eta: Any, m: Any, M: Any, sigma: Any, R: Any, b: Any, J: Any, K: Any
) -> Any:
    c = precise_c(sp, eta, m)
    total = 0
    for j in range(int(J)):
        Z = sp.Min(c ** (J - 1 - j) * 2 * eta * M / b / (1 - c**J), 2 * R)
        total += _expm1(sp, alpha * (alpha - 1) * Z**2 / (2 * eta * sigma**2) * c ** (2 * K * J))
    return _log1p(sp, total / J) / (alpha - 1)


@statement.form(
    "corrected",
    tex=r"\frac{1}{\alpha-1}\log\Big(\frac1J\sum_{j<J}e^{\alpha(\alpha-1)\mu_j^2/2}\Big),\quad "
    r"\mu_j=\min_{\tau\in\{0,1,\dots,\infty\}}\frac{(2Rc^{\tau J}+Z_\tau)\,c^{(K+1)J-1-j}}"
    r"{\sqrt{2\eta}\,\sigma\sqrt{G_c((\tau+K+1)J-1-j)}}",
    note="the exact accounting of each position, mixed",
)
def corrected(
    alpha: Array, eta: Array, m: Array, M: Array, sigma: Array, R: Array, b: Array, J: Array,
    K: Array,
) -> Array:  # fmt: skip
    """d_alpha is at most this value. Source: Theorem X (vi); not claimed to be optimal."""
    alpha, eta, m, M, sigma, R, b, J, K = np.broadcast_arrays(alpha, eta, m, M, sigma, R, b, J, K)
    quiet, used = _positions(J)
    position = np.where(used, J[..., None] - 1 - quiet, 0.0)
    eta, m, M, sigma, R, b, J, K = (x[..., None] for x in (eta, m, M, sigma, R, b, J, K))
    mu = stationary_mu(eta, m, M, sigma, R, b, J, K, position)
    scale = alpha * (alpha - 1) / 2
    return _log_mean_exp(scale[..., None] * mu**2, used) / (alpha - 1)


@corrected.expression
def _(
    sp: Any, alpha: Any, eta: Any, m: Any, M: Any, sigma: Any, R: Any, b: Any, J: Any, K: Any
) -> Any:
    total = 0
    for j in range(int(J)):
        square = stationary_mu_squared(sp, eta, m, M, sigma, R, b, J, K, sp.Integer(j))
        total += _expm1(sp, alpha * (alpha - 1) * square / 2)
    return _log1p(sp, total / J) / (alpha - 1)
