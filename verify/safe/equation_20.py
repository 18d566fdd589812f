"""Equation (20) of safe: the label ratio, counted on lists of labels."""

from collections import Counter
from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings


def measure(nty: float, n0y: float, nt: float, n0: float) -> float:
    """The ratio of the two shares on lists of labels with these counts."""
    before = ["y"] * int(n0y) + ["other"] * int(n0 - n0y)
    after = ["y"] * int(nty) + ["other"] * int(nt - nty)
    share = [Fraction(Counter(labels)["y"], len(labels)) for labels in (after, before)]
    return float(share[0] / share[1])


def check(ctx: Context) -> Findings:
    """Label ratios counted on lists of labels, some deleted."""
    rng = ctx.rng()
    cases = [(90, 100, 950, 1000), (50, 100, 900, 1000), (1, 7, 13, 20), (0, 3, 5, 8), (5, 5, 5, 5)]
    for _ in range(ctx.pick(300, 5000)):
        n0 = int(rng.integers(2, 60))
        labels = rng.integers(0, 3, n0)
        labels[0] = 0
        kept_labels = labels[rng.permutation(n0)[: int(rng.integers(1, n0 + 1))]]
        cases.append(
            (int((kept_labels == 0).sum()), int((labels == 0).sum()), len(kept_labels), n0)
        )
    inputs = dict(zip(("nty", "n0y", "nt", "n0"), np.array(cases, dtype=float).T, strict=True))
    ratios = [measure(*case) for case in cases]
    at = "lists of labels, some deleted"
    yield ctx.compare("literal", "printed", ratios, inputs, at, tolerance=1e-12)
    share = inputs["nty"] / inputs["n0y"]
    at = "without |D_0|/|D_t|"
    yield ctx.compare(
        "literal", "printed", ratios, inputs, at, bound=share, relation="==", role="control"
    )


CHECKS = (Check("safe.eq20", check, measure),)
