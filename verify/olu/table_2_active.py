"""Table 2 of olu, the cost of an active deletion, counted in gradients of single losses."""

import math

from verify.checks import Check, Context, Findings, Instances, case_table


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


def check(ctx: Context) -> Findings:
    words = "a replay evaluates each loss once"
    for inputs in CASES:
        count = measure(**inputs)
        bound = inputs["age"] - 1 - inputs["k"]
        more = {"role": "class", "script": "tab2_active_count"}
        yield ctx.compare("useful", "printed", count, inputs, words, bound=bound, **more)


CASES = case_table(
    "k mu beta L D age", *((k, 1.0, 3.0, 1.0, 1.0, age) for age in (20, 100, 400) for k in (1, 3))
)
COUNTED = Instances(
    "gradient evaluations, counted",
    CASES,
    interpretations=("literal",),
    script="tab2_active_count",
)
CHECKS = (Check("olu.tab2.active", check, measure, (COUNTED,)),)
