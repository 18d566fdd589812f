"""Theorem 1 of safe for Gaussian classes: what estimated means and variances cost.

A class N(mean, var) is described by N(mean_hat, var_hat); in the class's own coordinates
u = (z - mean)/s, a = (mean_hat - mean)/s and r = s_hat/s.
"""

import numpy as np

from bounds import Plot, Statement, Symbol
from bounds.forms import Array

mean = Symbol("mean", "mean of the class", "m", unit="feature")
var = Symbol("var", "variance of the class", "S", low=0, low_open=True, unit="feature^2")
mean_hat = Symbol("mean_hat", "estimated mean", r"\hat m", unit="feature")
var_hat = Symbol("var_hat", "estimated variance", r"\hat S", low=0, low_open=True, unit="feature^2")

statement = Statement(
    "safe.thm1.gauss",
    "Theorem 1, Gaussian classes: mean error",
    "equality",
    words="The error of an estimated Gaussian log-density has mean "
    "(S/S^ - 1 + (m^ - m)^2/S^ + ln(S^/S))/2 over the class.",
    left=r"\mathrm{KL}(N(m,S)\,\|\,N(\hat m,\hat S))",
    symbols=(mean, var, mean_hat, var_hat),
    plot=Plot(
        "var_hat",
        tuple(np.geomspace(0.3, 3, 30).tolist()),
        {"mean": 0.0, "var": 1.0, "mean_hat": 0.1},
        log_x=True,
    ),
    quantity="mean error of the log-density",
)
statement.interpreted_as("literal", "one dimension")
u = Symbol("u", "standardised point", "u", unit="1")
a = Symbol("a", "error of the mean over the deviation", r"\hat a", unit="1")
r = Symbol("r", "estimated over true deviation", r"\hat r", low=0, low_open=True, unit="1")

point = Statement(
    "safe.thm1.gauss.point",
    "Theorem 1, Gaussian classes: error at a point",
    "inequality",
    words="|log N^ - log N| <= |log r| + u^2 |1 - r^{-2}|/2 + (|u||a| + a^2/2)/r^2.",
    left=r"|\log N(z;\hat m,\hat S)-\log N(z;m,S)|",
    symbols=(u, a, r),
    plot=Plot("u", tuple(np.linspace(-4, 4, 33).tolist()), {"a": 0.05, "r": 1.0}, log_y=False),
    quantity="error of the log-density",
)
point.interpreted_as("literal", "one dimension")


@statement.form(
    "tight", tex=r"\tfrac12\Big(\hat S^{-1}S-1+(\hat m-m)^2/\hat S+\ln\tfrac{\hat S}{S}\Big)"
)
def mean_error(xp, mean, var, mean_hat, var_hat):
    """The log-density's error has exactly this mean over the class.

    Note: of order 1/n for estimates from n samples
    Proof: Gaussian moments: E(x - m^)^2 = S + (m^ - m)^2
    """
    return (var / var_hat - 1 + (mean_hat - mean) ** 2 / var_hat + xp.log(var_hat / var)) / 2


@mean_error.numeric
def _(mean: Array, var: Array, mean_hat: Array, var_hat: Array) -> Array:
    excess = (var - var_hat) / var_hat
    small = excess**2 * (0.5 - excess / 3 + excess**2 / 4)
    spread = np.where(np.abs(excess) < 1e-4, small, excess - np.log(var / var_hat))
    return np.asarray((spread + (mean_hat - mean) ** 2 / var_hat) / 2)


@point.form(
    "corrected",
    tex=r"|\log\hat r|+\tfrac12u^2|1-\hat r^{-2}|+(|u||\hat a|+\tfrac12\hat a^2)/\hat r^2",
)
def at_point(xp, u, a, r):
    """The estimated log-density is off by at most this value at u; e_c is two such errors.

    Note: attained at r = 1 with u a <= 0, and at u = 0 with r >= 1; order (1 + u^2)/sqrt(n)
    Proof: triangle inequality for the terms of the log-ratio
    """
    bent = u**2 * abs((r - 1) * (r + 1)) / r**2 / 2
    return abs(xp.log(r)) + bent + (abs(u * a) + a**2 / 2) / r**2
