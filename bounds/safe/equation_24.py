"""Equation (24) of safe: the factor of one class, and the target that all factors make."""

import numpy as np

from bounds import Plot, Statement, Symbol
from bounds.safe.equation_20 import counted, n0, n0y, nt, nty
from bounds.safe.equation_21 import mean_0, mean_t, var_0, var_t
from bounds.safe.logits import log_factors, log_sum, logits0, of_initial

_COUNTS = {"nty": 90.0, "n0y": 100.0, "nt": 950.0, "n0": 1000.0}
z = Symbol("z", "standardised feature, one coordinate", r"\mathbf{z}", unit="feature")

statement = Statement(
    "safe.eq24",
    "Equation (24)",
    "equality",
    words="f(x; w_t*) is approximately q_t^(y)(x) f(x; w_0), normalised, q = (n_t(y)/n_0(y)) "
    "(|D_0|/|D_t|) N(z | mu_t, Sigma_t)/N(z | mu_0, Sigma_0).",
    left=r"q_t^{(y)}(\mathbf{x})",
    symbols=(z, nty, n0y, nt, n0, mean_t, var_t, mean_0, var_0),
    requires=(counted,),
    plot=Plot(
        "z",
        tuple(np.linspace(-3, 3, 25).tolist()),
        {**_COUNTS, "mean_t": 0.1, "var_t": 0.9, "mean_0": 0.0, "var_0": 1.0},
    ),
    quantity="q of one class",
    correction="The target is q^(c)(x) f_c(x; w_0), normalised, with a factor for every class c; "
    "with the factor of the sample's own label for all classes it is f(x; w_0) itself.",
)
statement.interpreted_as("literal", "no error is stated; q of the sample's own label")
statement.interpreted_as(
    "gaussian",
    "every class is Gaussian in the frozen coordinate z, before and after; "
    "q is the ratio of p(y) p(z|y)",
    stance="amended",
)
statement.interpreted_as("counted", "q is the ratio of p(y) p(x|y), for the data of D_0 and D_t")
target = Statement(
    "safe.eq24.target",
    "Equation (24), normalised over the classes",
    "equality",
    words="f_c(x; w_t*) = q^(c)(x) f_c(x; w_0) / sum_c' q^(c')(x) f_c'(x; w_0).",
    left=r"f(\mathbf{x};w_t^*)",
    symbols=(logits0, log_factors),
    requires=(of_initial,),
)
target.interpreted_as("literal", "saturated models and exact factors q^(c) of every class")


@statement.form(
    "printed",
    tex=r"\frac{n_t(y)}{n_0(y)}\cdot\frac{|D_0|}{|D_t|}\cdot\mathcal{N}\left(\mathbf{z}\mid"
    r"\boldsymbol{\mu}_t^{(y)},\boldsymbol{\Sigma}_t^{(y)}\right)/\mathcal{N}\left(\mathbf{z}\mid"
    r"\boldsymbol{\mu}_0^{(y)},\boldsymbol{\Sigma}_0^{(y)}\right)",
)
def printed(xp, z, nty, n0y, nt, n0, mean_t, var_t, mean_0, var_0):
    """p_t(y)p_t(x|y)/(p_0(y)p_0(x|y)) equals this value for classes that are Gaussian in z.

    Note: of one class, in one frozen coordinate; exact where the class is Gaussian in both rounds
    Proof (gaussian): the definition of the two densities
    Fails (literal): ≈ comes without an error. With y the sample's own label q is one number for all
        labels, which cancels in the normalisation: the target is then f(x; w₀) itself.
    Fails (counted): Where a label's features are not Gaussian q is not the ratio it stands for:
        with features −1, 0, 1 and {nty} of {n0y} points left, all that went at 0, it is {bound} at
        0, and counting gives {measured}.
    Source: safe, eq (24), a plug-in for other classes, whose error is stated nowhere
    """
    exponent = ((z - mean_0) ** 2 / var_0 - (z - mean_t) ** 2 / var_t) / 2
    # A class that is gone has the factor 0, also where the densities' quotient exceeds the floats.
    return xp.times(nty / n0y * (n0 / nt), xp.exp(exponent + xp.log(var_0 / var_t) / 2))


@target.form(
    "corrected",
    tex=r"\frac{q^{(c)}(\mathbf{x})f_c(\mathbf{x};w_0)}"
    r"{\sum_{c'}q^{(c')}(\mathbf{x})f_{c'}(\mathbf{x};w_0)}",
)
def normalised(xp, logits0, log_factors):
    """The target that eq (25) needs: a law over the classes, this value for the class listed first.

    Every class c has its own factor q^(c) with its own statistics. A factor common to all classes,
    such as |D_0|/|D_t|, cancels.

    Note: of the class listed first; q of every class, not of the sample's own label
    Proof: eq (18) with the exact factor of every class
    """
    return xp.exp(logits0[1] + log_factors[1] - log_sum(xp, logits0, log_factors))
