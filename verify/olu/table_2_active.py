"""Table 2 of olu, the cost of an active deletion, counted in gradients of single losses."""

from __future__ import annotations

import math
from collections.abc import Iterator

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


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
                words = "gradient evaluations, counted"
                yield ctx.compare("literal", form, count, inputs, words, script="tab2_active_count")
            words = "a replay evaluates each loss once"
            more = {"role": "class", "script": "tab2_active_count"}
            yield ctx.compare("useful", "printed", count, inputs, words, bound=age - 1 - k, **more)


CHECKS = (Check("olu.tab2.active", evidence=check, oracle=measure),)
