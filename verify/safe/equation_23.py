"""Equation (23) of safe: variances after a deletion, counted, and averaged over all deletions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np

import bounds
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

_UNBIASED = "unbiased covariances (of one sample: 0), two samples stay"
EQ23 = Claim(
    id="safe.eq23",
    label="Equation (23)",
    kind="equality",
    statement="Sigma_t = ((n_t - 1)/(n_{t-1} - 1)) Sigma_{t-1} - Sigma~_t + [n_{t-1} m/(n_t "
    "(n_{t-1} - 1))] (mu_{t-1} - mu~_t)(mu_{t-1} - mu~_t)^T, m = n_{t-1} - n_t, per class.",
    readings=(
        Reading(
            "literal", _UNBIASED, ("printed", "corrected"),
            proofs={"corrected": "the scatter about the mean splits between the two parts"},
        ),
    ),
    natural=Natural(
        "m", tuple(map(float, range(1, 19, 2))),
        {"n": 20.0, "var": 1.5, "gone_var": 1.0, "mean": 0.3, "gone_mean": 0.1}, log_y=False,
    ),
    quantity="variance of what stays",
    correction="[(n_{t-1} - 1) Sigma_{t-1} - (m - 1) Sigma~_t - (n_{t-1} m/n_t) delta delta^T]"
    "/(n_t - 1); or keep counts and sums of z and z z^T.",
)  # fmt: skip
ML = Claim(
    id="safe.eq23.ml",
    label="Equation (23) for covariances divided by n",
    kind="equality",
    statement="Sigma_t = (n/n') Sigma_{t-1} - (m/n') Sigma~_t - (n m/n'^2) delta delta^T.",
    readings=(
        Reading(
            "literal", "covariances divided by the count, one sample stays", ("tight",),
            proofs={"tight": "the scatter about the mean splits between the two parts"},
        ),
    ),
)  # fmt: skip
MEAN = Claim(
    id="safe.eq23.mean",
    label="Equation (23) on average",
    kind="equality",
    statement="Deleting a uniformly drawn set of m samples keeps the unbiased covariance on "
    "average; eq (23) as printed multiplies it by -(m-1)/(n-1).",
    readings=(
        Reading(
            "literal",
            _UNBIASED + ", the mean over all deletions of m of n samples",
            ("printed", "corrected"),
            proofs={"corrected": "an unbiased covariance is an average over pairs of samples"},
        ),
        Reading(
            "formula",
            "the mean of what eq (23) gives, over the same deletions",
            ("printed",),
            proofs={"printed": "E gone_var = var, E (mean - gone_mean)^2 = (n-m)/(n m) var"},
        ),
    ),
    natural=Natural("m", tuple(map(float, range(1, 7))), {"n": 8.0, "var": 1.5}, log_y=False),
    quantity="mean variance of what stays",
    correction="For every m >= 2 the printed covariance is negative definite on average.",
)
CLAIMS = (EQ23, ML, MEAN)

SCRIPT = '''"""Eq (23) of safe on three and on four points, in rational numbers."""
from fractions import Fraction as F
def moments(data):
    mean = F(sum(data), len(data))
    return mean, sum((x - mean) ** 2 for x in data) / max(len(data) - 1, 1)
for data, gone, kept in (([0, 2, 4], [4], [0, 2]), ([-1, 1, -1, 1], [-1, 1], [-1, 1])):
    n, m = len(data), len(gone)
    mean, var = moments(data)
    gone_mean, gone_var = moments(gone)
    printed = (F(n - m - 1, n - 1) * var - gone_var
               + F(n * m, (n - m) * (n - 1)) * (mean - gone_mean) ** 2)
    true = moments(kept)[1]
    right = ((n - 1) * var - (m - 1) * gone_var - F(n * m, n - m) * (mean - gone_mean) ** 2)
    print(f"{data} without {gone}: variance {float(true)}, eq (23) gives {float(printed):.9f}")
    assert printed != true == right / (n - m - 1)
assert printed == F(-14, 9)
'''
MEAN_SCRIPT = '''"""Eq (23) of safe over all deletions of 4 of 12 points: negative on average."""
from fractions import Fraction as F
from itertools import combinations
def moments(data):
    mean = F(sum(data), len(data))
    return mean, sum((x - mean) ** 2 for x in data) / (len(data) - 1)
data = [1, 2, 4, 8, 9, 13, 14, 20, 21, 23, 30, 31]
n, m = len(data), 4
mean, var = moments(data)
true, printed = [], []
for chosen in combinations(range(n), m):
    gone_mean, gone_var = moments([data[i] for i in chosen])
    true.append(moments([data[i] for i in range(n) if i not in chosen])[1])
    printed.append(F(n - m - 1, n - 1) * var - gone_var
                   + F(n * m, (n - m) * (n - 1)) * (mean - gone_mean) ** 2)
averages = [sum(part) / len(part) / var for part in (true, printed)]
print(f"mean over var: true {float(averages[0]):.9f}, eq (23) {float(averages[1]):.9f}")
assert averages == [1, -F(m - 1, n - 1)]
'''


def measure(
    n: float, m: float, var: float, gone_var: float, mean: float, gone_mean: float
) -> float:
    """Variance of the kept part of samples that are built to have the given moments."""
    from scipy.optimize import brentq

    going = _spread(int(m), gone_mean, gone_var)
    centre = (n * mean - going.sum()) / (n - m)

    def excess(wanted: float) -> float:
        everyone = np.concatenate((going, _spread(int(n - m), centre, wanted)))
        return float(everyone.var(ddof=1) - var)

    return float(brentq(excess, 0.0, n * var, xtol=1e-14, rtol=1e-14))


def _spread(count: int, mean: float, var: float) -> np.ndarray:
    """Evenly spaced samples with this mean and unbiased variance (one sample: at the mean)."""
    shape = np.arange(count) - (count - 1) / 2
    return np.asarray(mean + shape * (var / max(shape.var(ddof=min(1, count - 1)), 0.25)) ** 0.5)


def measure_mean(n: float, m: float, var: float) -> float:
    """Mean variance of what stays of n samples with variance var, over all deletions of m."""
    data = _spread(int(n), 0.0, var) ** 3
    data *= (var / data.var(ddof=1)) ** 0.5
    keep = np.array(list(combinations(range(int(n)), int(n - m))))
    return float(data[keep].var(axis=1, ddof=1).mean())


def _moments(data: list[Fraction], ddof: int = 1) -> tuple[Fraction, Fraction]:
    mean = sum(data, Fraction(0)) / len(data)
    scatter = sum(((x - mean) ** 2 for x in data), Fraction(0))
    return mean, scatter / max(len(data) - ddof, 1)


def _inputs(data: list[Fraction], m: int, ddof: int = 1) -> tuple[dict[str, float], float]:
    """The moments of the data and of its first m samples; the variance of the others."""
    mean, var = _moments(data, ddof)
    gone_mean, gone_var = _moments(data[:m], ddof)
    inputs = {"n": len(data), "m": m} | {
        "var": float(var), "gone_var": float(gone_var),
        "mean": float(mean), "gone_mean": float(gone_mean),
    }  # fmt: skip
    return inputs, float(_moments(data[m:], ddof)[1])


def _random(ctx: Context, ddof: int, stay: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Different rational samples, of which any m leave and at least `stay` stay."""
    rng = ctx.rng()
    found = []
    for _ in range(ctx.pick(250, 4000)):
        n = int(rng.integers(stay + 1, 25))
        data = [Fraction(int(v), 4) for v in rng.choice(np.arange(-60, 61), n, replace=False)]
        found.append(_inputs(data, int(rng.integers(1, n - stay + 1)), ddof))
    names = found[0][0]
    return {k: np.array([row[k] for row, _ in found]) for k in names}, np.array(
        [exact for _, exact in found]
    )


