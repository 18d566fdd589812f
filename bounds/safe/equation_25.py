"""Equation (25) of safe: the forgetting term with its target replaced, of one forgotten sample.

The term is the mean of these values over the M_t samples forgotten so far.
"""

import numpy as np
import scipy

from bounds import Edit, Statement
from bounds.forms import Array
from bounds.safe.logits import log_factors, log_sum, logits, logits0, of_initial, of_model
from bounds.safe.symbols import lam

statement = Statement(
    "safe.eq25",
    "Equation (25)",
    "definition",
    words="The approximate regulariser is (lambda/M_t) sum over forgotten samples of "
    "d_KL(f(x; w), q_t^(y)(x) f(x; w_0)).",
    left=r"\widetilde{R}_t^{\text{fg}}(w)",
    symbols=(lam, logits, logits0, log_factors),
    requires=(of_model, of_initial),
    correction="Normalise q^(c) f_c(x; w_0) over the classes, one factor for each: a change by a "
    "constant in w, without which Theorem 1's R~ may be negative.",
)
statement.interpreted_as(
    "literal",
    "lambda times a Kullback-Leibler divergence between two laws; q has a "
    "component for every class",
    edits={
        "printed": Edit(
            "normalise the second argument",
            r"q_t^{(y)}(\mathbf{x})\cdot f(\mathbf{x};w_0)",
            r"\frac{q_t^{(\cdot)}(\mathbf{x})f(\mathbf{x};w_0)}"
            r"{\sum_c q_t^{(c)}(\mathbf{x})f_c(\mathbf{x};w_0)}",
        )
    },
)
statement.interpreted_as(
    "difference",
    "differences of the term between two models w, the term normalised",
    {"printed": "=="},
    stance="amended",
)


@statement.form(
    "printed",
    tex=r"\frac{\lambda}{\sum_{i=1}^{t}|F_i|}\sum_{i=1}^{t}\sum_{(\mathbf{x},y)\in F_i}"
    r"d_{\mathrm{KL}}\big(f(\mathbf{x};w),\,q_t^{(y)}(\mathbf{x})\cdot f(\mathbf{x};w_0)\big)",
)
def printed(xp, lam, logits, logits0, log_factors):
    """The Kullback-Leibler sum of f(x; w) against the weights q^(c) f_c(x; w_0), not normalised.

    A typo: a divergence needs a law; differs by lam log sum_c q^(c) f_c(x; w_0).

    Note: the second argument is no law: the value may be negative
    Fails (literal): q f(·; w₀) does not sum to 1 over the labels, so that this is no divergence and
        may be negative: here it is {bound}, and {measured} once normalised. (24) leaves the
        normaliser out “for ease of presentation”.
    Source: safe, eq (25), with a factor for every class; q of the sample's own label is the case of
        equal factors
    """
    own, initial = log_sum(xp, logits), log_sum(xp, logits0)

    def term(_, a, b, log_q):
        return xp.exp(a - own) * ((a - own) - (b - initial) - log_q)

    return lam * xp.over(term, logits, logits0, log_factors)


@statement.form(
    "corrected",
    tex=r"\frac{\lambda}{\sum_{i=1}^{t}|F_i|}\sum_{i=1}^{t}\sum_{(\mathbf{x},y)\in F_i}d_{"
    r"\mathrm{KL}}\big(f(\mathbf{x};w),\,\frac{q_t^{(\cdot)}(\mathbf{x})f(\mathbf"
    r"{x};w_0)}{\sum_c q_t^{(c)}(\mathbf{x})f_c(\mathbf{x};w_0)}\big)",
)
def corrected(xp, lam, logits, logits0, log_factors):
    """lam times the divergence of f(x; w) from the normalised target equals this value, >= 0.

    Note: normalised, one factor for every class; >= 0, and 0 only at the target
    """
    own, target = log_sum(xp, logits), log_sum(xp, logits0, log_factors)

    def term(_, a, b, log_q):
        return xp.exp(a - own) * ((a - own) - (b + log_q - target))

    return lam * xp.over(term, logits, logits0, log_factors)


@corrected.numeric
def _(lam: Array, logits: Array, logits0: Array, log_factors: Array) -> Array:
    """The sum of t - f - f u with u = log t - log f; as f (e^u - 1 - u) where f is near t."""
    f, target = scipy.special.log_softmax(logits), scipy.special.log_softmax(logits0 + log_factors)
    u = target - f
    gain = np.where(
        np.abs(u) < 1, np.exp(f) * np.expm1(np.clip(u, -1, 1)), np.exp(target) - np.exp(f)
    )
    return np.asarray(lam * (gain - np.exp(f) * u).sum())
