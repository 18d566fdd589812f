"""Definition 2.1 of hf: what it must say, and why the noise may not depend on U."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.hf.radial_noise import hockey_stick


def measure_noise(epsilon: float, error: float, sigma: float) -> float:
    """Exact divergence of two Gaussians `error` apart."""
    from simulators.exact.gaussian_divergence import log_hockey_stick_gauss

    if error == 0:
        return 0.0
    return math.exp(log_hockey_stick_gauss(0.0, sigma**2, error, sigma**2, epsilon))


def measure_scale(epsilon: float, d: float, ratio: float, delta: float = 0.0) -> float:
    """The defining integral over the radius, both ways, by quadrature."""
    return hockey_stick(epsilon, d, ratio)


def check_definition(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "printed", "ill-typed",
        "a probability of a number, W never used, the exponent closes after the second probability",
    )  # fmt: skip
    rng = ctx.rng()
    least, sets = [], []
    for _ in range(ctx.pick(100, 1000)):
        p, q = rng.dirichlet(np.ones(5), 2)
        epsilon = float(rng.exponential())
        masks = np.array(list(product((0, 1), repeat=5)), dtype=float)
        gaps = np.maximum(masks @ (p - np.exp(epsilon) * q), masks @ (q - np.exp(epsilon) * p))
        sets.append(gaps.max())
        both = [np.maximum(a - np.exp(epsilon) * b, 0).sum() for a, b in ((p, q), (q, p))]
        least.append(max(both))
    yield ctx.compare(
        "literal", "corrected", 1 + np.array(sets), {},
        "every set W of 5 outcomes, against the positive parts",
        bound=1 + np.array(least), relation="==", tolerance=1e-12,
    )  # fmt: skip
    yield ctx.declare(
        "reference", "printed", "unspecified",
        "neither the slots of Omega(S minus U) nor the noise of its output are given",
    )  # fmt: skip


def check_noise(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [(1.0, 1.0, 3.730631635), (0.5, 0.1, 0.8057618481), (0.1, 0.02, 0.6149913226)]
    cases += [tuple(np.exp(rng.normal(size=3))) for _ in range(ctx.pick(60, 1000))]
    for case in cases:
        inputs = dict(zip(("epsilon", "error", "sigma"), map(float, case), strict=True))
        yield ctx.compare(
            "literal", "corrected", measure_noise(**inputs), inputs,
            "an error as large as its bound", relation="==", tolerance=1e-8,
        )  # fmt: skip
        less = measure_noise(**{**inputs, "error": inputs["error"] * float(rng.uniform())})
        yield ctx.compare("literal", "corrected", less, inputs, "a smaller error")


def check_scale(ctx: Context) -> Iterator[Evidence]:
    base = {"epsilon": 1.0, "delta": 1e-5}
    cases = [(7850.0, 1.01), (7850.0, 1 / 1.01), (7850.0, 1.1), (21840.0, 1.01), (7850.0, 0.0)]
    for d, ratio in cases:
        inputs = {**base, "d": d, "ratio": ratio}
        exact = measure_scale(**inputs)
        instance = (
            "no request: c = 0, the reference is one point" if ratio == 0
            else "equal means: |x|^2 tells them apart"
        )  # fmt: skip
        yield ctx.compare("literal", "printed", exact, inputs, instance, script="def2_1_scale")
        yield ctx.compare(
            "literal", "tight", exact, inputs, instance, relation="==", tolerance=1e-8
        )
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 300)):
        inputs = {
            "epsilon": float(rng.uniform(0.05, 1.5)), "d": float(rng.integers(1, 400)),
            "ratio": float(np.exp(rng.choice((-1, 1)) * rng.uniform(0.05, 0.6))),
        }  # fmt: skip
        yield ctx.compare(
            "literal", "tight", measure_scale(**inputs), inputs, "radius by quadrature",
            relation="==", tolerance=1e-7,
        )  # fmt: skip


CHECKS = (
    Check("hf.def2.1", evidence=check_definition),
    Check("hf.def2.1.noise", evidence=check_noise, oracle=measure_noise),
    Check("hf.def2.1.scale", evidence=check_scale, oracle=measure_scale),
)
