"""Equation (22) of safe: the mean of what stays, from the samples themselves."""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings


def measure(n: float, m: float, mean: float, gone_mean: float) -> float:
    """Mean of what stays of n samples, of which all but one are given: m around gone_mean."""
    going = [Fraction(gone_mean) + Fraction(2 * i + 1 - int(m), 4) for i in range(int(m))]
    staying = [Fraction(i, 3) for i in range(int(n - m) - 1)]
    last = int(n) * Fraction(mean) - sum(going) - sum(staying)
    return float((sum(staying) + last) / int(n - m))


def check(ctx: Context) -> Findings:
    """Means of what stays, in rational numbers."""
    rng = ctx.rng()
    table = []
    for _ in range(ctx.pick(300, 5000)):
        n = int(rng.integers(2, 50))
        data = [Fraction(int(v), 7) for v in rng.integers(1, 1000, n)]
        m = int(rng.integers(1, n))
        means = sum(data) / n, sum(data[:m]) / m, sum(data[m:]) / (n - m)
        table.append((n, m, *map(float, means)))
    *moments, exact = np.array(table).T
    inputs = dict(zip(("n", "m", "mean", "gone_mean"), moments, strict=True))
    # The mean of what stays may be small against the sums that are subtracted: up to n/n_t digits.
    at = "one coordinate, rational numbers"
    yield ctx.compare("literal", "printed", exact, inputs, at, tolerance=1e-11)
    options = {"bound": inputs["mean"], "relation": "==", "role": "control"}
    yield ctx.compare(
        "literal", "printed", exact, inputs, "the mean before the deletion", **options
    )


def check_removed(ctx: Context) -> Findings:
    pairs = [(n, k) for n in range(1, 12) for k in range(n)]
    removed = [len(set(range(n)) - set(range(k))) for n, k in pairs]
    inputs = dict(zip(("before", "after"), np.array(pairs).T, strict=True))
    yield from ctx.compare_forms(
        "literal", removed, inputs, "sets of samples", script="eq22_removed"
    )


CHECKS = (Check("safe.eq22", check, measure), Check("safe.eq22.removed", check_removed))
