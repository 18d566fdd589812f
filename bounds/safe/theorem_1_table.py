"""Theorem 1 of safe on a saturated table, where everything has a closed form.

N copies of each pair of a feature in {-1, 0, 1} and a class A or B, a saturated model, and m copies
of (0, A) that leave; p = f_A(0; w).
"""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.forms import Array
from bounds.namespaces import numeric
from bounds.safe.symbols import lam, m
from bounds.safe.theorem_1 import LEFT

_N = Symbol("N", "copies of each pair of feature and class", "N", low=1, kind="integer")
_p = Symbol("p", "probability of class A at the forgotten feature", "p", low=0, high=1, unit="1")

table = Statement(
    "safe.thm1.table",
    "Theorem 1 on a saturated table",
    "inequality",
    words="Theorem 1 for N copies of each pair in {-1, 0, 1} x {A, B}, m of (0, A) gone.",
    left=LEFT,
    symbols=(_N, m, lam, _p),
    requires=(Hypothesis("m < N", lambda m, N: m < N),),
    plot=Plot(
        "N",
        tuple(float(round(v)) for v in np.geomspace(2, 1e5, 30)),
        {"m": 1.0, "lam": 1.0, "p": 0.25},
        log_x=True,
    ),
    quantity="|R~_t(w) - R_t(w)|",
    correction="As for Theorem 1: lambda (max_c e_c - min_c e_c), here lambda |(3/2) ln(1 - "
    "m/(3N)) - ln(1 - m/N)|, which is of order lambda m/N.",
)
table.interpreted_as("literal", "saturated model, Gaussian fits with variances over n")
growth = Statement(
    "safe.thm1.growth",
    "Theorem 1: error over bound",
    "asymptotic",
    words="On the table the error exceeds Theorem 1's bound by a factor of order sqrt(N).",
    left=LEFT + r"\,/\,(2m/(6N-m)^{3/2})",
    symbols=(_N, lam, _p),
    growth={"N": "sqrt(N)"},
    plot=Plot(
        "N",
        tuple(float(round(v)) for v in np.geomspace(100, 1e6, 20)),
        {"lam": 1.0, "p": 0.25},
        log_x=True,
    ),
    quantity="error over printed bound",
)
growth.interpreted_as("literal", "m = 1, N to infinity, p not 1/2")


@table.form(
    "printed",
    tex=r"C\cdot\sum_{i=1}^{t}|F_i|/|D_t|^{3/2}",
    reads={r"\sum_{i=1}^{t}|F_i|": "m", "|D_t|": "6N-m", "C": "2"},
)
def on_table(xp, N, m):
    """Theorem 1's bound on the table.

    Note: C = 2, |D_t| = 6N - m
    Fails: On six kinds of points, {N} of each, {m} of one kind removed, the risks differ by
        {measured} at the paper's λ = {lam}; the bound, {bound}, has no λ. At λ = 1 their ratio
        still grows like √N, but where f = ½.
    Source: safe, Theorem 1
    """
    return 2 * m / (6 * N - m) ** xp.rational(3, 2)


def _log_odds(xp, N, m):
    """Logarithms of the odds of A at 0: of the Gaussian target, and of the kept data."""
    return xp.rational(3, 2) * xp.log1p(-m / (3 * N)), xp.log1p(-m / N)


@table.form("corrected", tex=r"\lambda\big|\tfrac32\ln(1-\tfrac{m}{3N})-\ln(1-\tfrac{m}{N})\big|")
def spread(xp, N, m, lam):
    """The surrogate risk is within this value of the risk for every w: safe.thm1 corrected.

    Note: twice the error at p = 0 and p = 1, to first order; more between
    Proof: KL(f||t) - KL(f||f*) = log Z - sum f_c e_c, both terms in [min e, max e]
    """
    estimate, true = _log_odds(xp, N, m)
    return lam * abs(estimate - true)


@table.form(
    "tight",
    tex=r"\lambda\big|p\log\tfrac{f^*}{t}+(1-p)\log\tfrac{1-f^*}{1-t}\big|,\quad"
    r"\tfrac{t}{1-t}=(1-\tfrac{m}{3N})^{3/2},\ \tfrac{f^*}{1-f^*}=1-\tfrac{m}{N}",
)
def exact(xp, N, m, lam, p):
    """The surrogate risk differs from the risk by exactly this value at w with f_A(0; w) = p.

    Note: exact; lam |1 - 2p| m/(4N) to first order
    Proof: means stay 0, variances are 2N/(3N - m)
    """
    a, true = (1 - m / (3 * N)) ** xp.rational(3, 2), 1 - m / N
    t, star = a / (1 + a), true / (1 + true)
    return lam * abs(p * xp.log(star / t) + (1 - p) * xp.log((1 - star) / (1 - t)))


@exact.numeric
def _(N: Array, m: Array, lam: Array, p: Array) -> Array:
    estimate, true = _log_odds(numeric, N, m)
    shift = true - estimate
    past_half = np.tanh(estimate / 2) / 2
    t = 0.5 + past_half
    return np.asarray(lam * np.abs(((p - 0.5) - past_half) * shift - _bend(t, shift)))


def _bend(t: Array, shift: Array) -> Array:
    """log(1 + t (e^shift - 1)) - t shift, which is of second order in shift."""
    v = t * (1 - t)
    small = v * shift**2 * (0.5 + (1 - 2 * t) * shift / 6 + (1 - 6 * v) * shift**2 / 24)
    return np.where(np.abs(shift) < 1e-3, small, np.log1p(t * np.expm1(shift)) - t * shift)


@growth.form("tight", tex=r"\lambda|1-2p|\frac{6^{3/2}}{8}\sqrt{N}")
def quotient(xp, N, lam, p):
    """Error over Theorem 1's bound, on the table with m = 1, is this value to first order in 1/N.

    No constant in place of C can repair a bound of this order.

    Note: the limit of the quotient over sqrt(N), one sample forgotten
    Proof: expand the closed form in m/N
    """
    return lam * abs(1 - 2 * p) * 6 ** xp.rational(3, 2) / 8 * xp.sqrt(N)
