"""Theorem 2(iii) of safe: refuted four ways, and the least noise that keeps its promise."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe import gaussian_pair

_PAIR = "a Gaussian pair sqrt(k) Delta/sigma apart (Balle and Wang 2018)"
_SAME = "the reference is retraining with noise of the same sigma"
GUARANTEE = Claim(
    id="safe.thm2iii",
    label="Theorem 2(iii)",
    kind="claim",
    statement="The unlearning at each step satisfies (epsilon, delta)-approximate unlearning.",
    readings=(
        Reading("literal", "A(D minus F) minimises the risk, as (1) says", ("printed",)),
        Reading("noisy", _SAME + " = phi_t", ("printed", "tight"), proofs={"tight": _PAIR}),
        Reading(
            "variance", _SAME + ", sigma^2 = phi_t", ("printed", "tight"), proofs={"tight": _PAIR}
        ),
        Reading(
            "joint",
            _SAME + "; each model is calibrated for itself and all are published",
            ("printed", "tight"),
            proofs={"tight": _PAIR},
        ),
    ),
    natural=Natural(
        "sigma", tuple(np.geomspace(1, 30, 40).tolist()),
        {"epsilon": 1.0, "delta": 1e-5, "distance": 2.0, "releases": 1.0}, log_x=True,
    ),
    quantity="least delta at this epsilon",
    correction="Add N(0, sigma^2 I) to retraining too; sigma >= sqrt(k) Delta_t/mu* for k models. "
    "The stored w_0 and forgotten samples must stay secret.",
)  # fmt: skip
NOISE = Claim(
    id="safe.thm2iii.noise",
    label="Theorem 2(iii), least noise",
    kind="inequality",
    statement="sigma = sqrt(k) Delta/mu* makes k published models (epsilon, delta)-unlearned "
    "together, and no smaller sigma does.",
    readings=(
        Reading("literal", _SAME, ("tight",), proofs={"tight": _PAIR}),
    ),
    natural=Natural(
        "releases", tuple(float(round(v)) for v in np.geomspace(1, 1000, 16)),
        {"distance": 0.2, "epsilon": 1.0, "delta": 1e-5}, log_x=True,
    ),
    quantity="least sigma",
)  # fmt: skip
CLAIMS = (GUARANTEE, NOISE)


def measure(
    epsilon: float, distance: float, sigma: float, releases: float = 1.0, delta: float = 0.0
) -> float:
    """The Gaussian pair's hockey-stick divergence by quadrature."""
    from simulators.exact.gaussian_divergence import log_hockey_stick_gauss

    far = math.sqrt(releases) * distance
    return math.exp(log_hockey_stick_gauss(far, sigma**2, 0.0, sigma**2, epsilon))


def measure_noise(distance: float, epsilon: float, delta: float, releases: float = 1.0) -> float:
    """Least sigma by bisection, 40 digits, for independent noises projected on the shift."""
    shift = float(np.linalg.norm(np.full(int(releases), distance)))
    return gaussian_pair.least_noise(shift, epsilon, delta)


def check(ctx: Context) -> Iterator[Evidence]:
    names = ("W", "epsilon", "delta")
    for case in ((1.0, 1.0, 1e-5), (10.0, 0.5, 1e-6), (100.0, 0.1, 1e-4)):
        W, epsilon, delta = case
        base = dict(zip(names, case, strict=True))
        yield ctx.compare(
            "literal", "printed", 1.0, base, "every model but w_t*: P_M = 1, P_A = 0",
            script="thm2iii_point",
        )  # fmt: skip
        phi = W * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
        for reading, sigma, far, script in (
            ("noisy", phi, 2 * W, "thm2iii_apart"),
            ("variance", math.sqrt(phi), W, "thm2iii_root"),
            ("variance", math.sqrt(phi), 2 * W, "thm2iii_root"),
        ):
            inputs = {**base, "sigma": sigma, "distance": far}
            exact = measure(epsilon, far, sigma)
            where = f"models {far / W:g} W apart"
            yield ctx.compare(reading, "printed", exact, inputs, where, script=script)
            yield ctx.compare(reading, "tight", exact, inputs, where, relation="==", tolerance=1e-8)
    yield from _published(ctx)


def _published(ctx: Context) -> Iterator[Evidence]:
    """Several models at once: 100 on their common shift, two by nested quadrature."""
    base = {"epsilon": 1.0, "delta": 1e-5, "distance": 0.3}
    sigma = gaussian_pair.least_noise(0.3, 1.0, 1e-5)
    inputs: dict[str, Any] = {**base, "sigma": sigma, "releases": 100}
    exact = gaussian_pair.delta(float(np.linalg.norm(np.full(100, 0.3 / sigma))), 1.0)
    yield ctx.compare("joint", "printed", exact, inputs, "100 models", script="thm2iii_joint")
    yield ctx.compare("joint", "tight", exact, inputs, "100 models", relation="==", tolerance=1e-8)
    rng = ctx.rng()
    for _ in range(ctx.pick(10, 60)):
        epsilon, mu = float(rng.uniform(0.1, 2)), float(rng.uniform(0.3, 2))
        inputs = {"epsilon": epsilon, "distance": mu, "sigma": 1.0, "releases": 2}
        yield ctx.compare(
            "joint", "tight", gaussian_pair.together(mu, mu, epsilon), inputs,
            "two models, the second integrated over the first", relation="==", tolerance=1e-7,
        )  # fmt: skip


def check_noise(ctx: Context) -> Iterator[Evidence]:
    """With sigma the delta is kept; with 1e-9 less it is not."""
    rng = ctx.rng()
    cases = [(0.2, 0.5, 1e-5, 1), (2.716666667, 1.0, 1e-5, 1), (0.004, 0.9, 1e-6, 1),
             (0.2, 1.0, 1e-5, 100), (2.0, 8.42, 1e-5, 1)]  # fmt: skip
    for _ in range(ctx.pick(12, 200)):
        cases.append((
            float(np.exp(rng.normal())), float(np.exp(rng.normal())),
            float(10.0 ** -rng.uniform(0.5, 12)), int(rng.choice([1, 2, 7, 100])),
        ))  # fmt: skip
    for distance, epsilon, delta, releases in cases:
        inputs = {
            "distance": distance, "epsilon": epsilon, "delta": delta, "releases": releases,
        }  # fmt: skip
        yield ctx.compare(
            "literal", "tight", measure_noise(**inputs), inputs, "least noise by bisection",
            relation="==",
        )  # fmt: skip
        sigma = float(ctx.formula("tight", **inputs)) * ctx.scale
        shift = math.sqrt(releases) * distance
        yield ctx.compare(
            "literal", "tight", gaussian_pair.delta(shift / sigma, epsilon), inputs,
            "delta with this noise", bound=delta, tolerance=1e-13, tight=np.nan,
        )  # fmt: skip
        yield ctx.compare(
            "literal", "tight", gaussian_pair.delta(shift / (sigma * (1 - 1e-9)), epsilon), inputs,
            "delta with 1e-9 less noise", bound=delta, tolerance=1e-13, role="control",
        )  # fmt: skip


CHECKERS = {GUARANTEE.id: check, NOISE.id: check_noise}
MEASURES = {GUARANTEE.id: measure, NOISE.id: measure_noise}
