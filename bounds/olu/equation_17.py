"""(17) of olu: a sum of powers against the integral that lies below it."""

from bounds import Plot, Statement, Symbol
from bounds.olu.symbols import k, omega

statement = Statement(
    "olu.eq17",
    "(17)",
    "inequality",
    words="sqrt(sum_{i<=k} i^(2 omega)) <= k^(omega + 1/2)/sqrt(2 omega + 1).",
    left=r"\sqrt{\sum_{i=1}^k i^{2\omega}}",
    symbols=(k, omega),
    plot=Plot("k", (1, 2, 3, 5, 8, 13, 21), {"omega": 1.2}, log_x=True),
    quantity="root of the sum",
    correction="k^(omega + 1/2); Theorem 2 survives by a factor 2 that (18) does not explain.",
)
statement.interpreted_as("literal", "omega > 1, k >= 1")
statement.interpreted_as(
    "root3",
    "the last line: k^(omega + 1/2)/sqrt(3), omega = 1.2",
    {"printed": "<="},
    stance="component",
)


@statement.form("printed", tex=r"\frac{k^{\omega+0.5}}{\sqrt{2\omega+1}}")
def printed(xp, k, omega):
    """Claimed to be at least the root of the sum; never is.

    Note: below the sum for every k: the integral of an increasing function from 0 to k
    Fails (literal): i^(2ω) increases, so its sum is above the integral from 0 to k and not below
        it, for every k: at k = {k}, ω = {omega} the root is {measured}, and the bound {bound}.
    Fails (root3): √3 in place of √(2ω + 1) does not mend it: at ω = 1.2 the last line fails for
        every k ≤ 13, at k = {k} with {measured} against {bound}.
    Source: olu, (17), second line
    """
    return k ** (omega + xp.rational(1, 2)) / xp.sqrt(2 * omega + 1)


@statement.form("corrected", tex=r"k^{\omega+0.5}")
def corrected(xp, k, omega):
    """At least the root of the sum.

    Note: attained at k = 1
    Proof: every term is at most k^(2 omega)
    """
    return k ** (omega + xp.rational(1, 2))


@statement.form(
    "tight",
    tex=r"\min\Big\{k^{2\omega+1},\frac{(k+\frac12)^{2\omega+1}-(\frac12)^{2\omega+1}}"
    r"{2\omega+1}\Big\}^{1/2}",
)
def tight(xp, k, omega):
    """At least the root of the sum.

    Note: midpoint rule of a convex function
    Proof: i^p is at most its mean over [i - 1/2, i + 1/2] (convexity)
    """
    n, half = 2 * omega + 1, xp.rational(1, 2)
    share = ((1 + half / k) ** n - (half / k) ** n) / n
    # k^(n/2) is taken out: k^n overflows long before the root does.
    return k ** (omega + half) * xp.sqrt(xp.minimum(1, share))


power = Symbol("power", "exponent p of the summands", "p", low=1, unit="1")
sums = Statement(
    "olu.eq17.sum",
    "Sums of powers, as in (39)",
    "inequality",
    words="sum_{i<=k} i^p is at most the integral of x^p from 0 to k.",
    left=r"\sum_{i=1}^k i^{p}",
    symbols=(k, power),
    plot=Plot("k", (1, 2, 3, 5, 8, 13, 21), {"power": 1.2}, log_x=True),
    quantity="the sum",
    correction="The integral from 1/2 to k + 1/2.",
)
sums.interpreted_as("literal", "p >= 1, k >= 1")


@sums.form("printed", tex=r"\int_0^k x^{p}\,dx=\frac{k^{p+1}}{p+1}")
def printed_sum(xp, k, power):
    """Claimed to be at least the sum; is below it.

    Note: the same slip, as used in (39)
    Fails (literal): x^ω increases, so the sum is above the integral from 0 to k and not below it,
        for every k: at k = {k}, ω = {power} it is {measured}, and the integral {bound}.
    Source: olu, (39), step (d)
    """
    return k ** (power + 1) / (power + 1)


@sums.form("corrected", tex=r"\frac{(k+\frac12)^{p+1}-(\frac12)^{p+1}}{p+1}")
def corrected_sum(xp, k, power):
    """At least the sum, for p >= 1.

    Note: midpoint rule; equality at p = 1
    Proof: i^p is at most its mean over [i - 1/2, i + 1/2] (convexity)
    """
    n, half = power + 1, xp.rational(1, 2)
    return ((k + half) ** n - half**n) / n


below = Statement(
    "olu.eq17.below",
    "Sums of powers, from below",
    "inequality",
    words="sum_{i<=k} i^p exceeds the integral from 0 to k by at least k^p/2.",
    left=r"\sum_{i=1}^k i^{p}",
    symbols=(k, power),
    plot=Plot("k", (1, 2, 3, 5, 8, 13, 21), {"power": 1.2}, log_x=True),
    quantity="the sum",
)
below.interpreted_as("literal", "p >= 1, k >= 1", {"corrected": ">="})


@below.form("corrected", tex=r"\frac{k^{p+1}}{p+1}+\frac{k^{p}}{2}")
def corrected_below(xp, k, power):
    """At most the sum, for p >= 1: the printed upper bound plus half of the last term.

    Note: trapezoidal rule of a convex function; equality at p = 1
    Proof: x^p lies below its chords (convexity)
    """
    return k ** (power + 1) / (power + 1) + k**power / 2
