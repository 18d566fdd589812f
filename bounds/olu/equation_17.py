"""(17) of olu: a sum of powers against the integral that lies below it."""

from typing import Any

import numpy as np

from bounds.forms import Array
from bounds.olu.series import precise_power
from bounds.olu.symbols import k, omega
from bounds.readings import Reading
from bounds.statements import Plot, Statement
from bounds.symbols import Symbol

MEAN = "i^p is at most its mean over [i - 1/2, i + 1/2] (convexity)"
statement = Statement(
    "olu.eq17",
    "(17)",
    "inequality",
    words="sqrt(sum_{i<=k} i^(2 omega)) <= k^(omega + 1/2)/sqrt(2 omega + 1).",
    left=r"\sqrt{\sum_{i=1}^k i^{2\omega}}",
    symbols=(k, omega),
    readings=(
        Reading(
            "literal",
            "omega > 1, k >= 1",
            {"printed": "<=", "corrected": "<=", "tight": "<="},
            proofs={"corrected": "every term is at most k^(2 omega)", "tight": MEAN},
        ),
        Reading(
            "root3",
            "the last line: k^(omega + 1/2)/sqrt(3), omega = 1.2",
            {"printed": "<="},
            stance="part",
        ),
    ),
    plot=Plot("k", (1, 2, 3, 5, 8, 13, 21), {"omega": 1.2}, log_x=True),
    quantity="root of the sum",
    correction="k^(omega + 1/2); Theorem 2 survives by a factor 2 that (18) does not explain.",
)


@statement.form(
    "printed",
    tex=r"\frac{k^{\omega+0.5}}{\sqrt{2\omega+1}}",
    note="below the sum for every k: the integral of an increasing function from 0 to k",
)
def printed(k: Array, omega: Array) -> Array:
    """Claimed to be at least the root of the sum; never is. Source: olu (17), second line."""
    return k ** (omega + 0.5) / np.sqrt(2 * omega + 1)


@printed.expression
def _(sp: Any, k: Any, omega: Any) -> Any:
    return precise_power(sp, k, omega + sp.Rational(1, 2)) / sp.sqrt(2 * omega + 1)


@statement.form("corrected", tex=r"k^{\omega+0.5}", note="attained at k = 1")
def corrected(k: Array, omega: Array) -> Array:
    """At least the root of the sum: every term is at most the last."""
    return k ** (omega + 0.5)


corrected.expr = lambda sp, k, omega: precise_power(sp, k, omega + sp.Rational(1, 2))


@statement.form(
    "tight",
    tex=r"\min\Big\{k^{2\omega+1},\frac{(k+\frac12)^{2\omega+1}-(\frac12)^{2\omega+1}}"
    r"{2\omega+1}\Big\}^{1/2}",
    note="midpoint rule of a convex function",
)
def tight(k: Array, omega: Array) -> Array:
    """At least the root of the sum: each i^p is at most the mean of x^p over [i-1/2, i+1/2]."""
    n = 2 * omega + 1  # k^(n/2) is taken out: k^n overflows long before the root does
    share = ((1 + 0.5 / k) ** n - (0.5 / k) ** n) / n
    return k ** (omega + 0.5) * np.sqrt(np.minimum(1, share))


@tight.expression
def _(sp: Any, k: Any, omega: Any) -> Any:
    n, half = 2 * omega + 1, sp.Rational(1, 2)
    return sp.sqrt(
        sp.Min(
            precise_power(sp, k, n),
            (precise_power(sp, k + half, n) - precise_power(sp, half, n)) / n,
        )
    )


power = Symbol("power", "exponent p of the summands", "p", low=1)
sums = Statement(
    "olu.eq17.sum",
    "Sums of powers, as in (39)",
    "inequality",
    words="sum_{i<=k} i^p is at most the integral of x^p from 0 to k.",
    left=r"\sum_{i=1}^k i^{p}",
    symbols=(k, power),
    readings=(
        Reading(
            "literal",
            "p >= 1, k >= 1",
            {"printed": "<=", "corrected": "<="},
            proofs={"corrected": MEAN},
        ),
    ),
    plot=Plot("k", (1, 2, 3, 5, 8, 13, 21), {"power": 1.2}, log_x=True),
    quantity="the sum",
    correction="The integral from 1/2 to k + 1/2.",
)


@sums.form(
    "printed", tex=r"\int_0^k x^{p}\,dx=\frac{k^{p+1}}{p+1}", note="the same slip, as used in (39)"
)
def printed_sum(k: Array, power: Array) -> Array:
    """Claimed to be at least the sum; is below it. Source: olu (39), step (d)."""
    return k ** (power + 1) / (power + 1)


printed_sum.expr = lambda sp, k, power: precise_power(sp, k, power + 1) / (power + 1)


@sums.form(
    "corrected",
    tex=r"\frac{(k+\frac12)^{p+1}-(\frac12)^{p+1}}{p+1}",
    note="midpoint rule; equality at p = 1",
)
def corrected_sum(k: Array, power: Array) -> Array:
    """At least the sum, for p >= 1."""
    return ((k + 0.5) ** (power + 1) - 0.5 ** (power + 1)) / (power + 1)


@corrected_sum.expression
def _(sp: Any, k: Any, power: Any) -> Any:
    half = sp.Rational(1, 2)
    n = power + 1
    return (precise_power(sp, k + half, n) - precise_power(sp, half, n)) / n


TRAPEZOID = "x^p lies below its chords (convexity)"
below = Statement(
    "olu.eq17.below",
    "Sums of powers, from below",
    "inequality",
    words="sum_{i<=k} i^p exceeds the integral from 0 to k by at least k^p/2.",
    left=r"\sum_{i=1}^k i^{p}",
    symbols=(k, power),
    readings=(
        Reading("literal", "p >= 1, k >= 1", {"corrected": ">="}, proofs={"corrected": TRAPEZOID}),
    ),
    plot=Plot("k", (1, 2, 3, 5, 8, 13, 21), {"power": 1.2}, log_x=True),
    quantity="the sum",
)


@below.form(
    "corrected",
    tex=r"\frac{k^{p+1}}{p+1}+\frac{k^{p}}{2}",
    note="trapezoidal rule of a convex function; equality at p = 1",
)
def corrected_below(k: Array, power: Array) -> Array:
    """At most the sum, for p >= 1: the printed upper bound plus half of the last term."""
    return k ** (power + 1) / (power + 1) + k**power / 2


@corrected_below.expression
def _(sp: Any, k: Any, power: Any) -> Any:
    return precise_power(sp, k, power + 1) / (power + 1) + precise_power(sp, k, power) / 2
