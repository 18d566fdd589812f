"""(1)-(3) of hf: the risks, and how many steps a run has."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

RISKS = Claim(
    id="hf.eq1_2",
    label="Equations (1)-(2)",
    kind="definition",
    statement="F(w) is the expected loss; F_S(w) the mean loss of the samples.",
    aliases=("hf.eq1-2", "hf.eq1", "hf.eq2"),
    readings=(Reading("literal", "samples drawn independently from one law", ("printed",)),),
    formula=False,
)
STEPS = Claim(
    id="hf.eq3",
    label="Equation (3)",
    kind="equality",
    statement="SGD steps w_{e,b}, e in {0..E}, b in {0..B}, one batch each; every sample is in "
    "one batch of each epoch, w_{e,0} = w_{e-1,B}, and t = eB + b.",
    readings=(
        Reading(
            "literal",
            "B batches hold every sample once an epoch",
            ("printed", "corrected"),
            proofs={"corrected": "E + 1 epochs of B batches"},
            edits={"printed": Edit("b in {0, ..., B - 1}", r"\ldots, B\}", r"\ldots, B-1\}")},
        ),
    ),
    natural=Natural("E", tuple(float(e) for e in range(20)), {"B": 3.0}, log_y=False),
    quantity="steps",
    correction="b runs to B - 1. The last batch may be short: |B_t| is then its own size.",
)
CLAIMS = (RISKS, STEPS)


def measure(E: float, B: float) -> float:
    """Steps of a run in which every sample is visited E + 1 times, in batches of 2 and a last 1."""
    from simulators.trajectory.training import batches_of

    n = 2 * int(B) - 1
    batches = batches_of(n, min(2, n), int(E) + 1)
    visits = np.bincount(np.concatenate(batches), minlength=n)
    if not (visits == E + 1).all():
        raise ValueError("every sample must be visited once an epoch")
    return len(batches)


def check_risks(ctx: Context) -> Iterator[Evidence]:
    law = {Fraction(-1): Fraction(1, 3), Fraction(2): Fraction(1, 2), Fraction(3): Fraction(1, 6)}
    w = Fraction(2, 5)
    risk = sum(p * (w - z) ** 2 / 2 for z, p in law.items())
    for n in range(1, ctx.pick(5, 8)):
        mean = sum(
            prod(law[z] for z in S) * sum(((w - z) ** 2 / 2 for z in S), Fraction(0)) / n
            for S in product(law, repeat=n)
        )
        yield ctx.compare(
            "literal", "printed", float(mean), {"n": n},
            "F_S averaged over every S of n samples is F, in rationals",
            bound=float(risk), relation="==",
        )  # fmt: skip


def check_steps(ctx: Context) -> Iterator[Evidence]:
    for E, B in ((0, 1), (1, 3), (49, 1), (19, 16), (29, 16)):
        inputs = {"E": float(E), "B": float(B)}
        for form in ("printed", "corrected"):
            yield ctx.compare(
                "literal", form, measure(**inputs), inputs,
                "batches that visit every sample once an epoch", relation="==",
                script="eq3" if form == "printed" else None,
            )  # fmt: skip


CHECKERS = {RISKS.id: check_risks, STEPS.id: check_steps}
MEASURES = {STEPS.id: measure}
