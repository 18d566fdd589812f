"""DeltaGrad, a baseline of mini: its exact steps, when it is exact, and how Mini compares."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.small_runs import Run, line, random_run


def measure(T: float, T0: float, j0: float) -> int:
    """Exact steps of the simulators' DeltaGrad on four points of a line."""
    from simulators.trajectory.deltagrad import deltagrad

    run = _points(int(T))
    return deltagrad(*run.subject(), [0], period=int(T0), burn_in=int(j0)).exact_steps


def _points(T: int, eta: float = 0.05) -> Run:
    """Whole batches of four quadratics on a line, curvature 1."""
    targets = np.array([1.0, 3.0, -2.0, 0.5])
    return Run(np.ones((4, 1)), targets, 0.0, (np.arange(4),) * T, np.full(T, eta), np.zeros(1))


def check(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.deltagrad import deltagrad

    rng = ctx.rng()
    for _ in range(ctx.pick(25, 300)):
        T, T0, j0 = (int(rng.integers(1, high)) for high in (60, 12, 20))
        inputs = {"T": T, "T0": T0, "j0": j0}
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs, "four points of a line", relation="=="
        )
    for _ in range(ctx.pick(8, 80)):
        run, gone = random_run(rng)
        exact = run.path(gone)[-1]
        found = deltagrad(*run.subject(), gone, period=1, burn_in=0)
        yield ctx.compare(
            "every", "printed", found.point, {"T0": 1}, "quadratics in three dimensions",
            bound=exact, tight=exact, relation="==", tolerance=1e-8,
        )  # fmt: skip
        rare = deltagrad(*run.subject(), gone, period=100, burn_in=1)
        yield ctx.compare(
            "every", "printed", float(np.abs(rare.point - exact).max() > 1e-6), {"T0": 100},
            "two exact steps do not retrain in three dimensions", bound=0.0, relation="==",
            role="control",
        )  # fmt: skip
    for T, T0 in ((5, 3), (30, 100), (60, 7)):
        run = _points(T)
        found = deltagrad(*run.subject(), [0], period=T0, burn_in=1, pairs=1)
        exact = run.path({0})[-1]
        yield ctx.compare(
            "line", "printed", found.point, {"T": T, "T0": T0, "j0": 1}, "four points of a line",
            bound=exact, tight=exact, relation="==",
        )  # fmt: skip
    yield from _order(ctx)


def _order(ctx: Context) -> Iterator[Evidence]:
    """Distance to retraining of Mini with k = 10, and of DeltaGrad, at the paper's settings."""
    from simulators.trajectory.deltagrad import deltagrad
    from simulators.trajectory.mini import mini

    for T, ratio in ((40, 0.05), (40, 0.15), (200, 0.10)):
        run, gone = _paper_settings(ctx.rng(1), T, ratio)
        subject, exact = run.subject(), run.path(gone)[-1]
        theirs = deltagrad(*subject, gone, period=5, burn_in=10).point
        yield ctx.compare(
            "order", "printed", np.linalg.norm(mini(*subject, gone, 10) - exact),
            {"T": T, "ratio": ratio, "k": 10, "T0": 5, "j0": 10},
            "ridge regression, n = 200, p = 5, eta = 0.01, regularisation 0.005, batches of 20",
            bound=np.linalg.norm(theirs - exact), tight=np.nan, script="base_dg",
        )  # fmt: skip
    run, gone = line(0.99, 10, 0.01, extra=30)
    subject, exact = run.subject(), run.path(gone)[-1]
    theirs = deltagrad(*subject, gone, period=5, burn_in=10).point
    yield ctx.compare(
        "order", "printed", abs(mini(*subject, gone, 10)[0] - exact[0]),
        {"T": 40, "k": 10, "T0": 5, "j0": 10}, "two quadratics on a line, eta = 0.01",
        bound=abs(theirs[0] - exact[0]) + 1e-12, tight=np.nan, script="base_dg",
    )  # fmt: skip


def _paper_settings(rng: np.random.Generator, T: int, ratio: float) -> tuple[Run, set[int]]:
    n, p, b = 200, 5, 20
    X = rng.normal(size=(n, p)) / np.sqrt(p)
    y = X @ rng.normal(size=p) + 0.5 * rng.normal(size=n)
    batches: list[np.ndarray] = []
    while len(batches) < T:
        order = rng.permutation(n)
        batches += [order[i : i + b] for i in range(0, n, b)]
    gone = {int(i) for i in rng.permutation(n)[: int(ratio * n)]}
    return Run(X, y, 0.005, tuple(batches[:T]), np.full(T, 0.01), np.zeros(p)), gone


CHECKS = (Check("mini.base.dg", evidence=check, oracle=measure),)
