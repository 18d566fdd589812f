"""Table 2 of olu, the cost of an active deletion, counted in gradients of single losses."""

from __future__ import annotations

import math
from collections.abc import Iterator

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="olu.tab2.active",
    label="Table 2, computation of the active unlearner",
    kind="table",
    statement="An active deletion costs log_{1/gamma}(k mu D tau/L), retraining costs tau.",
    readings=(
        Reading(
            "literal",
            "both in gradient evaluations",
            ("printed", "corrected"),
            proofs={"corrected": "each descent step goes over all losses that remain"},
        ),
        Reading(
            "useful",
            "cheaper than exact retraining by replay, which needs no noise",
            ("printed",),
            stance="repair",
        ),
    ),
    natural=Natural(
        "age", (10, 30, 100, 300), {"k": 1, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0},
        log_x=True,
    ),
    quantity="gradient evaluations, counted",
    correction="(tau - 1) times the number of steps: more than a replay.",
)  # fmt: skip


def measure(k: float, mu: float, beta: float, L: float, D: float, age: float) -> float:
    """Evaluations of single-loss gradients in the descent of one active deletion, counted."""
    gamma = (beta - mu) / (beta + mu)
    steps = math.ceil(math.log(k * mu * D * age / L) / math.log(1 / gamma)) if gamma else 0
    retained = max(int(age) - 1 - int(k), 0)
    z, count = 0.0, 0
    for _ in range(max(steps, 0)):
        slopes = [mu * (z - D * j / age) for j in range(retained)]
        count += len(slopes)
        z -= 2 / (beta + mu) * sum(slopes) / max(len(slopes), 1)
    return float(count)


def check(ctx: Context) -> Iterator[Evidence]:
    for age in (20, 100, 400):
        for k in (1, 3):
            inputs = {"k": k, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0, "age": age}
            count = measure(**inputs)
            for form in ("printed", "corrected"):
                yield ctx.compare(
                    "literal", form, count, inputs, "gradient evaluations, counted",
                    script="tab2_active_count" if form == "printed" else None,
                )  # fmt: skip
            yield ctx.compare(
                "useful", "printed", count, inputs, "a replay evaluates each loss once",
                bound=age - 1 - k, role="class", script="tab2_active_count",
            )  # fmt: skip
