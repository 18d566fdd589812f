"""Certified removal, a baseline of mini: the delta it claims for its noise."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulators.exact.gaussian_divergence import hockey_stick_gauss
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

SMALL = 4 * math.log(1.5)
CLAIM = Claim(
    id="guo.delta",
    aliases=("mini.base.guo",),
    label="Certified Data Removal: delta (mini, Section 5.1)",
    kind="inequality",
    statement="Noise b ~ N(0, s^2 I) in the objective with s = c residual/epsilon certifies "
    "removal at (epsilon, delta), delta = 1.5 e^{-c^2/2}.",
    readings=(
        Reading(
            "literal", "any epsilon > 0; a residual of the bound's length, whatever b is",
            ("printed", "tight"),
            proofs={"tight": "equality for two Gaussians at that distance"},
        ),
        Reading(
            "any", "any removal whose residual has at most that length: it may depend on b",
            ("printed", "tight"),
        ),
        Reading(
            "small", "epsilon <= 4 log(3/2)", ("printed",),
            proofs={
                "printed": "c^2 >= epsilon/2: delta <= Phi(epsilon/2c - c) <= "
                "e^{epsilon/2 - c^2/2}/2; otherwise 1.5 e^{-c^2/2} >= 1"
            },
            stance="repair",
        ),
    ),
    natural=Natural("c", tuple(np.linspace(0.25, 6, 24).tolist()), {"epsilon": 8.0}),
    quantity="delta(epsilon)",
    correction="sigma = residual/mu with mu from the exact Gaussian mechanism.",
)  # fmt: skip


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


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [(20.0, 2.0), (0.5, 4.0), (1.0, 2.0), (100.0, 5.0), (8.0, 1.5), (6.0, 3.0)]
    cases += [(float(e), float(c)) for e, c in np.exp(rng.normal(size=(ctx.pick(40, 800), 2)))]
    for epsilon, c in cases:
        inputs = {"epsilon": epsilon, "c": c}
        exact, about = measure(**inputs), "two Gaussians at the residual's distance"
        yield ctx.compare("literal", "printed", exact, inputs, about, script="delta")
        yield ctx.compare("literal", "tight", exact, inputs, about, relation="==")
    for epsilon, c in ((1.0, 6.0), (0.1, 10.0)):
        inputs = {"epsilon": epsilon, "c": c}
        for form in ("printed", "tight"):
            yield ctx.compare(
                "any", form, rounded_delta(), inputs,
                "w^2/2 + b w, its gradient rounded to multiples of twice the bound",
                tight=1.0, script="delta_lattice",
            )  # fmt: skip
    for epsilon in np.linspace(0.02, SMALL, ctx.pick(12, 60)).tolist():
        for c in np.geomspace(0.05, 12, ctx.pick(12, 60)).tolist():
            inputs = {"epsilon": epsilon, "c": c}
            yield ctx.compare(
                "small", "printed", measure(**inputs), inputs,
                "two Gaussians at the residual's distance",
            )  # fmt: skip
    inputs = {"epsilon": SMALL, "c": 1.0}
    yield ctx.compare(
        "small", "printed", measure(**inputs), inputs, "0.25 in the place of 1.5",
        bound=0.25 * math.exp(-0.5), role="control",
    )  # fmt: skip
