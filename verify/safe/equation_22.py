"""Equation (22) of safe: the mean of what stays, from the samples themselves."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

EQ22 = Claim(
    id="safe.eq22",
    label="Equation (22)",
    kind="equality",
    statement="mu_t = (n_{t-1} mu_{t-1} - (n_{t-1} - n_t) mu~_t)/n_t, per class.",
    readings=(
        Reading(
            "literal", "n_t >= 1 samples of the class stay", ("printed",),
            proofs={"printed": "the sum of the class is that of what stays and of what leaves"},
        ),
    ),
    natural=Natural(
        "m", tuple(map(float, range(1, 20))), {"n": 20.0, "mean": 1.0, "gone_mean": 0.5},
        log_y=False,
    ),
    quantity="mean of what stays",
    correction="A class that runs out (n_t = 0) has no mean: leave it out of eq (24).",
)  # fmt: skip
REMOVED = Claim(
    id="safe.eq22.removed",
    label="Text before equation (22)",
    kind="equality",
    statement="The number of points with label y that were removed in step t is "
    "n_t(y) - n_{t-1}(y).",
    readings=(
        Reading(
            "literal", "F_t is removed from D_{t-1}", ("printed", "corrected"),
            proofs={"corrected": "D_{t-1} is D_t and F_t, disjoint: counting"},
            edits={"printed": Edit(
                "the two counts exchanged",
                "n_t(y)-n_{t-1}(y)",
                "n_{t-1}(y)-n_t(y)",
            )},
        ),
    ),
    correction="n_{t-1}(y) - n_t(y), as eqs (22) and (23) use it.",
)  # fmt: skip
CLAIMS = (EQ22, REMOVED)


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


CHECKERS = {EQ22.id: check, REMOVED.id: check_removed}
MEASURES = {EQ22.id: measure}
