"""Equation (23) of safe: variances after a deletion, counted on the samples themselves."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

UNBIASED = "unbiased covariances (of one sample: 0), two samples stay"
EQ23 = Claim(
    id="safe.eq23",
    label="Equation (23)",
    kind="equality",
    statement="Sigma_t = ((n_t - 1)/(n_{t-1} - 1)) Sigma_{t-1} - Sigma~_t + [n_{t-1} m/(n_t "
    "(n_{t-1} - 1))] (mu_{t-1} - mu~_t)(mu_{t-1} - mu~_t)^T, m = n_{t-1} - n_t, per class.",
    readings=(
        Reading(
            "literal", UNBIASED, ("printed", "corrected"),
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
CLAIMS = (EQ23, ML)


def measure(
    n: float, m: float, var: float, gone_var: float, mean: float, gone_mean: float
) -> float:
    """Variance of the kept part of samples that are built to have the given moments."""
    from scipy.optimize import brentq

    going = spread(int(m), gone_mean, gone_var)
    centre = (n * mean - going.sum()) / (n - m)

    def excess(wanted: float) -> float:
        everyone = np.concatenate((going, spread(int(n - m), centre, wanted)))
        return float(everyone.var(ddof=1) - var)

    return float(brentq(excess, 0.0, n * var, xtol=1e-14, rtol=1e-14))


def spread(count: int, mean: float, var: float) -> np.ndarray:
    """Evenly spaced samples with this mean and unbiased variance (one sample: at the mean)."""
    shape = np.arange(count) - (count - 1) / 2
    return np.asarray(mean + shape * (var / max(shape.var(ddof=min(1, count - 1)), 0.25)) ** 0.5)


def moments_of(data: list[Fraction], ddof: int = 1) -> tuple[Fraction, Fraction]:
    mean = sum(data, Fraction(0)) / len(data)
    scatter = sum(((x - mean) ** 2 for x in data), Fraction(0))
    return mean, scatter / max(len(data) - ddof, 1)


def inputs_of(data: list[Fraction], m: int, ddof: int = 1) -> tuple[dict[str, float], float]:
    """The moments of the data and of its first m samples; the variance of the others."""
    mean, var = moments_of(data, ddof)
    gone_mean, gone_var = moments_of(data[:m], ddof)
    inputs = {"n": len(data), "m": m} | {
        "var": float(var), "gone_var": float(gone_var),
        "mean": float(mean), "gone_mean": float(gone_mean),
    }  # fmt: skip
    return inputs, float(moments_of(data[m:], ddof)[1])


def _random(ctx: Context, ddof: int, stay: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Different rational samples, of which any m leave and at least `stay` stay."""
    rng = ctx.rng()
    found = []
    for _ in range(ctx.pick(250, 4000)):
        n = int(rng.integers(stay + 1, 25))
        data = [Fraction(int(v), 4) for v in rng.choice(np.arange(-60, 61), n, replace=False)]
        found.append(inputs_of(data, int(rng.integers(1, n - stay + 1)), ddof))
    names = found[0][0]
    return {k: np.array([row[k] for row, _ in found]) for k in names}, np.array(
        [exact for _, exact in found]
    )


def check(ctx: Context) -> Iterator[Evidence]:
    for points, m in (([4, 0, 2], 1), ([-1, 1, -1, 1], 2)):
        inputs, exact = inputs_of([Fraction(x) for x in points], m)
        for form, script in (("printed", "eq23"), ("corrected", None)):
            yield ctx.compare(
                "literal", form, exact, inputs, f"{points}, the first {m} deleted", relation="==",
                tolerance=1e-12, script=script,
            )  # fmt: skip
    drawn, exact_drawn = _random(ctx, ddof=1, stay=2)
    for form, script in (("printed", "eq23"), ("corrected", None)):
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
        inputs, counted = inputs_of([Fraction(x) for x in points], m, ddof=0)
        assert counted == exact
        yield ctx.compare(
            "literal", "tight", exact, inputs, f"{points}, the first {m} deleted", relation="=="
        )
    drawn, exact_drawn = _random(ctx, ddof=0, stay=2)
    yield ctx.compare(
        "literal", "tight", exact_drawn, drawn, "one direction, rational numbers", relation="=="
    )


CHECKERS = {EQ23.id: check, ML.id: check_ml}
MEASURES = {EQ23.id: measure}
