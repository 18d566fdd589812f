"""(56) and (59) of hf: the steps of the proof of Theorem 4.5 with a formula of their own."""

from typing import Any

import numpy as np
from scipy.special import gammaln

from bounds.formula import Array, Formula
from bounds.hf.lemma_a_4 import kept
from bounds.hf.symbols import L, M, curvatures, d, error, lam_positive, m, n, sigma
from bounds.symbols import Symbol

distance = Symbol("distance", "expected distance from the minimiser", r"\mathbb{E}R", low=0)


def chi_mean(d: Array) -> Array:
    """E|xi| of a standard Gaussian in d dimensions, at most sqrt(d)."""
    return np.asarray(np.sqrt(2) * np.exp(gammaln((d + 1) / 2) - gammaln(d / 2)))


def chi_mean_expr(sp: Any, d: Any) -> Any:
    """`chi_mean` as an expression."""
    return sp.sqrt(2) * sp.gamma((d + 1) / 2) / sp.gamma(d / 2)


released = Formula(
    id="hf.eq56",
    label="(56)",
    left=r"\mathbb{E}[F(\tilde{\mathbf{w}}^{-U}_{E,B})-F(\mathbf{w}^*)]",
    symbols=(L, lam_positive, M, distance, sigma, d, n, m),
    requires=(kept, curvatures),
)


@released.form(
    "printed",
    tex=r"\mathbb{E}[L\|\tilde{\mathbf{w}}_{E,B}-\hat{\mathbf{w}}^{-U}\|]+\frac{4L^2}{\lambda(n-m)}",
    note="noise leaves every set on which the losses are Lipschitz",
)
def lipschitz(L: Array, lam: Array, distance: Array, n: Array, m: Array) -> Array:
    """The excess risk of the released model is at most this value, distance = E|w~ - w^|.

    Source: hf, (56). Holds where the losses are L-Lipschitz along the noise; false otherwise.
    """
    return L * distance + 4 * L**2 / (lam * (n - m))


@released.form(
    "corrected",
    tex=r"L\,\mathbb{E}\|\bar{\mathbf{w}}-\hat{\mathbf{w}}^{-U}\|+\frac{Md\sigma^2}{2}"
    r"+\frac{L^2}{\lambda(n-m+1)}",
    note="Lipschitz before the noise (w-bar in W), smooth along it",
)
def smooth(
    L: Array, lam: Array, M: Array, distance: Array, sigma: Array, d: Array, n: Array, m: Array
) -> Array:
    """The excess risk is at most this value, distance = E|w_T + a - w^| before the noise."""
    return L * distance + M * d * sigma**2 / 2 + L**2 / (lam * (n - m + 1))


@lipschitz.expression
def _(sp: Any, L: Any, lam: Any, distance: Any, n: Any, m: Any) -> Any:
    return L * distance + 4 * L**2 / (lam * (n - m))


@smooth.expression
def _(sp: Any, L: Any, lam: Any, M: Any, distance: Any, sigma: Any, d: Any, n: Any, m: Any) -> Any:
    return L * distance + M * d * sigma**2 / 2 + L**2 / (lam * (n - m + 1))


noisy = Formula(
    id="hf.eq59",
    label="(59)",
    left=r"\mathbb{E}\|\tilde{\mathbf{w}}^{-U}_{E,B}-\mathbf{w}^{-U}_{E,B}\|",
    symbols=(error, sigma, d),
)


@noisy.form(
    "printed",
    tex=r"\mathbb{E}[\|\mathbf{w}_{E,B}+\mathbf{a}_{E,B}^{-U}-\mathbf{w}_{E,B}^{-U}\|]+"
    r"\mathbb{E}[\|\sigma\|]",
    note="as an equality",
)
def equal(error: Array, sigma: Array, d: Array) -> Array:
    """The expected distance equals this value. Source: hf, (59). False (typo): at most."""
    return error + sigma * chi_mean(d)


@noisy.form("corrected", tex=r"\|\Delta\|+\sigma\,\mathbb{E}\chi_d", note="the same, as a bound")
def at_most(error: Array, sigma: Array, d: Array) -> Array:
    """The expected distance is at most this value, with equality where either part is 0."""
    return error + sigma * chi_mean(d)


@equal.expression
def _(sp: Any, error: Any, sigma: Any, d: Any) -> Any:
    return error + sigma * chi_mean_expr(sp, d)


at_most.expr = equal.expr