def check(ctx: Context) -> Iterator[Evidence]:
    for points, m in (([4, 0, 2], 1), ([-1, 1, -1, 1], 2)):
        inputs, exact = _inputs([Fraction(x) for x in points], m)
        for form, script in (("printed", SCRIPT), ("corrected", None)):
            yield ctx.compare(
                "literal", form, exact, inputs, f"{points}, the first {m} deleted", relation="==",
                tolerance=1e-12, script=script,
            )  # fmt: skip
    drawn, exact_drawn = _random(ctx, ddof=1, stay=2)
    for form, script in (("printed", SCRIPT), ("corrected", None)):
        yield ctx.compare(
            "literal", form, exact_drawn, drawn, "one direction, rational numbers", relation="==",
            script=script,
        )  # fmt: skip
    yield from _matrices(ctx)


def _matrices(ctx: Context) -> Iterator[Evidence]:
    """In the plane and beyond: every direction of the covariance matrix of what stays."""
    rng = ctx.rng(1)
    for d in (2, 5):
        for _ in range(ctx.pick(5, 100)):
            n = int(rng.integers(8, 30))
            m = int(rng.integers(1, n - 6))
            z = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d)
            u = rng.normal(size=(40, d))
            kept, gone, everyone = (np.cov(part.T).reshape(d, d) for part in (
                z[m:], z[:m] if m > 1 else np.array([z[0], z[0]]), z
            ))  # fmt: skip
            inputs = {
                "n": n, "m": m, "mean": u @ z.mean(axis=0), "gone_mean": u @ z[:m].mean(axis=0),
                "var": _along(everyone, u), "gone_var": _along(gone, u),
            }  # fmt: skip
            yield ctx.compare(
                "literal", "corrected", _along(kept, u), inputs,
                f"covariance matrices in {d} dimensions, random directions", relation="==",
            )  # fmt: skip


