"""Definition 2.1 of hf: what it must say, and why the noise may not depend on U."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.hf.radial_noise import hockey_stick

DEFINITION = Claim(
    id="hf.def2.1",
    label="Definition 2.1",
    kind="definition",
    statement="(epsilon, delta)-unlearning: the laws of the unlearned and of the retrained output "
    "are within e^epsilon and delta of each other, both ways, on every set W.",
    aliases=("hf.eq6",),
    readings=(
        Reading(
            "literal",
            "(6) as printed",
            ("printed", "corrected"),
        ),
        Reading(
            "reference",
            "which run Omega(S minus U) is, and which noise it gets",
            ("printed",),
            stance="part",
        ),
    ),
    formula=False,
    correction="Same noise on both sides; Omega(S minus U) runs through the same slots.",
)
NOISE = Claim(
    id="hf.def2.1.noise",
    label="Definition 2.1, Gaussian noise of a fixed scale",
    kind="inequality",
    statement="w_T + a + N(0, sigma^2 I) against v_T + N(0, sigma^2 I), sigma fixed before the "
    "data and |v_T - w_T - a| <= error: the Gaussian profile at mu = error/sigma.",
    readings=(
        Reading(
            "literal",
            "one sigma for both outputs, same slots",
            ("corrected",),
            proofs={"corrected": "turn the means onto a line; the profile increases with mu"},
        ),
    ),
    natural=Natural(
        "sigma", tuple(np.geomspace(0.2, 20, 40).tolist()), {"epsilon": 1.0, "error": 1.0},
        log_x=True,
    ),
    quantity="least delta at this epsilon",
    correction="Retrain where a certificate of the error exceeds sigma mu: (6) is a statement for "
    "each (S, U), and the reference never looks at the certificate.",
)  # fmt: skip
SCALE = Claim(
    id="hf.def2.1.scale",
    label="Definition 2.1, noise scale that depends on U",
    kind="claim",
    statement="Noise of scale c(zeta^{-U}) (Algorithm 1) satisfies (6) with the delta that c was "
    "computed for.",
    readings=(
        Reading(
            "literal",
            "unlearned and reference outputs with equal means, scales in the given ratio",
            ("printed", "tight"),
            proofs={"tight": "Neyman-Pearson: the likelihood ratio is monotone in the radius"},
        ),
    ),
    natural=Natural(
        "d", tuple(float(round(d)) for d in np.geomspace(1, 1e5, 30)),
        {"epsilon": 1.0, "delta": 1e-5, "ratio": 1.01}, log_x=True,
    ),
    quantity="least delta at this epsilon",
    correction="Fix sigma for all U before the data are seen.",
)  # fmt: skip
CLAIMS = (DEFINITION, NOISE, SCALE)


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


CHECKERS = {DEFINITION.id: check_definition, NOISE.id: check_noise, SCALE.id: check_scale}
MEASURES = {NOISE.id: measure_noise, SCALE.id: measure_scale}
