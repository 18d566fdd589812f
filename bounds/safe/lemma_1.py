"""Lemma 1 of safe: the normal approximation of a normalised sum, with the constant it needs."""

import math

import numpy as np

from bounds import Plot, Statement, Symbol
from bounds.safe.symbols import d, n

_C = Symbol("C", "constant of the O()", "C", low=0, low_open=True, unit="?", hidden=True)
_rho = Symbol(
    "rho", "third absolute moment over the cube of the standard deviation", r"\rho", low=1, unit="1"
)
_third = Symbol("third", "E|Sigma^{-1/2}(X - mu)|^3", r"\beta_3", low=1, unit="1")
_LEFT = r"\sup_{\mathbf{z}}|\mathbb{P}(\mathbf{S}_n\leq\mathbf{z})-\Phi_{\Sigma}(\mathbf{z})|"

ESSEEN = (4 - math.sqrt(10)) / 2
statement = Statement(
    "safe.lem1",
    "Lemma 1",
    "asymptotic",
    words="The distribution function of S_n = n^{-1/2} sum (X_i - mu), X_i independent with "
    "one law of mean mu and covariance Sigma, is within O(n^{-1/2}) of the normal one.",
    left=_LEFT,
    symbols=(n, _C, _rho),
    growth={"n": "1/sqrt(n)"},
    aliases=("safe.eq29",),
    plot=Plot(
        "n",
        tuple(float(round(v)) for v in np.geomspace(10, 4000, 20)),
        {"rho": (ESSEEN**2 + (1 - ESSEEN) ** 2) / math.sqrt(ESSEEN * (1 - ESSEEN)), "C": 1.0},
        log_x=True,
    ),
    quantity="largest error of the distribution function",
    correction="0.469 E|X - mu|^3/(sigma^3 sqrt(n)); it is about sums, not about one sample.",
)
statement.interpreted_as(
    "literal", "mean and covariance exist; a constant for each law", {"printed": "<="}
)
statement.interpreted_as("moments", "one dimension, E|X|^3 finite", stance="amended")
statement.interpreted_as(
    "uniform", "E|X|^3 finite; one constant for all laws", {"printed": "<="}, stance="amended"
)
several = Statement(
    "safe.lem1.d",
    "Lemma 1 in d dimensions",
    "inequality",
    words="On convex sets S_n is within (42 d^{1/4} + 16) E|Sigma^{-1/2}(X - mu)|^3/sqrt(n) "
    "of the normal law.",
    left=_LEFT,
    reads={r"\mathbb{E}\|\Sigma^{-1/2}(\mathbf{X}-\mu)\|^3": "third"},
    symbols=(n, d, _third),
    quantity="largest error on convex sets",
)
several.interpreted_as(
    "literal",
    "E|X|^3 finite; far from attained: in one dimension convex sets are intervals, for "
    "which twice Shevtsova's .469 does in the place of 58",
)


@statement.form("printed", tex=r"O(\frac{1}{\sqrt{n}})")
def printed(xp, n, C):
    """The distribution function of S_n is within this value of the normal one, says safe.

    False with two moments only, whatever C; with three moments C must grow with the third one.

    Note: read as C/sqrt(n); no C is given
    Fails (literal): Mean and covariance are not enough: without a third moment no constant serves.
        For P(|X| > x) = x^(−2.1) the error is at least {measured} at n = {n}, and C/√n is {bound}
        for C = {C}.
    Fails (moments): With a finite third moment there is a constant, but O(1/√n) does not say which:
        it must grow with E|X − μ|³/σ³. In one dimension 0.469 times that serves.
    Fails (uniform): One constant cannot serve all laws, for it must grow with the third moment: for
        Bernoulli(1/n) with n = {n} the error at 0 is {measured}, and C/√n is {bound} for C = {C}.
    Source: safe, Lemma 1, eq (29)
    """
    return C / xp.sqrt(n)


@statement.form(
    "corrected", tex=r"\frac{0.469\,\rho}{\sqrt{n}},\quad\rho=\mathbb{E}|X-\mu|^3/\sigma^3"
)
def corrected(xp, n, rho):
    """The distribution function of S_n is within this value of the normal one, in one dimension.

    Constant at most 1.15 times too large.

    Note: one dimension (Shevtsova 2013); no constant below 0.40973 will do (Esseen 1956)
    Proof: Shevtsova 2013, the constant 0.469 of Berry-Esseen
    Source: Shevtsova 2013, for any law with three moments
    """
    return xp.rational(469, 1000) * rho / xp.sqrt(n)


@several.form(
    "corrected",
    tex=r"\frac{(42d^{1/4}+16)\,\mathbb{E}\|\Sigma^{-1/2}(\mathbf{X}-\mu)\|^3}{\sqrt{n}}",
)
def convex_sets(xp, n, d, third):
    """P(S_n in A) is within this value of the normal one for every convex set A.

    A singular covariance may be inverted on its range: the sum and the normal law both live there,
    and convex sets stay convex.

    Note: all convex sets, not only orthants (Raic 2019)
    Proof: Raic 2019, Theorem 1.1: Stein's method on smoothed convex sets, for sums of independent
        vectors. With summands X/sqrt(n) the third moments add up to the fraction here.
    Source: Raic 2019
    """
    return (42 * d ** xp.rational(1, 4) + 16) * third / xp.sqrt(n)
