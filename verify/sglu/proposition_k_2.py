"""Definition K.1 and Proposition K.2 of sglu: conversion to (epsilon, delta), on two-point laws."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit

from simulators.exact.gaussian_divergence import hockey_stick_gauss
from verify.checks import Check, Context, Findings, Instances, case_table

Array = NDArray[np.float64]


def measure_definition(mu: float, epsilon: float) -> float:
    """The larger of the two directions' least deltas, by quadrature of the densities."""
    return max(
        hockey_stick_gauss(0.0, 1.0, mu, 1.0, epsilon),
        hockey_stick_gauss(mu, 1.0, 0.0, 1.0, epsilon),
    )


def _divergence(yes_v: Array, no_v: Array, w: Array, alpha: float) -> Array:
    """(alpha - 1) D_alpha of Bernoulli laws, both directions' larger.

    One by the logarithms of its chances, the other by its log odds w.
    """
    yes_w, no_w = log_expit(w), log_expit(-w)
    yes = alpha * yes_v + (1 - alpha) * yes_w
    no = alpha * no_v + (1 - alpha) * no_w
    back = alpha * yes_w + (1 - alpha) * yes_v
    forth = alpha * no_w + (1 - alpha) * no_v
    return np.asarray(np.maximum(np.logaddexp(yes, no), np.logaddexp(back, forth)))


def measure_conversion(eps_r: float, alpha: float, delta: float) -> float:
    """Largest epsilon at delta over two-point laws within eps_r: the exact worst case.

    By the data-processing inequality the event that decides epsilon makes any pair of laws a
    pair of two-point laws.
    """
    odds = math.log(delta / (1 - delta)) + np.geomspace(1e-6, 80, 4000)
    low, high = odds - 200.0 - 4 * eps_r, odds
    chances = log_expit(odds), log_expit(-odds)
    for _ in range(70):
        middle = (low + high) / 2
        outside = _divergence(*chances, middle, alpha) > (alpha - 1) * eps_r
        low = np.where(outside, middle, low)
        high = np.where(outside, high, middle)
    epsilon = np.log(expit(odds) - delta) - log_expit(high)
    return max(float(epsilon.max()), 0.0)


def check_definition(ctx: Context) -> Findings:
    reason = "a random parameter cannot be a subset of the event"
    yield ctx.declare("literal", "printed", "ill-typed", reason)
    rng = ctx.rng()
    instance = "two Gaussians, both directions by quadrature"
    for _ in range(ctx.pick(20, 200)):
        inputs = {"mu": float(np.exp(rng.normal())), "epsilon": float(rng.exponential())}
        yield ctx.compare("literal", "corrected", measure_definition(**inputs), inputs, instance)


def check_conversion(ctx: Context) -> Findings:
    tenth, instance = WORST.cases[-1], "a tenth less than corrected"
    exact = measure_conversion(**tenth)
    less = 0.9 * ctx.claim("corrected", **tenth)
    yield ctx.compare("literal", "corrected", exact, tenth, instance, bound=less, role="control")


WORST = Instances(
    "worst pair of two-point laws",
    case_table(
        "eps_r alpha delta", (0.1, 3, 1e-5), (0.1, 10, 1 / 9728), (0.1, 5, 1 / 11264), (8, 20, 1e-6)
    ),
    draws=(20, 200),
    within={"eps_r": (0.01, 6), "alpha": (1.05, 20), "delta": (1e-9, 0.1)},
)
CHECKS = (
    Check("sglu.defk.1", evidence=check_definition, exact_side=measure_definition),
    Check(
        "sglu.propk.2", evidence=check_conversion, exact_side=measure_conversion, at=(WORST,)
    ).measured_by("langevin", "converted_epsilon"),
)
