"""Algorithms 6 to 8 of sglu: how many epochs each of a sequence of requests gets."""

import numpy as np

from accounting.gaussian import mu_gdp
from accounting.renyi import rho_mironov
from bounds.formula import Array, Formula
from bounds.sglu.symbols import J, M, R, S, b, contractive, delta, eta, m_positive, sigma
from bounds.symbols import Symbol

formula = Formula(
    id="sglu.alg6",
    label="Algorithms 6-8",
    left=r"\sum_{s\le S}K_s",
    symbols=(
        Symbol("epsilon", "target epsilon of every request", r"\epsilon", low=0, low_open=True),
        delta,
        sigma,
        S,
        eta,
        m_positive,
        M,
        b,
        J,
        R,
    ),
    requires=(contractive,),
)


def least_epochs(Z: Array, tau: Array, c: Array, J: Array) -> Array:
    """Least K >= 1 with Z c^{KJ} <= tau."""
    with np.errstate(divide="ignore"):
        guess = np.maximum(1.0, np.ceil(np.log(Z / tau) / (-J * np.log(c))))
    guess = np.where((guess > 1) & (Z * c ** ((guess - 1) * J) <= tau), guess - 1, guess)
    return np.where(Z * c ** (guess * J) > tau, guess + 1, guess)


def sequence(Z: Array, tau: Array, c: Array, J: Array, R: Array, S: int) -> Array:
    """K_1..K_S (last axis) when each request spends the least K for the distance it starts from.

    The distance accumulates as Theorem 3.11 says: Z^{(s+1)} = min(c^{K_s J} Z^{(s)} + Z, 2R).
    """
    Z, tau, c, J, R = np.broadcast_arrays(Z, tau, c, J, R)
    start, spent = np.minimum(Z, 2 * R), []
    for _ in range(S):
        K = least_epochs(start, tau, c, J)
        spent.append(K)
        start = np.minimum(c ** (K * J) * start + Z, 2 * R)
    return np.stack(spent, axis=-1)


def _distance(eta: Array, m: Array, M: Array, b: Array, J: Array) -> Array:
    return 2 * eta * M / b / -np.expm1(J * np.log1p(-eta * m))


def tau_printed(epsilon: Array, delta: Array, sigma: Array, eta: Array) -> Array:
    """Distance at which the printed bound (Corollary 3.8, Proposition K.2) meets the target."""
    return sigma * np.sqrt(2 * eta * rho_mironov(epsilon, delta))


def tau_exact(epsilon: Array, delta: Array, sigma: Array, eta: Array, m: Array) -> Array:
    """Distance at which the exact accounting meets the target: mu* s / sqrt(1 - c^2)."""
    c = 1 - eta * m
    return mu_gdp(epsilon, delta) * sigma * np.sqrt(2 * eta / (1 - c**2))


@formula.form(
    "printed",
    tex=r"K\leftarrow K+1\ \text{until}\ \min_\alpha\Big[\frac{\alpha Z^2c^{2Kn/b}}"
    r"{2\eta\sigma^2}+\frac{\log(1/\delta)}{\alpha-1}\Big]\le\hat\epsilon;\ \text{return } K",
    note="Z is never updated between requests, and K is returned one too large",
)
def printed(
    epsilon: Array, delta: Array, sigma: Array, S: Array,
    eta: Array, m: Array, M: Array, b: Array, J: Array, R: Array,
) -> Array:  # fmt: skip
    """Total epochs that the printed loops spend on S requests: S times (least K, plus one).

    Source: sglu, Algorithms 6, 7 and 8. The guarantee they claim is false for S >= 2.
    """
    Z = np.minimum(_distance(eta, m, M, b, J), 2 * R)
    return S * (least_epochs(Z, tau_printed(epsilon, delta, sigma, eta), 1 - eta * m, J) + 1)


def _total(S: Array, Z: Array, tau: Array, c: Array, J: Array, R: Array) -> Array:
    spent = np.cumsum(sequence(Z, tau, c, J, R, int(np.max(S))), axis=-1)
    shape = np.broadcast_shapes(spent.shape[:-1], np.shape(S))
    spent = np.broadcast_to(spent, (*shape, spent.shape[-1]))
    index = np.broadcast_to(S, shape)[..., None].astype(int) - 1
    return np.take_along_axis(spent, index, axis=-1)[..., 0]


@formula.form(
    "corrected",
    tex=r"K_s=\min\{K\ge1:\epsilon(Z^{(s)},K)\le\hat\epsilon\},\quad "
    r"Z^{(s+1)}=\min(c^{K_sn/b}Z^{(s)}+Z,2R)",
    note="the paper's own accounting with Theorem 3.11's update",
)
def corrected(
    epsilon: Array, delta: Array, sigma: Array, S: Array,
    eta: Array, m: Array, M: Array, b: Array, J: Array, R: Array,
) -> Array:  # fmt: skip
    """Total epochs that suffice by Corollary 3.8, Theorem 3.11 and Proposition K.2."""
    tau = tau_printed(epsilon, delta, sigma, eta)
    return _total(S, _distance(eta, m, M, b, J), tau, 1 - eta * m, J, R)


@formula.form(
    "tight",
    tex=r"K_s=\min\{K\ge1: Z^{(s)}c^{KJ}\le\mu^*\sqrt{2\eta}\,\sigma/\sqrt{1-c^2}\}",
    note="exact accounting; one epoch less at any request breaks the target on quadratics",
)
def tight(
    epsilon: Array, delta: Array, sigma: Array, S: Array,
    eta: Array, m: Array, M: Array, b: Array, J: Array, R: Array,
) -> Array:  # fmt: skip
    """Total epochs that suffice by the exact Gaussian accounting of the whole trajectory."""
    tau = tau_exact(epsilon, delta, sigma, eta, m)
    return _total(S, _distance(eta, m, M, b, J), tau, 1 - eta * m, J, R)
