"""Algorithm 2 of olu: its gradient steps contract less than gamma, and diverge on sums."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances, Limit, case_table


def measure(mu: float, beta: float, factor: float = 1.0, losses: int = 1) -> float:
    """Exact contraction of a step factor/(beta + mu) over quadratics with curvatures mu, beta."""
    z = np.array([0.0, 1.0])
    distances = []
    for curvature in (mu, beta):
        gradient = losses * curvature * z
        distances.append(np.abs(np.diff(z - factor / (beta + mu) * gradient))[0])
    return float(max(distances))


SUM = "five quadratics z^2/2: the step on their sum multiplies distances by 3/2"


def check(ctx: Context) -> Findings:
    """Distance that a step leaves on quadratics of both curvatures; on a sum of losses it grows."""
    rng = ctx.rng(1)
    words = "quadratics of curvature mu and beta, steps 2/(beta + mu)"
    for _ in range(ctx.pick(20, 500)):
        mu = float(np.exp(rng.normal()))
        inputs = {"mu": mu, "beta": mu * float(1 + np.exp(rng.normal())), "factor": 2.0}
        distance = measure(**inputs)
        yield ctx.compare(
            "repaired",
            "printed",
            distance,
            inputs,
            words,
            relation="==",
            tolerance=1e-8,
            tight=np.nan,
        )
    inputs = {"mu": 1.0, "beta": 1.0, "losses": 5}
    yield ctx.compare(
        "sum", "printed", measure(**inputs), inputs, SUM, tight=np.nan, script="alg2_sum"
    )


CHECKS = (
    Check(
        "olu.alg2",
        evidence=check,
        exact_side=measure,
        at=(
            Instances(
                "quadratics of curvature mu and beta",
                case_table("mu beta", (1.0, 3.0)),
                draws=(20, 500),
                interpretations=("literal",),
                relations={"corrected": "=="},
                script="alg2",
            ),
        ),
        limits={"repaired": Limit("1 less a rounded product", size=lambda p: 1.0)},
    ).measured_by(
        "online", "mean_step_expansion", interpretations=("literal",), where=("strong convexity",)
    ),
)
