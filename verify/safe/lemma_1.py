"""Lemma 1 of safe: false with two moments, right with three and Shevtsova's constant."""

import math

import numpy as np
from scipy.special import bdtr, gammainc, gammaln, ndtr

from bounds.safe.lemma_1 import ESSEEN
from verify.checks import Check, Context, Findings


def binomial_error(n: int, p: float) -> float:
    """sup |P(S_n <= z) - Phi(z)| for Bernoulli(p): at the jumps, from both sides."""
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


def check(ctx: Context) -> Findings:
    """Errors of the normal limit: two heavy laws, Bernoulli laws at every jump, Esseen's law."""
    at = "two moments: P(|X| > x) = x^{-2.1}, by Levy's inequality"
    for C, n in ((1.0, 1e30), (1000.0, 1e40)):
        lhs = _heavy(n)
        inputs = {"n": n, "C": C}
        yield ctx.compare("literal", "printed", lhs, inputs, at, script="lem1_heavy")
    yield ctx.declare("moments", "printed", "unspecified", "no constant is given")
    for n in (10**4, 10**8):
        rare = (1 - 1 / n) ** n + (1 - 1 / n) ** (n - 1) - 0.5
        inputs = {"n": n, "C": 10.0}
        at = "Bernoulli(1/n) at z = 0"
        yield ctx.compare("uniform", "printed", rare, inputs, at, script="lem1_rare")
    rng = ctx.rng()
    size = ctx.pick(150, 2000)
    sizes = np.floor(np.exp(rng.uniform(0, math.log(2000), size)))
    p = np.concatenate(([0.5, ESSEEN], rng.uniform(0.01, 0.99, size - 2)))
    errors = [binomial_error(int(a), b) for a, b in zip(sizes, p, strict=True)]
    laws = {"n": sizes, "rho": np.array([skewness(v) for v in p])}
    yield ctx.compare("moments", "corrected", errors, laws, "Bernoulli laws, every jump")
    for n in (1000, 4000):
        worst = binomial_error(n, ESSEEN)
        inputs = {"n": n, "rho": skewness(ESSEEN)}
        yield ctx.compare("moments", "corrected", worst, inputs, "Esseen's law")
        less = 0.409 * inputs["rho"] / math.sqrt(n)
        at = "Esseen's law, with the constant 0.409"
        yield ctx.compare("moments", "corrected", worst, inputs, at, bound=less, role="control")


def _heavy(n: float) -> float:
    """A lower bound of the error at one of -z, z: half of what the two tails miss together."""
    a = 2.1
    z = math.sqrt(2 * math.log(n))
    tail = (z * math.sqrt(a / (a - 2) * n)) ** -a
    return (-math.expm1(n * math.log1p(-tail)) / 2 - math.erfc(z / math.sqrt(2))) / 2


def check_several(ctx: Context) -> Findings:
    """Independent signs: orthants are products, the third moment is d^{3/2}; and open balls."""
    for d in (1, 2, 5):
        inputs = {"n": 1, "d": d, "third": d**1.5}
        lhs = gammainc(d / 2, d / 2)
        at = "one vector of signs is never inside the ball of radius sqrt(d)"
        yield ctx.compare("literal", "corrected", lhs, inputs, at)
        for n in (1, 10, 1000, 100_000):
            k = np.arange(max(n // 2 - 300, 0), min(n // 2 + 300, n) + 1)
            sums = bdtr(k, n, 0.5)
            normal = ndtr((2 * k - n) / math.sqrt(n))
            lhs = np.abs(sums**d - normal**d).max()
            at = "independent signs, equal corners"
            yield ctx.compare("literal", "corrected", lhs, {**inputs, "n": n}, at)


CHECKS = (
    Check(
        "safe.lem1",
        check,
        measure,
        far=(
            "the worst laws known are of two points with one uneven chance; rows "
            "that leave are drawn otherwise"
        ),
    )
    .measured_by("safe", "sum_distance", interpretations=("moments",), forms=("corrected",))
    .beside("softmax on one row with both labels, weak regularisation"),
    Check(
        "safe.lem1.d",
        check_several,
        far=(
            "a constant of a proof, (42 d^(1/4) + 16): no law is known that needs a fiftieth of it"
        ),
    ).measured_by("safe", "sum_distance"),
)
