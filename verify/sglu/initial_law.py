"""The Gaussian start of sglu: its mass outside C_R, its distance, and its log-Sobolev constant."""

import math
from statistics import NormalDist

import numpy as np
from scipy.special import gammaincc

from bounds.sglu.settings import DATA, RADIUS, regularisation, smoothness
from bounds.sglu.table_3 import PRINTED
from verify.checks import Check, Context, Findings

CDF = NormalDist().cdf
# A flat quadratic about a far minimiser: R = 1, a step moves by 3 and noise has deviation 1.
FLAT = {"m": 0.01, "eta": 0.5, "sigma": 1.0, "R": 1.0, "minimiser": -600.0}


def outside(d: int, m: float, sigma: float, radius: float) -> float:
    """P(|x| > radius) under N(0, (2 sigma^2/m) I_d): the tail of a chi-square law."""
    return float(gammaincc(d / 2, radius**2 * m / (4 * sigma**2)))


def atoms(m: float, eta: float, sigma: float, R: float, minimiser: float) -> tuple[float, float]:
    """Masses: of the law after one step from N(0, 2 sigma^2/m) at R; of the stationary law at -R.

    The second at least: what a step puts there from R, the point from where it puts least.
    """
    c = 1 - eta * m
    pull = eta * m * minimiser
    noise = 2 * eta * sigma**2
    first = math.sqrt(c**2 * 2 * sigma**2 / m + noise)
    return CDF((pull - R) / first), CDF((-R - c * R - pull) / math.sqrt(noise))


def entropies(v: float, mean: float, variance: float) -> tuple[float, float]:
    """KL and relative Fisher information of N(mean, variance) against N(0, v)."""
    ratio = variance / v
    kl = (ratio - 1 - math.log(ratio) + mean**2 / v) / 2
    return kl, (1 / v - 1 / variance) ** 2 * variance + (mean / v) ** 2


def check(ctx: Context) -> Findings:
    """Probability that the Gaussian start falls outside of C_R, in both data sets' dimensions.

    On the line the atoms at the ends show how far the projected start is from the stationary law.
    """
    zero = {"bound": 0.0, "tight": np.nan, "script": "k3_start"}
    for name, data in DATA.items():
        m = float(regularisation(data.n))
        for sigma in PRINTED[name, None][:2]:
            at = {"d": data.d, "m": m, "sigma": sigma}
            instance = f"{name}, full batch: probability of a start outside C_R"
            probability = outside(data.d, m, sigma, RADIUS)
            yield ctx.compare("literal", "printed", probability, at, instance, **zero)
        instance = f"{name}: probability of a start farther than 2R from all of C_R"
        at["sigma"] = most = PRINTED[name, None][0]
        probability = outside(data.d, m, most, 3 * RADIUS)
        yield ctx.compare("distance", "printed", probability, {**at, "t": 0}, instance, **zero)
    right_atom, left_atom = atoms(**FLAT)
    instance = "on the line: the first law has more at R than the stationary one has off -R"
    c, R = 1 - FLAT["eta"] * FLAT["m"], FLAT["R"]
    apart = 2 * R if right_atom + left_atom > 1 else 0.0
    options = {**zero, "bound": 2 * R * c}
    yield ctx.compare("distance", "printed", apart, {**FLAT, "t": 1}, instance, **options)
    yield ctx.compare("later", "printed", apart, {**FLAT, "t": 1}, instance, bound=2 * R)
    yield from _runs(ctx)
    yield from _sobolev(ctx)


def _runs(ctx: Context) -> Findings:
    """Two runs with the same noise, one from the Gaussian start and one from inside C_R."""
    for rng in ctx.draws(20, 200):
        m, sigma, R = rng.uniform((0.05, 0.1, 0.2), (1.0, 2.0, 3.0))
        eta = rng.uniform(0.05, 1.0) / m
        minimiser = rng.normal() * R
        c, count, t = 1 - eta * m, 2000, np.arange(1, 7)
        x = rng.normal(size=count) * sigma * math.sqrt(2 / m)
        y = rng.uniform(-R, R, count)
        largest = []
        for _ in t:
            increment = math.sqrt(2 * eta) * sigma * rng.normal(size=count) + eta * m * minimiser
            x = np.clip(c * x + increment, -R, R)
            y = np.clip(c * y + increment, -R, R)
            largest.append(float(np.abs(x - y).max()))
        at = {"m": m, "eta": eta, "sigma": sigma, "R": R, "t": t}
        instance = "largest distance of pairs"
        bound = 2 * R * c ** (t - 1.0)
        yield ctx.compare("later", "printed", largest, at, instance, bound=bound, tight=np.nan)


def _sobolev(ctx: Context) -> Findings:
    """KL of random Gaussians against the Fisher information, and the step size of Theorem M.1."""
    for rng in ctx.draws(20, 200, block=1):
        m, sigma = rng.uniform((0.01, 0.1), (0.9, 2.0))
        v = 2 * sigma**2 / m
        mean = float(rng.normal())
        scale = float(np.exp(rng.normal()))
        at = {"m": m, "sigma": sigma, "mean": mean, "scale": scale}
        instance = "KL of a Gaussian law against half of the constant times the Fisher information"
        kl, fisher = entropies(v, mean, scale * v)
        yield ctx.compare("log-Sobolev", "printed", kl, at, instance, bound=v * fisher / 2)
        kl, fisher = entropies(v, mean, v)
        instance = "a translate attains it"
        options = {"bound": v * fisher / 2, "relation": "=="}
        yield ctx.compare("log-Sobolev", "printed", kl, at, instance, **options)
    for name, data in DATA.items():
        m = float(regularisation(data.n))
        L = float(smoothness(data.n))
        at = {"m": m, "L": L}
        instance = f"{name}: the step 1/L against what Theorem M.1 allows"
        most = 2 / m * (1 - 1 / 2)
        yield ctx.compare("log-Sobolev", "printed", 1 / L, at, instance, bound=most, tight=np.nan)


CHECKS = (Check("sglu.k3.start", check),)
