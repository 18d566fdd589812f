"""Lemma 1 of safe: the normal approximation of a normalised sum, with the constant it needs."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.safe.symbols import d, n
from bounds.symbols import Symbol

_C = Symbol("C", "constant of the O()", "C", low=0, low_open=True)
_rho = Symbol("rho", "third absolute moment over the cube of the standard deviation",
              r"\rho", low=1)  # fmt: skip
_third = Symbol("third", "E|Sigma^{-1/2}(X - mu)|^3", r"\beta_3", low=1)
_LEFT = r"\sup_{\mathbf{z}}|\mathbb{P}(\mathbf{S}_n\leq\mathbf{z})-\Phi_{\Sigma}(\mathbf{z})|"

formula = Formula(id="safe.lem1", label="Lemma 1", left=_LEFT, symbols=(n, _C, _rho))
several = Formula(
    id="safe.lem1.d", label="Lemma 1 in d dimensions", left=_LEFT, symbols=(n, d, _third)
)


@formula.form("printed", tex=r"O(\frac{1}{\sqrt{n}})", note="read as C/sqrt(n); no C is given")
def printed(n: Array, C: Array) -> Array:
    """The distribution function of S_n is within this value of the normal one, says safe.

    Source: safe, Lemma 1, eq (29). False with two moments only, whatever C; with three moments C
    must grow with the third one.
    """
    return np.asarray(C / np.sqrt(n))


@printed.expression
def _(sp: Any, n: Any, C: Any) -> Any:
    return C / sp.sqrt(n)


@formula.form(
    "corrected",
    tex=r"\frac{0.469\,\rho}{\sqrt{n}},\quad\rho=\mathbb{E}|X-\mu|^3/\sigma^3",
    note="one dimension (Shevtsova 2013); no constant below 0.40973 will do (Esseen 1956)",
)
def corrected(n: Array, rho: Array) -> Array:
    """The distribution function of S_n is within this value of the normal one, in one dimension.

    Source: Shevtsova 2013, for any law with three moments. Constant at most 1.15 times too large.
    """
    return np.asarray(0.469 * rho / np.sqrt(n))


@corrected.expression
def _(sp: Any, n: Any, rho: Any) -> Any:
    return sp.Rational(469, 1000) * rho / sp.sqrt(n)


@several.form(
    "corrected",
    tex=r"\frac{(42d^{1/4}+16)\,\mathbb{E}\|\Sigma^{-1/2}(\mathbf{X}-\mu)\|^3}{\sqrt{n}}",
    note="all convex sets, not only orthants (Raic 2019)",
)
def convex_sets(n: Array, d: Array, third: Array) -> Array:
    """P(S_n in A) is within this value of the normal one for every convex set A.

    Source: Raic 2019. A singular covariance may be inverted on its range: the sum and the normal
    law both live there, and convex sets stay convex.
    """
    return np.asarray((42 * d**0.25 + 16) * third / np.sqrt(n))


@convex_sets.expression
def _(sp: Any, n: Any, d: Any, third: Any) -> Any:
    return (42 * d ** sp.Rational(1, 4) + 16) * third / sp.sqrt(n)
