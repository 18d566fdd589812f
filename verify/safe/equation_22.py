"""Equation (22) of safe: the mean of what stays, from the samples themselves."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def measure(n: float, m: float, mean: float, gone_mean: float) -> float:
    """Mean of what stays of n samples, of which all but one are given: m around gone_mean."""
    going = [Fraction(gone_mean) + Fraction(2 * i + 1 - int(m), 4) for i in range(int(m))]
    staying = [Fraction(i, 3) for i in range(int(n - m) - 1)]
    last = int(n) * Fraction(mean) - sum(going) - sum(staying)
    return float((sum(staying) + last) / int(n - m))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    rows = []
    for _ in range(ctx.pick(300, 5000)):
        n = int(rng.integers(2, 50))
        data = [Fraction(int(v), 7) for v in rng.integers(1, 1000, n)]
        m = int(rng.integers(1, n))
        stays = sum(data[m:]) / (n - m)
        rows.append((n, m, float(sum(data) / n), float(sum(data[:m]) / m), float(stays)))
    *moments, exact = np.array(rows).T
    inputs = dict(zip(("n", "m", "mean", "gone_mean"), moments, strict=True))
    # The mean of what stays may be small against the sums that are subtracted: up to n/n_t digits.
    yield ctx.compare(
        "literal", "printed", exact, inputs, "one coordinate, rational numbers", relation="==",
        tolerance=1e-11,
    )  # fmt: skip
    yield ctx.compare(
        "literal", "printed", exact, inputs, "the mean before the deletion",
        bound=inputs["mean"], relation="==", role="control",
    )  # fmt: skip


def check_removed(ctx: Context) -> Iterator[Evidence]:
    before, after = np.meshgrid(np.arange(1, 12), np.arange(12))
    removed = [
        len(set(range(n)) - set(range(k))) for n, k in zip(before.flat, after.flat, strict=True)
    ]
    some = before.ravel() > after.ravel()
    inputs = {"before": before.ravel()[some], "after": after.ravel()[some]}
    for form, script in (("printed", "eq22_removed"), ("corrected", None)):
        yield ctx.compare(
            "literal", form, np.array(removed)[some], inputs, "sets of samples", relation="==",
            script=script,
        )  # fmt: skip


CHECKS = (
    Check("safe.eq22", evidence=check, oracle=measure),
    Check("safe.eq22.removed", evidence=check_removed),
)