def _along(covariance: np.ndarray, u: np.ndarray) -> np.ndarray:
    return np.asarray(np.einsum("ki,ij,kj->k", u, covariance, u))


def check_ml(ctx: Context) -> Iterator[Evidence]:
    for points, m, exact in (([4, 0, 2], 1, 1.0), ([-1, 1, -1, 1], 2, 1.0)):
        inputs, counted = _inputs([Fraction(x) for x in points], m, ddof=0)
        assert counted == exact
        yield ctx.compare(
            "literal", "tight", exact, inputs, f"{points}, the first {m} deleted", relation="=="
        )
    drawn, exact_drawn = _random(ctx, ddof=0, stay=2)
    yield ctx.compare(
        "literal", "tight", exact_drawn, drawn, "one direction, rational numbers", relation="=="
    )


def check_mean(ctx: Context) -> Iterator[Evidence]:
    printed = bounds.get("safe.eq23")["printed"]
    data = [Fraction(x) for x in (1, 2, 4, 8, 9, 13, 14, 20, 21, 23, 30, 31)]
    n, var = len(data), float(_moments(data)[1])
    for m in range(1, ctx.pick(5, 11)):
        rows = []
        for chosen in combinations(range(n), m):
            others = [data[i] for i in range(n) if i not in chosen]
            rows.append(_inputs([data[i] for i in chosen] + others, m))
        inputs = {"n": n, "m": m, "var": var}
        gives = [float(printed(**row)) for row, _ in rows] if m in (2, 4) else []
        instance = f"all {len(rows)} deletions of {m} of 12 points"
        kept = float(np.mean([exact for _, exact in rows]))
        for form, script in (("printed", MEAN_SCRIPT), ("corrected", None)):
            yield ctx.compare(
                "literal", form, kept, inputs, instance, relation="==", tolerance=1e-12,
                script=script,
            )  # fmt: skip
        if gives:
            yield ctx.compare(
                "formula", "printed", float(np.mean(gives)), inputs, instance, relation="==",
                tolerance=1e-12, tight=np.nan,
            )  # fmt: skip


CHECKERS = {EQ23.id: check, ML.id: check_ml, MEAN.id: check_mean}
MEASURES = {EQ23.id: measure, MEAN.id: measure_mean}
