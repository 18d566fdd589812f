"""Figure 1 of olu: its distances lack the step size."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="olu.fig1",
    label="Figure 1",
    kind="inequality",
    statement="l steps after the deleted loss the two runs are at most gamma^l L apart.",
    readings=(
        Reading(
            "literal",
            "projected gradient descent, L-Lipschitz losses, eta = 2/(beta + mu)",
            ("printed", "corrected"),
            proofs={"corrected": "(C3) with Delta_u = eta_u L, then (C2)"},
            edits={"printed": Edit("Delta_u = eta_u L in place of L", "L", r"\eta_uL")},
        ),
    ),
    natural=Natural("l", tuple(range(0, 16)), {"gamma": 0.5, "eta": 5.0, "L": 0.1}),
    quantity="distance of the runs with and without f_u",
    correction="eta_u L, gamma eta_u L, ..., gamma^l eta_u L.",
)


def measure(gamma: float, eta: float, L: float, l: float) -> float:  # noqa: E741
    """The distance on quadratics of curvature mu = (1 - gamma)/eta, f_u pulling by L."""
    mu = (1 - gamma) / eta
    with_it, without = eta * L, 0.0
    for _ in range(int(l)):
        with_it, without = with_it - eta * mu * with_it, without - eta * mu * without
    return abs(with_it - without)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    slow = {"gamma": 0.5, "eta": 5.0, "L": 0.1, "l": 0}
    yield ctx.compare(
        "literal", "printed", measure(**slow), slow, "mu = 0.1, beta = 0.3: the step is 5 long",
        script="fig1_slow",
    )  # fmt: skip
    for _ in range(ctx.pick(40, 500)):
        inputs = {
            "gamma": float(rng.uniform()), "eta": float(rng.exponential(2)),
            "L": float(rng.exponential()), "l": int(rng.integers(0, 12)),
        }  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", measure(**inputs), inputs, "quadratics", relation="=="
        )  # fmt: skip
