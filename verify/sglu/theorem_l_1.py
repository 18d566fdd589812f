"""Theorem L.1 of sglu: gradient descent on quadratics, its sensitivity and exact noise."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from simulators.exact.gaussian import Gaussian, step
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.linear_instance import largest_mu, shrinkage

CLAIM = Claim(
    id="sglu.thml.1",
    label="Theorem L.1",
    kind="inequality",
    statement="Descent-to-Delete that keeps its noiseless state gives (epsilon, delta)-unlearning "
    "with output noise (74).",
    aliases=("sglu.thmL.1", "sglu.eq74"),
    readings=(
        Reading(
            "literal",
            "points are removed one request after another, never below half of the n at the start",
            ("printed",),
            proofs={
                "printed": "an optimum moves by at most M/(m n_i) <= 2M/(mn); then as for "
                "replacement, with a factor 2 to spare"
            },
        ),
        Reading(
            "replacement",
            "each request replaces one point, n fixed, as in the paper's experiments",
            ("printed", "corrected", "tight"),
            proofs={
                "printed": "twice the corrected form",
                "corrected": "sensitivity below 4M gamma^I/(mn(1 - gamma^I)), zero-concentrated "
                "privacy of the Gaussian",
                "tight": "exact sensitivity and the Gaussian trade-off curve",
            },
        ),
        Reading("below half", "removals without end, the noise set by the first n", ("printed",)),
    ),
    natural=Natural(
        "epsilon",
        (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
        {"I": 5, "delta": 1e-5, "n": 6, "m": 0.5, "L": 1.0, "M": 1.0},
        log_x=True,
    ),
    quantity="noise scale sigma",
    correction="2 sqrt(2) in place of 4 sqrt(2) for replacement; "
    "epsilon = O(log(1/delta)) is not needed; say that n_i >= n/2.",
)


def measure(
    I: float, epsilon: float, delta: float, n: float, m: float, L: float, M: float  # noqa: E741
) -> float:  # fmt: skip
    """Least noise on quadratics after many replacements, the optimum always moving the same way.

    The retrained model ends gamma^I Delta from the optimum on the other side, as the number of
    learning steps allows.
    """
    shift = 2 * M / (m * n)
    steps = step(shrinkage(L, m), 0.0, 0.0).power(int(I))
    request = step(1.0, shift, 0.0).then(steps)
    retrained = -float(steps.apply(Gaussian.point(shift)).mean[0])
    unlearned = float(request.power(10**6).apply(Gaussian.point(0.0)).mean[0])
    return (unlearned - retrained) / largest_mu(float(epsilon), float(delta))


def removal_noise(plus: int, minus: int, removed: int, inputs: dict[str, Any]) -> float:
    """Least noise over a series of removals of points at -M/2, those at +M/2 staying.

    f(x; d) = (m/2) x^2 - d x on |x| <= M/(2m), where every gradient is at most M; the learning
    phase takes the number of steps that Theorem L.1 asks for.
    """
    m, L, M, I = inputs["m"], inputs["L"], inputs["M"], inputs["I"]  # noqa: E741
    gamma, n, start = (L - m) / (L + m), plus + minus, M / (2 * m)
    learning = gamma ** math.ceil(I + math.log(n / 2) / math.log(1 / gamma))

    def optimum(gone: int) -> float:
        return float(M / 2 * (plus - (minus - gone)) / (n - gone) / m)

    model, worst = optimum(0) + learning * (start - optimum(0)), 0.0
    for gone in range(1, removed + 1):
        target = optimum(gone)
        model = target + gamma**I * (model - target)
        retrained = target + learning * (start - target)
        worst = max(worst, abs(model - retrained))
    return worst / largest_mu(inputs["epsilon"], inputs["delta"])


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(15, 150)):
        L, half = float(np.exp(rng.normal())), int(rng.integers(1, 60))
        inputs = {
            "I": int(rng.integers(1, 10)), "epsilon": float(np.exp(rng.normal())),
            "delta": float(10 ** rng.uniform(-8, -2)), "n": 2 * half,
            "m": L * float(rng.uniform(0.02, 0.9)), "L": L, "M": float(rng.exponential()) + 0.01,
        }  # fmt: skip
        exact, instance = measure(**inputs), "quadratics, replacements from M to -M"
        for form in ("printed", "corrected"):
            yield ctx.compare("replacement", form, exact, inputs, instance)
        yield ctx.compare(
            "replacement", "tight", exact, inputs, instance, relation="==", tolerance=1e-8
        )
        yield ctx.compare(
            "literal", "printed", removal_noise(half, half, half, inputs), inputs,
            "quadratics, half of the points removed one by one", tight=np.nan,
        )  # fmt: skip
    yield ctx.compare(
        "replacement", "corrected", exact, inputs, "half of the corrected noise",
        bound=ctx.formula("corrected", **inputs) / 3, role="control",
    )  # fmt: skip
    inputs = {"I": 5, "epsilon": 1.0, "delta": 1e-5, "n": 100, "m": 0.5, "L": 1.0, "M": 1.0}
    yield ctx.compare(
        "below half", "printed", removal_noise(1, 99, 99, inputs), inputs,
        "quadratics, all points but one removed", tight=np.nan, script="thml_1",
    )  # fmt: skip
