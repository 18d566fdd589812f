"""Lemma 5 of olu with (20) and (21): quadratics that attain it, and losses that do not."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from verify.checks import Check, Context, Findings, Instances, case_table

Array = np.ndarray


@dataclass(frozen=True)
class Minimisers:
    """Minimisers on [-R, R] of random sums with and without m losses, and what they cost."""

    inputs: dict[str, Array]
    gap: Array

    @property
    def moved(self) -> Array:
        """|w* - w_m*|."""
        return self.inputs["r"]


def _random(rng: np.random.Generator, n: int) -> Minimisers:
    """f_t(z) = (mu/2) z^2 + c_t log(1 + exp(s_t (z - b_t))), T of them on [-R, R], n draws."""
    T = int(rng.integers(5, 60))
    m = int(rng.integers(0, T))
    mu, R = rng.uniform(0.1, 2, size=(n, 1)), rng.uniform(0.1, 2, size=(n, 1))
    size, slope, centre = (
        scale * rng.normal(size=(n, T)) for scale in (rng.exponential(size=(n, 1)), 2.0, 1.0)
    )
    size = np.abs(size)

    def derivative(z: Array) -> Array:
        return np.asarray(mu * z + size * slope * expit(slope * (z - centre)))

    def minimiser(kept: slice) -> Array:
        low, high = -R.copy(), R.copy()
        for _ in range(60):
            middle = (low + high) / 2
            rising = derivative(middle)[:, kept].sum(axis=1, keepdims=True) > 0
            low, high = np.where(rising, low, middle), np.where(rising, middle, high)
        return (low + high) / 2

    def total(z: Array) -> Array:
        return np.asarray(
            (mu / 2 * z * z + size * np.logaddexp(0, slope * (z - centre))).sum(axis=1)
        )

    star = minimiser(slice(None))
    other = minimiser(slice(m, None))
    ends = np.maximum(np.abs(derivative(R)), np.abs(derivative(-R))).max(axis=1)
    (inputs,) = case_table(
        "m T mu L r", (np.full(n, m), np.full(n, T), mu[:, 0], ends, np.abs(star - other)[:, 0])
    )
    return Minimisers(inputs, total(other) - total(star))


def _quadratic(m: float, L: float, mu: float, T: float) -> tuple[float, float]:
    """|w* - w_m*| and F(w_m*) - F(w*), quadratics, m points L/mu from the mean of the others."""
    n = int(T)
    points = np.where(np.arange(n) < m, L / mu, 0.0)
    star, other = points.mean(), points[int(m) :].mean()
    gap = mu / 2 * (((other - points) ** 2) - ((star - points) ** 2)).sum()
    return float(abs(star - other)), float(gap)


def measure(m: float, L: float, mu: float, T: float) -> float:
    """Distance of the minimisers of quadratics, m points at L/mu and the others at 0."""
    return _quadratic(m, L, mu, T)[0]


def measure_21(mu: float, T: float, r: float) -> float:
    """F(w_m*) - F(w*) of quadratics, one of them removed, the minimisers r apart."""
    return _quadratic(1, r * mu * T, mu, T)[1]


SOFT = "softplus losses on an interval"


def _draws(ctx: Context) -> Iterator[tuple[Minimisers, Array]]:
    """Random minimisers, and what rounding may add to a sum of their losses."""
    for rng in ctx.draws(4, 40, block=1):
        sample = _random(rng, ctx.pick(100, 300))
        yield sample, 1e-12 * sample.inputs["T"] * sample.inputs["L"]


def check_lemma(ctx: Context) -> Findings:
    for sample, _ in _draws(ctx):
        yield from ctx.compare_forms("literal", sample.moved, sample.inputs, SOFT)


def check_20(ctx: Context) -> Findings:
    """How much worse the kept minimiser is on all losses: quadratics, and soft losses."""
    for rng in ctx.draws(30, 300):
        T, (L, mu) = int(rng.integers(2, 100)), rng.exponential(size=2).tolist()
        m = int(rng.integers(1, T))
        r, gap = _quadratic(m, L, mu, T)
        case = {"m": m, "L": L, "mu": mu, "T": T, "r": r}
        yield from ctx.compare_forms("literal", gap, case, "quadratics")
    words = "with all T losses instead of T - m"
    bound = m * L * r - T * mu * r**2 * 0.999
    yield ctx.compare("literal", "corrected", gap, case, words, bound=bound, role="control")
    for sample, slack in _draws(ctx):
        lower_gap = sample.gap - slack
        yield from ctx.compare_forms("literal", lower_gap, sample.inputs, SOFT, tight=math.nan)


def check_21(ctx: Context) -> Findings:
    for sample, slack in _draws(ctx):
        yield ctx.compare("literal", "printed", sample.gap + slack, sample.inputs, SOFT)


QUADRATICS = Instances(
    "quadratics",
    draws=(30, 300),
    within={"m": (1, 99), "T": (2, 100)},
    relations={"corrected": "=="},
)
APART = Instances(
    "quadratics",
    draws=(30, 300),
    within={"T": (2, 100)},
    tolerance=1e-8,
    relations={"printed": "=="},
)
CHECKS = (
    Check("olu.lem5", check_lemma, measure, (QUADRATICS,))
    .measured_by("online", "comparator_distance", where=("strong convexity",))
    .beside("means of 1 and -1 by turns, a small ball"),
    Check("olu.eq20", evidence=check_20)
    .measured_by("online", "comparator_gap", where=("strong convexity",))
    .beside("means of 1 and -1 by turns, a small ball"),
    Check("olu.eq21", check_21, measure_21, (APART,)).measured_by(
        "online", "comparator_gap", where=("strong convexity",)
    ),
)
