"""The steps of the proof of safe's Theorem 1: four slips, each on an instance of its own."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

NORM = Claim(
    id="safe.thm1.norm",
    label="Proof of Theorem 1: prefactor",
    kind="equality",
    statement="|R~_t - R_t| is 1/|D_t| times the sum over forgotten samples.",
    readings=(
        Reading(
            "literal",
            "R_t and R~_t as (10) and (25) define them",
            ("printed", "corrected"),
            proofs={"corrected": "(10) and (25) subtracted, term by term"},
        ),
    ),
    correction="The prefactor is lambda/M_t, and the sum runs over classes too.",
)
BE = Claim(
    id="safe.thm1.be",
    label="Proof of Theorem 1: Gaussian fit",
    kind="inequality",
    statement="sup over D_t of |z(x|y) - Phi(n(x))| <= O(1/sqrt|D_t|), by Berry-Esseen.",
    readings=(
        Reading("literal", "a density against a distribution function; Gaussian class",
                ("printed",)),
        Reading("laws", "both distribution functions; class uniform on -1, 0, 1", ("printed",)),
        Reading("densities", "both densities; class uniform on an interval", ("printed",)),
    ),
    natural=Natural(
        "kept", tuple(float(round(v)) for v in np.geomspace(10, 1e6, 20)), {"C": 1.0}, log_x=True
    ),
    quantity="error of one sample's fit",
    correction="The error of a fit does not fall with |D_t| unless the class is Gaussian.",
)  # fmt: skip
LOG = Claim(
    id="safe.thm1.log",
    label="Proof of Theorem 1: logarithms",
    kind="inequality",
    statement="|log a - log b| <= |1/a - 1/b| with a = q f(w_0), b = f(w_t*).",
    readings=(
        Reading(
            "literal",
            "a > 0, as q f is not normalised, and 0 < b <= 1",
            ("printed", "corrected", "tight"),
            proofs={
                "corrected": "the integral of dx/x between a and b",
                "tight": "2 sinh(x/2) >= x at x = |log a - log b|",
            },
        ),
        Reading(
            "normalised",
            "0 < a, b <= 1",
            ("printed", "tight"),
            proofs={
                "printed": "dx/x <= dx/x^2 on (0, 1]",
                "tight": "2 sinh(x/2) >= x at x = |log a - log b|",
            },
            stance="repair",
        ),
    ),
    natural=Natural("a", tuple(np.geomspace(0.05, 20, 40).tolist()), {"b": 0.5}, log_x=True),
    quantity="|log a - log b|",
    correction="|log a - log b| <= |a - b|/sqrt(a b), for any positive a and b.",
)
LAST = Claim(
    id="safe.thm1.last",
    label="Proof of Theorem 1: last inequality",
    kind="inequality",
    statement="f/(a b) |a - b| <= C |D_t|^{-1/2}, C the number of classes.",
    readings=(
        Reading("literal", "|a - b| <= C |D_t|^{-1/2}, as the proof has it", ("printed",)),
        Reading(
            "floor",
            "a and b at least `floor`, |a - b| <= error, f <= 1",
            ("tight",),
            proofs={"tight": "|1/a - 1/b| is largest at a = floor, b = floor + error"},
            stance="repair",
        ),
    ),
    correction="Any such bound needs a floor under f(x; w_t*), which Theorem 1 does not assume.",
)
CLAIMS = (NORM, BE, LOG, LAST)


def measure_fit(kept: float, C: float = 0.0) -> float:
    """Distribution function of the class uniform on -1, 0, 1 against its Gaussian fit's."""
    x, s = np.array([-1.0, 0.0, 1.0]), math.sqrt(2 / 3)
    normal = np.array([0.5 * math.erfc(-v / s / math.sqrt(2)) for v in x])
    steps = np.arange(4) / 3
    return float(np.maximum(np.abs(steps[1:] - normal), np.abs(steps[:-1] - normal)).max())


def measure_log(a: float, b: float) -> float:
    """|log a - log b|."""
    return abs(math.log(a) - math.log(b))


