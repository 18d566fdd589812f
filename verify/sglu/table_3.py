"""Table 3 of sglu: reproduced from the printed formula, and judged by the exact accounting."""

import math

import numpy as np

import bounds
from bounds.sglu.table_3 import EPSILONS, PRINTED, SIZES, constants
from simulators.exact.gaussian import AffineKernel, step
from simulators.exact.gaussian_divergence import hockey_stick
from verify.checks import Check, Context, Findings, Instances, case_table


def measure(n: float, b: float, epsilon: float) -> float:
    """The least sigma that meets (epsilon, 1/n) on the linear instance, by bisection."""
    from scipy.optimize import brentq

    guess = float(bounds.get("sglu.table3")("tight", n=n, b=b, epsilon=epsilon))
    root = brentq(
        lambda log_sigma: math.log(instance_delta(n, b, epsilon, math.exp(log_sigma)) * n),
        math.log(guess) - 1,
        math.log(guess) + 1,
        xtol=1e-14,
    )
    return math.exp(root)


def instance_delta(n: float, b: float, epsilon: float, sigma: float) -> float:
    """delta(epsilon) between the unlearned and the retrained law of the linear instance."""
    k = {key: float(value) for key, value in constants(np.float64(n), np.float64(b)).items()}
    J, c, noise = int(k["J"]), 1 - k["eta"] * k["m"], math.sqrt(2 * k["eta"]) * sigma
    plain = step(c, 0.0, noise)

    def epoch(data: float) -> AffineKernel:
        return plain.power(J - 1).then(step(c, data * k["eta"] * k["M"] / b, noise))

    learned_law = epoch(1.0).stationary()
    retrained = epoch(-1.0)
    return hockey_stick(retrained.apply(learned_law), retrained.stationary(), epsilon)


def check(ctx: Context) -> Findings:
    """Every sigma of the table from the printed form, cut off or rounded to four decimals."""
    for interpretation, rule, cut in (
        ("truncated", "cut off after four decimals", math.floor),
        ("rounded", "rounded to four decimals", round),
    ):
        table = []
        for (data, batch), sigmas in PRINTED.items():
            n = SIZES[data]
            for epsilon, stated in zip(EPSILONS, sigmas, strict=True):
                at = {"b": batch or n, "epsilon": epsilon}
                computed = ctx.scale * float(ctx.claim("printed", n=n, **at))
                match = abs(cut(computed * 1e4) / 1e4 - stated) < 1e-9
                entry = {"printed": stated, "computed": computed, "match": match}
                table.append({"data": data, **at, **entry})
        yield ctx.reproduce(interpretation, "printed", rule, table)


LEAST = Instances(
    "least noise on the linear instance",
    case_table(
        "n b epsilon", *((n, b, e) for n in SIZES.values() for b in (128, n) for e in EPSILONS)
    ),
    interpretations=("least",),
    relations={"tight": "=="},
)
CHECKS = (Check("sglu.table3", evidence=check, exact_side=measure, at=(LEAST,)),)
