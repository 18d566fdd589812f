"""Algorithm 2 of olu: its gradient steps contract less than gamma, and diverge on sums."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="olu.alg2",
    label="Algorithm 2",
    kind="algorithm",
    statement="At a request: I_1 gradient steps of 1/(beta + mu) on all losses, I_2 on those kept, "
    "noise (40); its proof takes every step to contract by gamma.",
    readings=(
        Reading(
            "literal",
            "steps 1/(beta + mu) on the average of the losses",
            ("printed", "corrected"),
            proofs={"corrected": "olu Lemma D at eta = 1/(beta + mu)"},
        ),
        Reading(
            "sum", "steps 1/(beta + mu) on the sum of n losses, as lines 6-7 say", ("printed",)
        ),
        Reading(
            "repaired",
            "steps 2/(beta + mu) on the average of the losses",
            ("printed",),
            proofs={"printed": "olu Lemma D at eta = 2/(beta + mu): both ends of the spectrum"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "beta", tuple(np.geomspace(1, 50, 30).tolist()), {"mu": 1.0}, log_x=True, log_y=False
    ),
    quantity="contraction of one step",
    correction="Steps 2/(beta + mu) on averages; no phase on all losses, which needs the deleted "
    "data and only adds sensitivity; losses 1..tau_i - 1 without u_1..u_i in line 7; the "
    "projection after the noise; no repeated step in line 5.",
)


def measure(mu: float, beta: float, factor: float = 1.0, losses: int = 1) -> float:
    """Exact contraction of a step factor/(beta + mu) over quadratics with curvatures mu, beta."""
    z = np.array([0.0, 1.0])
    found = []
    for curvature in (mu, beta):
        gradient = losses * curvature * z
        found.append(np.abs(np.diff(z - factor / (beta + mu) * gradient))[0])
    return float(max(found))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 500)):
        mu = float(np.exp(rng.normal()))
        inputs = {"mu": mu, "beta": mu * float(1 + np.exp(rng.normal()))}
        left = measure(**inputs)
        for form, script in (("printed", "alg2"), ("corrected", None)):
            yield ctx.compare(
                "literal", form, left, inputs, "quadratics of curvature mu and beta",
                relation="<=" if form == "printed" else "==", script=script,
            )  # fmt: skip
        yield ctx.compare(
            "repaired", "printed", measure(**inputs, factor=2.0), inputs,
            "quadratics of curvature mu and beta, steps 2/(beta + mu)", relation="==",
            tolerance=1e-8, tight=np.nan,
        )  # fmt: skip
    inputs = {"mu": 1.0, "beta": 1.0}
    yield ctx.compare(
        "sum", "printed", measure(**inputs, losses=5), {**inputs, "losses": 5},
        "five quadratics z^2/2: the step on their sum multiplies distances by 3/2",
        tight=np.nan, script="alg2_sum",
    )  # fmt: skip
