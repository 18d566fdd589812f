"""Certified removal, a baseline of mini: the delta it claims for its noise."""

import math
from itertools import product

import numpy as np

from simulators.exact.gaussian_divergence import hockey_stick_gauss
from verify.checks import Check, Context, Findings, Instances, case_table

SMALL = 4 * math.log(1.5)


def measure(epsilon: float, c: float) -> float:
    """delta(epsilon) of N(0, 1) and N(epsilon/c, 1) by integration of the positive part."""
    return hockey_stick_gauss(0.0, 1.0, epsilon / c, 1.0, epsilon)


def rounded_delta(draws: int = 200) -> float:
    """delta of the event "on the lattice": 1 for the removal that rounds, 0 for retraining.

    Retraining returns -b; the removal returns the multiple of 2 next to it, a residual of at most
    1.  Draws of b show that it does, and that it leaves no more than 1.
    """
    b = np.random.default_rng(0).normal(scale=6.0, size=draws)
    removed = -2.0 * np.round(b / 2)
    assert np.abs(removed + b).max() <= 1.0
    return float(np.mean(removed % 2 == 0) - np.mean(-b % 2 == 0))


def check(ctx: Context) -> Findings:
    """delta of two Gaussians at the residual's distance, and of a gradient rounded to a lattice."""
    label = "two Gaussians at the residual's distance"
    for inputs in LARGE:
        yield ctx.compare("literal", "printed", measure(**inputs), inputs, label, script="delta")
    label = "w^2/2 + b w, its gradient rounded to multiples of twice the bound"
    options = {"tight": 1.0}
    for inputs in case_table("epsilon c", (1, 6), (0.1, 10)):
        delta = rounded_delta()
        script = "delta_lattice"
        yield from ctx.compare_forms("any", delta, inputs, label, script=script, **options)
    label = "two Gaussians at the residual's distance"
    grid = np.linspace(0.02, SMALL, ctx.pick(12, 60)), np.geomspace(0.05, 12, ctx.pick(12, 60))
    for inputs in case_table("epsilon c", *product(*(side.tolist() for side in grid))):
        yield ctx.compare("small", "printed", measure(**inputs), inputs, label)
    inputs = {"epsilon": SMALL, "c": 1.0}
    label = "0.25 in the place of 1.5"
    options = {"bound": 0.25 * math.exp(-0.5), "role": "control"}
    yield ctx.compare("small", "printed", measure(**inputs), inputs, label, **options)


LARGE = case_table("epsilon c", (20, 2), (0.5, 4), (1, 2), (100, 5), (8, 1.5), (6, 3))
APART = Instances(
    "two Gaussians at the residual's distance",
    LARGE,
    draws=(40, 800),
    within={"epsilon": (0.05, 20), "c": (0.05, 20)},
    interpretations=("literal",),
    relations={"tight": "=="},
)
CHECKS = (
    Check("guo.delta", evidence=check, exact_side=measure, at=(APART,))
    .measured_by("newton-removal", "release_delta", interpretations=("literal",))
    .measured_by("newton-removal", "small_release_delta", interpretations=("small",)),
)
