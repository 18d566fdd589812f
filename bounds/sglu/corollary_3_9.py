"""Corollary 3.9 of sglu: the loss averaged over a random, secret batch order."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bounds import Plot, Statement
from bounds.forms import Array
from bounds.namespaces import numeric
from bounds.sglu.convergent import stationary_mu_squared
from bounds.sglu.series import amplified_once, stationary
from bounds.sglu.symbols import J, K_positive, M, R, alpha, b, contractive, eta, m_positive, sigma

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
statement.interpreted_as(
    "literal", "T = inf for every data set; the order is uniform, secret, and kept for unlearning"
)
# The corollary is of the K-th output alone, and of an order that is drawn.
statement.interpreted_as(
    "public",
    "the order is released or known: the laws are those of one fixed order, the worst",
    stance="amended",
)


def _printed_loss(xp, alpha, eta, m, M, sigma, R, b, J, K, quiet):
    """Corollary 3.8's bound for the batch that `quiet` steps of the epoch follow."""
    apart = xp.minimum(stationary(xp, eta, m, M, b, J, quiet), 2 * R)
    return amplified_once(xp, alpha, apart, eta, m, sigma, K * J)


def _exact_loss(xp, alpha, eta, m, M, sigma, R, b, J, K, quiet):
    """The exact accounting's bound for the batch that `quiet` steps of the epoch follow."""
    return alpha / 2 * stationary_mu_squared(xp, eta, m, M, sigma, R, b, J, K, quiet)


def _averaged(xp, alpha, J, loss):
    """The exponential average of the losses of order alpha over quiet = 0..J - 1."""
    excess = xp.total(lambda quiet: xp.expm1((alpha - 1) * loss(quiet)), 0, J - 1)
    return xp.log1p(excess / J) / (alpha - 1)


def _averaged_at_once(
    loss: Callable[..., Array],
    alpha: Array,
    eta: Array,
    m: Array,
    M: Array,
    sigma: Array,
    R: Array,
    b: Array,
    J: Array,
    K: Array,
) -> Array:
    """All positions (up to 500,000) in one array, the largest loss apart: nothing overflows."""
    rows = [x[..., None] for x in np.broadcast_arrays(alpha, eta, m, M, sigma, R, b, J, K)]
    quiet = np.arange(float(np.max(J)))
    used = quiet < rows[-2]
    exponents = (rows[0] - 1) * loss(numeric, *rows, np.where(used, quiet, 0.0))
    return _log_mean_exp(exponents, used) / (alpha - 1)


def _log_mean_exp(exponents: Array, used: NDArray[np.bool_]) -> Array:
    """log of the mean of exp over the last axis, to full relative precision also near 0."""
    count = used.sum(axis=-1)
    top = np.max(np.where(used, exponents, 0.0), axis=-1)
    below = np.where(used, exponents - top[..., None], -np.inf)
    large = top + np.log(np.sum(np.exp(below), axis=-1) / count)
    small = np.where(used, np.expm1(np.minimum(exponents, 1.0)), 0.0)
    return np.asarray(np.where(top < 1, np.log1p(np.sum(small, axis=-1) / count), large))


@statement.form(
    "printed",
    tex=r"\frac{1}{\alpha-1}\log\left(\mathbb E_{\mathcal B}\exp\left("
    r"\frac{\alpha(\alpha-1)Z_{\mathcal B}^2}{2\eta\sigma^2}c^{2Kn/b}\right)\right)",
    reads={
        r"\mathbb E_{\mathcal B}": r"\frac1J\sum_{j<J}",
        r"Z_{\mathcal B}": r"\min(\frac{qc^{J-1-j}}{1-c^J},2R)",
    },
)
def printed(xp, alpha, eta, m, M, sigma, R, b, J, K):
    """d_alpha of the laws mixed over a uniform secret batch order is at most this value, T = inf.

    Note: Z_B depends on B through j0 only, which is uniform on 0..n/b - 1
    Proof (literal): Corollary 3.8 for each order, joint convexity of exp((a - 1) D_a)
    Fails (public): Nothing asks for a secret batch order, and where it is known the average over
        orders is no bound: for a point in the last of {J} batches D₂ is {measured}, more than the
        {bound} of the corollary.
    Source: sglu, Corollary 3.9 (by joint convexity of exp((alpha - 1) D_alpha), not of KL)
    """
    return _averaged(
        xp, alpha, J, lambda quiet: _printed_loss(xp, alpha, eta, m, M, sigma, R, b, J, K, quiet)
    )


printed.numeric(partial(_averaged_at_once, _printed_loss))


@statement.form(
    "corrected",
    tex=r"\frac{1}{\alpha-1}\log\Big(\frac1J\sum_{j<J}e^{\alpha(\alpha-1)\mu_j^2/2}\Big),\quad "
    r"\mu_j=\min_{\tau\in\{0,1,\dots,\infty\}}\frac{(2Rc^{\tau J}+Z_\tau)\,c^{(K+1)J-1-j}}"
    r"{\sqrt{2\eta}\,\sigma\sqrt{G_c((\tau+K+1)J-1-j)}}",
)
def corrected(xp, alpha, eta, m, M, sigma, R, b, J, K):
    """d_alpha of the laws mixed over a uniform secret batch order is at most this value, T = inf.

    Note: the exact accounting of each position, mixed
    Proof (literal): Theorem X (iii) for each position, the same convexity
    Fails (public): Where the batch order is known the average over orders is no bound: for one
        order of {J} batches D₂ is {measured}, {ratio} times the average of {bound}.
    Source: Theorem X (vi); not claimed to be optimal
    """
    return _averaged(
        xp, alpha, J, lambda quiet: _exact_loss(xp, alpha, eta, m, M, sigma, R, b, J, K, quiet)
    )


corrected.numeric(partial(_averaged_at_once, _exact_loss))
