"""Lemma 1 of safe: false with two moments, right with three and Shevtsova's constant."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

ESSEEN = (4 - math.sqrt(10)) / 2
LEM1 = Claim(
    id="safe.lem1",
    label="Lemma 1",
    kind="asymptotic",
    statement="The distribution function of S_n = n^{-1/2} sum (X_i - mu), X_i independent with "
    "one law of mean mu and covariance Sigma, is within O(n^{-1/2}) of the normal one.",
    aliases=("safe.eq29",),
    readings=(
        Reading("literal", "mean and covariance exist; a constant for each law", ("printed",)),
        Reading(
            "moments",
            "one dimension, E|X|^3 finite",
            ("printed", "corrected"),
            proofs={"corrected": "Shevtsova 2013, the constant 0.469 of Berry-Esseen"},
            stance="repair",
        ),
        Reading("uniform", "E|X|^3 finite; one constant for all laws", ("printed",),
                stance="repair"),
    ),
    natural=Natural(
        "n", tuple(float(round(v)) for v in np.geomspace(10, 4000, 20)),
        {"rho": (ESSEEN**2 + (1 - ESSEEN) ** 2) / math.sqrt(ESSEEN * (1 - ESSEEN)), "C": 1.0},
        log_x=True,
    ),
    quantity="largest error of the distribution function",
    correction="0.469 E|X - mu|^3/(sigma^3 sqrt(n)); it is about sums, not about one sample.",
)  # fmt: skip
SEVERAL = Claim(
    id="safe.lem1.d",
    label="Lemma 1 in d dimensions",
    kind="inequality",
    statement="On convex sets S_n is within (42 d^{1/4} + 16) E|Sigma^{-1/2}(X - mu)|^3/sqrt(n) "
    "of the normal law.",
    readings=(
        Reading(
            "literal",
            "E|X|^3 finite; far from attained: in one dimension convex sets are intervals, for "
            "which twice Shevtsova's .469 does in the place of 58",
            ("corrected",),
            proofs={
                "corrected": "Raic 2019, Theorem 1.1: Stein's method on smoothed convex sets, for "
                "sums of independent vectors. With summands X/sqrt(n) the third moments add up to "
                "the fraction here."
            },
        ),
    ),
)
CLAIMS = (LEM1, SEVERAL)


def binomial_error(n: int, p: float) -> float:
    """sup |P(S_n <= z) - Phi(z)| for Bernoulli(p): at the jumps, from both sides."""
    from scipy.special import gammaln, ndtr

    k = np.arange(n + 1)
    logs = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    F = np.cumsum(np.exp(logs + k * math.log(p) + (n - k) * math.log1p(-p)))
    normal = ndtr((k - n * p) / math.sqrt(n * p * (1 - p)))
    below = np.concatenate(([0.0], F[:-1]))
    return float(max(np.abs(F - normal).max(), np.abs(below - normal).max()))


def skewness(p: float) -> float:
    """E|X - p|^3/sigma^3 for Bernoulli(p)."""
    return (p**2 + (1 - p) ** 2) / math.sqrt(p * (1 - p))


def measure(n: float, rho: float, C: float = 0.0) -> float:
    """The Bernoulli law with this third moment (p <= 1/2), all jumps enumerated."""
    v = (-rho + math.sqrt(rho**2 + 8)) / 4  # rho = (1 - 2 v^2)/v with v = sqrt(p (1 - p))
    return binomial_error(int(n), (1 - math.sqrt(max(1 - 4 * v**2, 0.0))) / 2)


def check(ctx: Context) -> Iterator[Evidence]:
    for C, n in ((1.0, 1e30), (1000.0, 1e40)):
        yield ctx.compare(
            "literal", "printed", _heavy(n), {"n": n, "C": C},
            "two moments: P(|X| > x) = x^{-2.1}, by Levy's inequality", script="lem1_heavy",
        )  # fmt: skip
    yield ctx.declare("moments", "printed", "unspecified", "no constant is given")
    for n in (10**4, 10**8):
        rare = (1 - 1 / n) ** n + (1 - 1 / n) ** (n - 1) - 0.5
        yield ctx.compare(
            "uniform",
            "printed",
            rare,
            {"n": n, "C": 10.0},
            "Bernoulli(1/n) at z = 0",
            script="lem1_rare",
        )
    rng = ctx.rng()
    size = ctx.pick(150, 2000)
    sizes = np.floor(np.exp(rng.uniform(0, math.log(2000), size)))
    p = np.concatenate(([0.5, ESSEEN], rng.uniform(0.01, 0.99, size - 2)))
    found = [binomial_error(int(a), b) for a, b in zip(sizes, p, strict=True)]
    yield ctx.compare(
        "moments", "corrected", found, {"n": sizes, "rho": np.array([skewness(v) for v in p])},
        "Bernoulli laws, every jump",
    )  # fmt: skip
    for n in (1000, 4000):
        inputs = {"n": n, "rho": skewness(ESSEEN)}
        worst = binomial_error(n, ESSEEN)
        yield ctx.compare("moments", "corrected", worst, inputs, "Esseen's law")
        yield ctx.compare(
            "moments", "corrected", worst, inputs, "Esseen's law, with the constant 0.409",
            bound=0.409 * inputs["rho"] / math.sqrt(n), role="control",
        )  # fmt: skip


def _heavy(n: float) -> float:
    """A lower bound of the error at one of -z, z: half of what the two tails miss together."""
    a = 2.1
    z = math.sqrt(2 * math.log(n))
    tail = (z * math.sqrt(a / (a - 2) * n)) ** -a
    return (-math.expm1(n * math.log1p(-tail)) / 2 - math.erfc(z / math.sqrt(2))) / 2


def check_several(ctx: Context) -> Iterator[Evidence]:
    """Independent signs: orthants are products, the third moment is d^{3/2}; and open balls."""
    from scipy.special import bdtr, gammainc, ndtr

    for d in (1, 2, 5):
        yield ctx.compare(
            "literal", "corrected", gammainc(d / 2, d / 2), {"n": 1, "d": d, "third": d**1.5},
            "one vector of signs is never inside the ball of radius sqrt(d)",
        )  # fmt: skip
        for n in (1, 10, 1000, 100_000):
            k = np.arange(max(n // 2 - 300, 0), min(n // 2 + 300, n) + 1)
            sums, normal = bdtr(k, n, 0.5), ndtr((2 * k - n) / math.sqrt(n))
            yield ctx.compare(
                "literal", "corrected", np.abs(sums**d - normal**d).max(),
                {"n": n, "d": d, "third": d**1.5}, "independent signs, equal corners",
            )  # fmt: skip


CHECKERS = {LEM1.id: check, SEVERAL.id: check_several}
MEASURES = {LEM1.id: measure}
