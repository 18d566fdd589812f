"""The exact values of `olu.oracles`, each against the algorithm run step by step in Fractions."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from simulators.exact.quadratic_stream import QuadraticStream
from verify.checks import Check, Context, Findings, Instances, case_table


def descend(points: Sequence[Fraction], skipped: tuple[int, ...] = ()) -> list[Fraction]:
    """w_1 = 0, ..., w_{T+1} by the algorithm: w <- w - (w - x_t)/t, skipped rounds left out."""
    w = [Fraction(0)]
    for t, x in enumerate(points, start=1):
        w.append(w[-1] if t in skipped else w[-1] - (w[-1] - x) / t)
    return w


def measure_noise(
    mu: float, d: float, T: float, tau: Sequence[float], sigma: Sequence[float]
) -> float:
    """(mu d/2) sum_t Var(w_t), the variance propagated step by step in Fractions."""
    added = Fraction(0)
    variance = Fraction(0)
    for t in range(1, int(T) + 1):
        variance += sum(
            (Fraction(float(s)) ** 2 for s, at in zip(sigma, tau, strict=True) if int(at) == t),
            Fraction(0),
        )
        added += variance
        variance *= (1 - Fraction(1, t)) ** 2
    return float(Fraction(mu) * Fraction(d) / 2 * added)


def measure_alternating(mu: float, X: float, T: float) -> float:
    """The regret from its definition, in Fractions."""
    points = [Fraction(X) * (-1) ** (t + 1) for t in range(1, int(T) + 1)]
    return float(Fraction(mu) * regret(points))


def regret(points: Sequence[Fraction]) -> Fraction:
    """sum f_t(w_t) - min sum f_t for mu = 1."""
    w = descend(points)
    best = sum(points, Fraction(0)) / len(points)
    pairs = zip(w, points, strict=False)
    return sum(((z - x) ** 2 - (best - x) ** 2 for z, x in pairs), Fraction(0)) / 2


def measure_huber(xi: float, eta: float) -> float:
    """The losses summed step by step in Fractions, down to the optimum."""
    z, step, total = Fraction(xi), Fraction(eta), Fraction(0)
    while z:
        total += z**2 / (2 * step) if abs(z) <= step else abs(z) - step / 2
        slope = z / step if abs(z) <= step else Fraction(1 if z > 0 else -1)
        z -= step * slope
    return float(total)


def check_noise(ctx: Context) -> Findings:
    """What noise adds to the regret of quadratics: variances step by step, and long horizons."""
    for rng in ctx.draws(15, 100):
        T, k, d = rng.integers((5, 1, 1), (60, 4, 6)).tolist()
        mu = float(rng.exponential())
        tau = np.sort(rng.integers(2, T + 1, size=k)).astype(float)
        sigma = rng.exponential(size=k)
        (inputs,) = case_table("mu d T tau sigma", (mu, float(d), float(T), tau, sigma))
        noise_sum = measure_noise(**inputs)
        words = "variances step by step"
        yield ctx.compare("literal", "tight", noise_sum, inputs, words, tolerance=1e-12)
        data = QuadraticStream(rng.normal(size=(T, d)), mu, 1 / (mu * np.arange(1, T + 1)))
        noisy = data.expected_regret(times=tau, sigmas=sigma, moving=False)
        bound = data.expected_regret(moving=False) + ctx.claim("tight", **inputs)
        words = "whole expected regret of random data"
        more = {"tight": np.nan, "tolerance": 1e-10}
        yield ctx.compare("literal", "tight", noisy, inputs, words, bound=bound, **more)
    words = "long horizons, the squares summed one by one"
    for T, at in ((250_000, 11), (4_000_000, 3_999_995)):
        (inputs,) = case_table("mu d T tau sigma", (2.0, 3.0, float(T), [float(at)], [0.7]))
        noise_sum = 3.0 * (0.7 * (at - 1)) ** 2 * math.fsum(1 / t**2 for t in range(at - 1, T))
        yield ctx.compare("literal", "tight", noise_sum, inputs, words, tolerance=1e-12)
    (early,) = case_table("mu d T tau sigma", (2.0, 1.0, 50.0, [2.0], [1.0]))
    words = "on R^d the noise costs more than mu d sigma^2 (tau - 1)/2"
    noise_sum = measure_noise(**early)
    yield ctx.compare("literal", "tight", noise_sum, early, words, bound=1.0, role="control")


def check_quadratic(ctx: Context) -> Findings:
    """Both sides of four identities in Fractions on random rational data.

    The simulated trajectory is the running mean; one round late it is not.
    """
    rng = ctx.rng()
    sides: dict[str, tuple[list[Fraction], list[Fraction]]] = {
        name: ([], [])
        for name in ("trajectory with noise", "regret", "shift of a skipped round", "comparators")
    }

    def put(name: str, left: Fraction, right: Fraction) -> None:
        sides[name][0].append(left)
        sides[name][1].append(right)

    for _ in range(ctx.pick(15, 150)):
        T = int(rng.integers(6, 30))
        x = [Fraction(int(v), 64) for v in rng.integers(-640, 640, size=T)]
        xi = {int(t): Fraction(int(rng.integers(1, 99)), 32) for t in rng.integers(2, T, size=2)}
        w = [Fraction(0)]
        for t in range(1, T + 1):
            w[-1] += xi.get(t, Fraction(0))
            w.append(w[-1] - (w[-1] - x[t - 1]) / t)
        for t in range(2, T + 2):
            noise_total = sum((v * (at - 1) for at, v in xi.items() if at <= t), Fraction(0))
            put("trajectory with noise", w[t - 1], (sum(x[: t - 1]) + noise_total) / (t - 1))
        clean = descend(x)
        slopes = ((z - v) ** 2 / (2 * t) for t, (z, v) in enumerate(zip(clean, x, strict=False), 1))
        put("regret", regret(x), sum(slopes, Fraction(0)))
        u = int(rng.integers(2, T))
        without = descend(x, (u,))
        for t in range(u + 1, T + 2):
            shift = (x[u - 1] - sum(x[: u - 1]) / (u - 1)) / (t - 1)
            put("shift of a skipped round", clean[t - 1] - without[t - 1], shift)
        deletions = rng.permutation(np.arange(1, T))[:3]
        full_mean = sum(x) / T
        removed = [x[int(j) - 1] for j in deletions]
        star = (sum(x) - sum(removed)) / (T - len(removed))
        put("comparators", full_mean - star, sum((v - star for v in removed), Fraction(0)) / T)
    for name, both in sides.items():
        gaps = [float(abs(a - b)) for a, b in zip(*both, strict=True)]
        words = f"{name}: exact difference of both sides, random rational data"
        yield ctx.compare("literal", "tight", gaps, {}, words, bound=0.0, basis="certified")
    points = rng.normal(size=40)
    data = QuadraticStream(points, 3.0, 1 / (3.0 * np.arange(1, 41)))
    more = {"bound": np.cumsum(points) / np.arange(1, 41), "relation": "==", "tolerance": 1e-11}
    played = data.laws()[0][:, 0]
    words = "the simulated trajectory"
    yield ctx.compare("literal", "tight", played[1:], {"T": 40}, words, **more)
    words = "one round late it would not agree"
    yield ctx.compare("literal", "tight", played[:-1], {"T": 40}, words, role="control", **more)


FRACTIONS = "descent in Fractions"
ALTERNATING = Instances(
    FRACTIONS,
    case_table("mu X T", *((2.0, 0.5, T) for T in (1, 2, 3, 10, 51, 400))),
    tolerance=1e-12,
)
HUBER = Instances(
    FRACTIONS, draws=(60, 600), within={"xi": (-10, 10), "eta": (0.05, 2)}, tolerance=1e-12
)
CHECKS = (
    Check("olu.oracles", evidence=check_noise, exact_side=measure_noise),
    Check("olu.oracles.quadratic", evidence=check_quadratic),
    Check("olu.oracles.alternating", exact_side=measure_alternating, at=(ALTERNATING,)),
    Check("olu.oracles.huber", exact_side=measure_huber, at=(HUBER,)),
)
