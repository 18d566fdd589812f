"""Amnesiac unlearning, a baseline of mini: with hardly a batch untouched it returns the start."""

from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np

from verify.checks import Check, Context, Findings, Instances
from verify.mini.small_runs import random_run


def measure(n: float, u: float, B: float) -> float:
    """Batches of B that avoid u of n samples, over all batches, in whole numbers."""
    total, size = int(n), int(B)
    return float(Fraction(comb(total - int(u), size), comb(total, size)))


def check(ctx: Context) -> Findings:
    """Share of untouched batches by enumeration; points that Amnesiac returns on quadratics."""
    from simulators.trajectory.amnesiac import amnesiac, untouched_probability

    rng = ctx.rng(1)
    for n in range(1, 8):
        for u, B in product(range(n + 1), range(1, n + 1)):
            batches = list(combinations(range(n), B))
            inputs = {"n": n, "u": u, "B": B}
            share = sum(min(batch) >= u for batch in batches) / len(batches)
            label = "all batches, one by one"
            yield ctx.compare("literal", "corrected", share, inputs, label)
            yield ctx.compare("literal", "tight", share, inputs, label, relation="==")
    for _ in range(ctx.pick(30, 400)):
        n = int(rng.integers(2, 5000))
        u = int(rng.integers(0, n // 4 + 1))
        B = int(rng.integers(1, min(n, 300) + 1))
        own = untouched_probability(n, u, B)
        inputs = {"n": n, "u": u, "B": B}
        yield ctx.compare("literal", "tight", own, inputs, "the simulators' own", relation="==")
    for _ in range(ctx.pick(10, 100)):
        run, deletions = random_run(rng)
        points, subject = run.path(), run.subject()
        hit = [t for t, batch in enumerate(run.batches) if deletions & {int(i) for i in batch}]
        expected = points[-1] - sum(points[t + 1] - points[t] for t in hit)
        whole = {int(batch[0]) for batch in run.batches}
        absent = next(i for i in range(len(run.X)) if i not in run.batches[0])
        at = {"T": len(run.batches)}
        label = "random batches of quadratics"
        for interpretation, forget, bound in (
            ("steps", deletions, expected),
            ("start", whole, run.start),
        ):
            options = {"bound": bound, "tight": bound, "relation": "==", "tolerance": 1e-8}
            yield ctx.compare(
                interpretation, "tight", amnesiac(*subject, forget), at, label, **options
            )
        point = amnesiac(*subject, [absent])
        label = "one batch without it"
        options = {"bound": run.start, "tight": np.nan, "relation": "==", "role": "control"}
        yield ctx.compare("start", "tight", point, {"u": 1}, label, **options)


COUNTED = Instances(
    "binomial coefficients in whole numbers",
    draws=(30, 400),
    within={"n": (2, 5000), "u": (0, 1200), "B": (1, 300)},
    interpretations=("literal",),
    relations={"tight": "=="},
)
CHECKS = (Check("mini.base.amn", evidence=check, exact_side=measure, at=(COUNTED,)),)
