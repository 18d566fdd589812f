"""Lemma 6 of olu: sums of |z - x_j| with exact minimisers and exact quadratic growth."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def measure(k: float, L: float, kappa: float) -> float:
    """The distance for F = k L |z| on [0, 2kL/kappa], all of it removed: every point is minimal.

    F has quadratic growth 2 k L / (2 k L / kappa) = kappa, least at the far end.
    """
    end = 2 * k * L / kappa
    points = np.array([0.0, end])
    growth = 2 * k * L * points[1] / points[1] ** 2
    if not np.isclose(growth, kappa, rtol=1e-12):
        raise ValueError(f"kappa must be {growth}, got {kappa}")
    return float(points[1] - points[0])


def distance(slopes: np.ndarray, centres: np.ndarray, k: int) -> tuple[float, float]:
    """How far the minimiser of sum a_j |z - x_j| on [0, 1] moves without the first k, and kappa.

    F is piecewise linear and convex, so that its minimisers and its least 2 (F - F*)/(z - z*)^2
    are found among the kinks and the ends.
    """
    points = np.unique(np.concatenate(([0.0, 1.0], centres)))
    terms = slopes * np.abs(points[:, None] - centres)
    whole = terms.sum(axis=1)
    kept_sums = terms[:, k:].sum(axis=1)
    best = int(np.argmin(whole))
    others = np.arange(points.size) != best
    gaps = np.abs(points - points[best])
    kappa = float(np.min(2 * (whole - whole[best])[others] / gaps[others] ** 2))
    minimal = kept_sums <= kept_sums.min() + 1e-12 * (1 + slopes.sum())
    return float(gaps[minimal].max()), kappa


def check(ctx: Context) -> Findings:
    """Exact shifts of the minimisers of random sums of |z - x_j|."""
    rng = ctx.rng()
    samples = []
    for _ in range(ctx.pick(200, 4000)):
        n = int(rng.integers(2, 12))
        k = int(rng.integers(1, n))
        slopes = np.append(rng.uniform(0, 1, size=n - 1), 1.0)
        near = np.exp(rng.uniform(-6, 0))
        centres = np.where(np.arange(n) < k, near, 1.0) * rng.uniform(size=n)
        shift, kappa = distance(slopes, centres, k)
        if kappa > 1e-9:
            samples.append((shift, kappa, k))
    moved_all, kappas, ks = (np.array(column) for column in zip(*samples, strict=True))
    inputs = {"k": ks, "L": 1.0, "kappa": kappas}
    yield ctx.compare("literal", "printed", moved_all, inputs, "random sums of |z - x_j|")


ENDS = Instances(
    "k L |z| on [0, 2kL/kappa]",
    case_table("k L kappa", (1, 1, 2), (3, 2, 5), (4, 1, 0.3)),
    relations={"printed": "=="},
)
SDP = "verify.olu.worst_cases:minimisers"
CHECKS = (
    Check(
        "olu.lem6",
        check,
        measure,
        (ENDS,),
        worst_cases=SDP,
        far="attained when all of the losses are removed, and a run keeps some",
    )
    .measured_by(
        "online", "comparator_distance", symbols={"kappa": "growth"}, where=("strong convexity",)
    )
    .beside("worst signs, private"),
)