def check_norm(ctx: Context) -> Iterator[Evidence]:
    """Divergences by definition over the sum of the logarithms' differences."""
    rng = ctx.rng()
    cases = [(1000.0, 400, 59_600), (120_000.0, 400, 49_600), (1.0, 1, 599)]
    cases += [(float(rng.exponential() * 10), int(rng.integers(1, 50)), int(rng.integers(60, 9999)))
              for _ in range(ctx.pick(20, 200))]  # fmt: skip
    for lam, M, kept in cases:
        f, star, target = (rng.dirichlet(np.full(4, 3.0), M) for _ in range(3))
        by_definition = lam / M * np.sum(f * np.log(f / target)) - lam / M * np.sum(
            f * np.log(f / star)
        )
        inner = np.sum(f * (np.log(star) - np.log(target)))
        inputs = {"lam": lam, "M": M, "kept": kept}
        for form in ("printed", "corrected"):
            yield ctx.compare(
                "literal", form, by_definition / inner, inputs, "random predictions, 4 classes",
                relation="==", tolerance=1e-8, script="thm1_norm",
            )  # fmt: skip


def check_fit(ctx: Context) -> Iterator[Evidence]:
    z = np.linspace(-6, 6, 121)
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    law = np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in z])
    fitted = abs(1 / math.sqrt(2 * math.pi) - 1 / math.sqrt(12))
    for kept in (10**4, 10**6):
        inputs = {"kept": kept, "C": 10.0}
        for reading, error, instance in (
            ("literal", float(np.abs(density - law).max()), "a Gaussian class"),
            ("laws", measure_fit(kept), "uniform on -1, 0, 1"),
            ("densities", fitted, "uniform on an interval, densities at its middle"),
        ):
            yield ctx.compare(reading, "printed", error, inputs, instance, script="thm1_be_fit")


def check_log(ctx: Context) -> Iterator[Evidence]:
    for a, b in ((3.0, 0.5), (10.0, 1.0)):
        yield ctx.compare(
            "literal", "printed", measure_log(a, b), {"a": a, "b": b}, "q f above 1",
            script="thm1_log",
        )  # fmt: skip
    rng = ctx.rng()
    size = ctx.pick(20_000, 200_000)
    logs = rng.normal(size=(2, size)) * 3
    for form in ("corrected", "tight"):
        yield ctx.compare(
            "literal", form, np.abs(logs[0] + np.abs(logs[1])),
            {"a": np.exp(logs[0]), "b": np.exp(-np.abs(logs[1]))}, "random positive a, b <= 1",
        )  # fmt: skip
        near = np.exp(1e-4 * rng.normal(size=100))
        yield ctx.compare(
            "literal", form, np.abs(np.log(near)), {"a": near, "b": np.ones(100)},
            "a near b: equality to first order", relation="==", tolerance=1e-3,
        )  # fmt: skip
    below = -np.abs(logs)
    for form in ("printed", "tight"):
        yield ctx.compare(
            "normalised", form, np.abs(below[0] - below[1]),
            {"a": np.exp(below[0]), "b": np.exp(below[1])}, "random a, b <= 1",
        )  # fmt: skip
    near = 1 - 1e-4 * rng.uniform(0.1, 1, 100)
    yield ctx.compare(
        "normalised", "printed", np.abs(np.log(near)), {"a": near, "b": np.ones(100)},
        "a near b = 1: equality to first order", relation="==", tolerance=1e-3,
    )  # fmt: skip


def check_last(ctx: Context) -> Iterator[Evidence]:
    for kept in (10**4, 10**6):
        star, found = 1 / math.sqrt(kept), 2 / math.sqrt(kept)
        yield ctx.compare(
            "literal", "printed", 0.5 * abs(1 / found - 1 / star),
            {"classes": 2, "kept": kept, "error": found - star}, "f(w_t*) = |D_t|^{-1/2}",
            script="thm1_last",
        )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", 0.5 / (0.02 * 0.01) * 0.01,
        {"classes": 2, "kept": 10**4, "error": 0.01}, "q f(w_0) = 2 f(w_t*), f(w_t*) = 1/100",
        script="thm1_last",
    )  # fmt: skip
    rng = ctx.rng()
    size = ctx.pick(5000, 100_000)
    low, error = rng.uniform(0.001, 0.5, size), rng.uniform(0, 0.5, size)
    a = low * np.exp(rng.exponential(size=size))
    b = np.maximum(a - error * rng.uniform(-1, 1, size), low)
    f = rng.uniform(size=size)
    inputs = {"error": error, "floor": low}
    yield ctx.compare("floor", "tight", f * np.abs(1 / a - 1 / b), inputs, "random predictions")
    yield ctx.compare(
        "floor", "tight", 1 / low - 1 / (low + error), inputs, "f(w) = 1 at the floor",
        relation="==", tolerance=1e-7,
    )  # fmt: skip


CHECKERS = {NORM.id: check_norm, BE.id: check_fit, LOG.id: check_log, LAST.id: check_last}
MEASURES = {BE.id: measure_fit, LOG.id: measure_log}
