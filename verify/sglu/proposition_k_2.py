"""Definition K.1 and Proposition K.2 of sglu: conversion to (epsilon, delta), on two-point laws."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit

from simulators.exact.gaussian_divergence import hockey_stick_gauss
from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

Array = NDArray[np.float64]
DEFINITION = Claim(
    id="sglu.defk.1",
    label="Definition K.1",
    kind="definition",
    statement="(epsilon, delta)-unlearning: for every event, the probabilities of the unlearned "
    "and of the retrained model are within exp(epsilon) and delta, both ways.",
    aliases=("sglu.defK.1", "sglu.eq66", "sglu.eq67"),
    readings=(
        Reading(
            "literal",
            "every event E, both directions",
            ("printed", "corrected"),
            edits={
                "printed": Edit(
                    "membership in E for inclusion in E", r"\subseteq E", r"\in E", everywhere=True
                )
            },
        ),
    ),
    natural=Natural("epsilon", tuple(np.linspace(0.0, 4.0, 21).tolist()), {"mu": 1.0}),
    quantity="least delta of two Gaussians",
    correction="A random parameter lies in E; it is not a subset of E.",
)
CONVERSION = Claim(
    id="sglu.propk.2",
    label="Proposition K.2",
    kind="inequality",
    statement="(alpha, eps)-Rényi unlearning is (eps + log(1/delta)/(alpha - 1), delta)-"
    "unlearning.",
    aliases=("sglu.propK.2", "sglu.eq68"),
    readings=(
        Reading(
            "literal",
            "Rényi differences of order alpha in both directions at most eps",
            ("printed", "corrected"),
            proofs={
                "printed": "Mironov 2017, Proposition 3",
                "corrected": "the best event of probability alpha delta",
            },
        ),
    ),
    natural=Natural(
        "alpha",
        tuple(float(a) for a in np.geomspace(1.2, 60, 25)),
        {"eps_r": 0.1, "delta": 1e-5},
        log_x=True,
    ),
    quantity="epsilon at delta",
    correction="Subtract log(alpha/(alpha - 1)) + log(alpha)/(alpha - 1); for Gaussian laws use "
    "their trade-off curve.",
)
CLAIMS = (DEFINITION, CONVERSION)


def measure_definition(mu: float, epsilon: float) -> float:
    """The larger of the two directions' least deltas, by quadrature of the densities."""
    return max(
        hockey_stick_gauss(0.0, 1.0, mu, 1.0, epsilon),
        hockey_stick_gauss(mu, 1.0, 0.0, 1.0, epsilon),
    )


def _divergence(v: Array, w: Array, alpha: float) -> Array:
    """(alpha - 1) D_alpha of Bernoulli laws with log odds v against w, both directions' larger."""
    yes = alpha * log_expit(v) + (1 - alpha) * log_expit(w)
    no = alpha * log_expit(-v) + (1 - alpha) * log_expit(-w)
    back = alpha * log_expit(w) + (1 - alpha) * log_expit(v)
    forth = alpha * log_expit(-w) + (1 - alpha) * log_expit(-v)
    return np.asarray(np.maximum(np.logaddexp(yes, no), np.logaddexp(back, forth)))


def measure_conversion(eps_r: float, alpha: float, delta: float) -> float:
    """Largest epsilon at delta over two-point laws within eps_r: the exact worst case.

    By the data-processing inequality the event that decides epsilon makes any pair of laws a
    pair of two-point laws.
    """
    odds = math.log(delta / (1 - delta)) + np.geomspace(1e-6, 80, 4000)
    low, high = odds - 200.0 - 4 * eps_r, odds
    for _ in range(70):
        middle = (low + high) / 2
        outside = _divergence(odds, middle, alpha) > (alpha - 1) * eps_r
        low, high = np.where(outside, middle, low), np.where(outside, high, middle)
    epsilon = np.log(expit(odds) - delta) - log_expit(high)
    return max(float(epsilon.max()), 0.0)


MEASURES: dict[str, Callable[..., float]] = {
    "sglu.defk.1": measure_definition,
    "sglu.propk.2": measure_conversion,
}


def check_definition(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "printed", "ill-typed", "a random parameter cannot be a subset of the event"
    )
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 200)):
        inputs = {"mu": float(np.exp(rng.normal())), "epsilon": float(rng.exponential())}
        yield ctx.compare(
            "literal", "corrected", measure_definition(**inputs), inputs,
            "two Gaussians, both directions by quadrature", relation="==",
        )  # fmt: skip


def check_conversion(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [(0.1, 3.0, 1e-5), (0.1, 10.0, 1 / 9728), (0.1, 5.0, 1 / 11264), (8.0, 20.0, 1e-6)]
    for _ in range(ctx.pick(20, 200)):
        cases.append(
            (float(rng.exponential()), 1 + float(np.exp(rng.normal())), 10 ** rng.uniform(-9, -1))
        )
    for case in cases:
        inputs = dict(zip(("eps_r", "alpha", "delta"), case, strict=True))
        exact, instance = measure_conversion(**inputs), "worst pair of two-point laws"
        yield ctx.compare("literal", "printed", exact, inputs, instance)
        yield ctx.compare("literal", "corrected", exact, inputs, instance)
    tenth = {"eps_r": 8.0, "alpha": 20.0, "delta": 1e-6}
    yield ctx.compare(
        "literal", "corrected", measure_conversion(**tenth), tenth, "a tenth less than corrected",
        bound=0.9 * ctx.formula("corrected", **tenth), role="control",
    )  # fmt: skip


CHECKERS = {"sglu.defk.1": check_definition, "sglu.propk.2": check_conversion}
