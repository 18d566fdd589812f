"""Definition C.1 of hf: deletion capacity, exactly, where retraining is a mean."""

from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np
import scipy

from bounds import Plot, Statement
from bounds.forms import Array
from bounds.hf.symbols import gamma, n

MOST_SAMPLES = 10**5  # the law of the sum of their signs is gone through some 17 times
_EXACT = 100  # samples up to which a tie of risk and gamma is decided by fractions

statement = Statement(
    "hf.defc1",
    "Definition C.1 (61)",
    "definition",
    words="The deletion capacity is the largest m with E max_{|U| <= m} F - F(w*) <= gamma.",
    left=r"m^{\Omega,\bar\Omega}_{\varepsilon,\delta,\gamma}(1,n)",
    symbols=(n.upto(MOST_SAMPLES), gamma.measured("1")),
    aliases=("hf.defC1", "hf.eq61"),
    plot=Plot("n", tuple(float(n) for n in range(1, 13)), {"gamma": 0.25}, log_y=False),
    quantity="largest m",
    correction="The maximum is inside the expectation: U may depend on the data.",
)
statement.interpreted_as("literal", "exact retraining of the mean of n random signs")


@lru_cache(maxsize=16)
def _signs(n: int) -> tuple[Array, Array, Array]:
    """(law of the sum of n signs: probabilities, how far from 0, how many are in the minority)."""

    ups = np.arange(n + 1)
    return (
        scipy.stats.binom.pmf(ups, n, 0.5),
        np.abs(2.0 * ups - n),
        np.minimum(ups, n - ups).astype(float),
    )


def worst_risk(n: int, m: int) -> float:
    """E max_{|U| <= m} of the excess risk (mean of what is kept)^2/2, for n random signs.

    The worst set takes from the minority, all m of it or as much as there is.
    """
    chance, apart, minority = _signs(n)
    deletions = np.minimum(m, minority)
    return float(np.sum(chance * ((apart + deletions) / (n - deletions)) ** 2) / 2)


def _exact_risk(n: int, m: int) -> Fraction:
    total = Fraction(0)
    for ups in range(n + 1):
        deletions = min(m, ups, n - ups)
        total += comb(n, ups) * Fraction(abs(2 * ups - n) + deletions, n - deletions) ** 2
    return total / Fraction(2 ** (n + 1))


def _fits(n: int, m: int, gamma: float) -> bool:
    """Whether `worst_risk` is at most gamma, exactly where it is near and n is not large."""
    risk = worst_risk(n, m)
    if n <= _EXACT and abs(risk - gamma) <= 1e-9 * gamma:
        return _exact_risk(n, m) <= Fraction(gamma)
    return risk <= gamma


def _capacity(n: float, gamma: float) -> float:
    size = int(n)
    if not _fits(size, 0, gamma):
        return -1.0
    low, high = 0, size
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _fits(size, middle, gamma) else (low, middle)
    return float(low)


_each = np.vectorize(_capacity, otypes=[float])


@statement.form(
    "printed",
    tex=r"\max\Big\{m\,\Big|\,\mathbb{E}\Big[\max_{U\subseteq\mathcal{S}:|U|\le m}"
    r"F(\bar\Omega(\Omega(\mathcal{S});T(\mathcal{S}))-F(\mathbf{w}^*)\Big]\le\gamma\Big\}",
)
def printed(xp, n, gamma):
    """The capacity of exact retraining for the mean of random signs is this whole number below n.

    Note: for exact retraining, l = (w - z)^2/2 and z = +-1; -1 where not even m = 0 does
    Source: hf, Definition C.1 (61), with the maximum inside the expectation: U sees the data
    """

    def risk(m):
        def part(ups):
            deletions = xp.minimum(m, ups, n - ups)
            return xp.binomial(n, ups) * ((abs(2 * ups - n) + deletions) / (n - deletions)) ** 2

        return xp.total(part, 0, n) / 2 ** (n + 1)

    return xp.total(lambda m: xp.where(risk(m) <= gamma, 1, 0), 0, n - 1) - 1


@printed.numeric
def capacity(n: Array, gamma: Array) -> Array:
    """The same by bisection, as the risk increases with m."""
    return np.asarray(_each(n, gamma))
