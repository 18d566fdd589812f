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

DELTA_SCRIPT = '''"""Certified removal: delta = 1.5 exp(-c^2/2) at noise c residual/epsilon."""
from math import erf, exp, sqrt
epsilon, c = 20.0, 2.0
Phi = lambda x: (1 + erf(x / sqrt(2))) / 2
mu = epsilon / c                                  # distance of the two laws over sigma
cut = mu / 2 + epsilon / mu                       # accuse above it: N(mu, 1) against N(0, 1)
true = (1 - Phi(cut - mu)) - exp(epsilon) * (1 - Phi(cut))
claimed = 1.5 * exp(-c * c / 2)
print(f"claimed delta {claimed:.6f}, one event gives {true:.6f}")
assert true > claimed
'''
LATTICE_SCRIPT = '''"""Certified removal: a residual of the allowed length may give b away."""
import random
from math import exp
residual, c, epsilon = 0.1, 6.0, 1.0
sigma = c * residual / epsilon                    # objective w^2/2 + b w on the retained data
draw = random.Random(0)
for b in [draw.gauss(0, sigma) for _ in range(100)]:
    w = -2 * residual * round(b / (2 * residual)) # the removal rounds: gradient w + b is the rest
    assert abs(w + b) <= residual + 1e-12
    assert abs(w / (2 * residual) - round(w / (2 * residual))) < 1e-9
# Removal always lands on the lattice, retraining (w = -b) with probability 0.
true, claimed = 1.0 - exp(epsilon) * 0.0, 1.5 * exp(-c * c / 2)
print(f"delta of the event 'on the lattice': {true:.6f}, claimed {claimed:.3e}")
assert true > claimed
'''


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
        yield ctx.compare("literal", "printed", exact, inputs, about, script=DELTA_SCRIPT)
        yield ctx.compare("literal", "tight", exact, inputs, about, relation="==")
    for epsilon, c in ((1.0, 6.0), (0.1, 10.0)):
        inputs = {"epsilon": epsilon, "c": c}
        for form in ("printed", "tight"):
            yield ctx.compare(
                "any", form, rounded_delta(), inputs,
                "w^2/2 + b w, its gradient rounded to multiples of twice the bound",
                tight=1.0, script=LATTICE_SCRIPT,
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
