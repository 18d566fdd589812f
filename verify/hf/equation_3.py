"""(1)-(3) of hf: the risks, and how many steps a run has."""

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def measure(E: float, B: float) -> float:
    """Steps of a run in which every sample is visited E + 1 times, in batches of 2 and a last 1."""
    from simulators.trajectory.training import batches_of

    n = 2 * int(B) - 1
    batches = batches_of(n, min(2, n), int(E) + 1)
    visits = np.bincount(np.concatenate(batches), minlength=n)
    if not (visits == E + 1).all():
        raise ValueError("every sample must be visited once an epoch")
    return len(batches)


def check_risks(ctx: Context) -> Findings:
    """The mean of F_S over every sample of a discrete law, in rationals."""
    law = {Fraction(-1): Fraction(1, 3), Fraction(2): Fraction(1, 2), Fraction(3): Fraction(1, 6)}
    w = Fraction(2, 5)
    risk = sum(p * (w - z) ** 2 / 2 for z, p in law.items())
    for n in range(1, ctx.pick(5, 8)):
        mean = sum(
            prod(law[z] for z in S) * sum(((w - z) ** 2 / 2 for z in S), Fraction(0)) / n
            for S in product(law, repeat=n)
        )
        at = "F_S averaged over every S of n samples is F, in rationals"
        yield ctx.compare("literal", "printed", float(mean), {"n": n}, at, bound=float(risk))


VISITS = Instances(
    "batches that visit every sample once an epoch",
    case_table("E B", (0, 1), (1, 3), (49, 1), (19, 16), (29, 16)),
    script="eq3",
)
CHECKS = (Check("hf.eq1_2", check_risks), Check("hf.eq3", exact_side=measure, at=(VISITS,)))
