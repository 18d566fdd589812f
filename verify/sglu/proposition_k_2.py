"""Definition K.1 and Proposition K.2 of sglu: conversion to (epsilon, delta), on two-point laws."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit

from simulators.exact.gaussian_divergence import hockey_stick_gauss
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence

Array = NDArray[np.float64]


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
        bound=0.9 * ctx.claim("corrected", **tenth), role="control",
    )  # fmt: skip


CHECKS = (
    Check("sglu.defk.1", evidence=check_definition, oracle=measure_definition),
    Check("sglu.propk.2", evidence=check_conversion, oracle=measure_conversion),
)
