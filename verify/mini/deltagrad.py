"""DeltaGrad, a baseline of mini: its exact steps, when it is exact, and how Mini compares."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances
from verify.mini.small_runs import SmallRun, line, random_run


def measure(T: float, T0: float, j0: float) -> int:
    """Exact steps of the simulators' DeltaGrad on four points of a line."""
    from simulators.trajectory.deltagrad import deltagrad

    run = _points(int(T))
    return deltagrad(*run.subject(), [0], period=int(T0), burn_in=int(j0)).exact_steps


def _points(T: int, eta: float = 0.05) -> SmallRun:
    """Whole batches of four quadratics on a line, curvature 1."""
    targets = np.array([1.0, 3.0, -2.0, 0.5])
    return SmallRun(
        np.ones((4, 1)), targets, 0.0, (np.arange(4),) * T, np.full(T, eta), np.zeros(1)
    )


def check(ctx: Context) -> Findings:
    """Points that DeltaGrad replays on quadratics, all steps exact, few of them, on a line."""
    from simulators.trajectory.deltagrad import deltagrad

    for rng in ctx.draws(8, 80, block=1):
        run, deletions = random_run(rng)
        exact, subject = run.path(deletions)[-1], run.subject()
        replay = deltagrad(*subject, deletions, period=1, burn_in=0)
        label = "quadratics in three dimensions"
        options = {"bound": exact, "tight": exact, "relation": "==", "tolerance": 1e-8}
        yield ctx.compare("every", "printed", replay.point, {"T0": 1}, label, **options)
        rare = deltagrad(*subject, deletions, period=100, burn_in=1)
        off = float(np.abs(rare.point - exact).max() > 1e-6)
        label = "two exact steps do not retrain in three dimensions"
        options = {"bound": 0.0, "relation": "==", "role": "control"}
        yield ctx.compare("every", "printed", off, {"T0": 100}, label, **options)
    for T, T0 in ((5, 3), (30, 100), (60, 7)):
        run = _points(T)
        replay = deltagrad(*run.subject(), [0], period=T0, burn_in=1, pairs=1)
        exact = run.path({0})[-1]
        at = {"T": T, "T0": T0, "j0": 1}
        options = {"bound": exact, "tight": exact, "relation": "=="}
        yield ctx.compare("line", "printed", replay.point, at, "four points of a line", **options)
    yield from _order(ctx)


def _order(ctx: Context) -> Findings:
    """Distance to retraining of Mini with k = 10, and of DeltaGrad, at the paper's settings."""
    from simulators.trajectory.deltagrad import deltagrad
    from simulators.trajectory.mini import mini

    label = "ridge regression, n = 200, p = 5, eta = 0.01, regularisation 0.005, batches of 20"
    runs = [
        (_paper_settings(ctx.rng(1), T, ratio), {"T": T, "ratio": ratio}, label, 0.0)
        for T, ratio in ((40, 0.05), (40, 0.15), (200, 0.10))
    ]
    two = line(0.99, 10, 0.01, extra=30), {"T": 40}, "two quadratics on a line, eta = 0.01", 1e-12
    for (run, deletions), at, label, slack in (*runs, two):
        subject, exact = run.subject(), run.path(deletions)[-1]
        theirs = deltagrad(*subject, deletions, period=5, burn_in=10).point
        ours = np.linalg.norm(mini(*subject, deletions, 10) - exact)
        at = {**at, "k": 10, "T0": 5, "j0": 10}
        bound = np.linalg.norm(theirs - exact) + slack
        options = {"bound": bound, "tight": np.nan, "script": "base_dg"}
        yield ctx.compare("order", "printed", ours, at, label, **options)


def _paper_settings(rng: np.random.Generator, T: int, ratio: float) -> tuple[SmallRun, set[int]]:
    n, p, b = 200, 5, 20
    X = rng.normal(size=(n, p)) / np.sqrt(p)
    y = X @ rng.normal(size=p) + 0.5 * rng.normal(size=n)
    batches: list[np.ndarray] = []
    while len(batches) < T:
        order = rng.permutation(n)
        batches += [order[i : i + b] for i in range(0, n, b)]
    deletions = {int(i) for i in rng.permutation(n)[: int(ratio * n)]}
    return SmallRun(X, y, 0.005, tuple(batches[:T]), np.full(T, 0.01), np.zeros(p)), deletions


COUNTED = Instances(
    "four points of a line",
    draws=(25, 300),
    within={"T": (1, 60), "T0": (1, 12), "j0": (1, 20)},
    interpretations=("literal",),
    relations={"printed": "=="},
)
CHECKS = (Check("mini.base.dg", evidence=check, exact_side=measure, at=(COUNTED,)),)
