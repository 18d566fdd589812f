"""Certified removal, a baseline of mini: its Newton step, and what the objective's noise moves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.logistic_newton import gradient, hessian, newton


def measure_shift(sigma: float, p: float, lam: float, n: float) -> float:
    """Root mean square shift for flat losses, from the covariance of the linear map b -> shift."""
    from simulators.data.dataset import Dataset
    from simulators.losses.ridge import Ridge
    from simulators.trajectory.linear_score import LinearScore
    from simulators.trajectory.newton import minimiser

    size = int(p)
    # Features of 1e-9 leave the regulariser as the only curvature.
    model = LinearScore(Ridge(lam), Dataset(np.full((int(n), size), 1e-9), np.zeros(int(n))))
    columns = [minimiser(model, linear=unit) for unit in sigma * np.eye(size)]
    return float(np.linalg.norm(columns))


def check_newton(ctx: Context) -> Iterator[Evidence]:
    from simulators.data.dataset import Dataset
    from simulators.losses.logistic import Logistic
    from simulators.losses.ridge import Ridge
    from simulators.trajectory.linear_score import LinearScore
    from simulators.trajectory.newton import minimiser, newton_step

    rng = ctx.rng()
    for _ in range(ctx.pick(10, 150)):
        n, p = int(rng.integers(4, 20)), int(rng.integers(1, 4))
        m, lam = int(rng.integers(1, n - 1)), float(rng.uniform(0.05, 1))
        X, y = rng.normal(size=(n, p)), rng.choice([-1.0, 1.0], n)
        rows = -y[:, None] * X
        before, after = newton(rows, lam, m)
        own = before - np.linalg.solve(
            hessian(rows[m:], before, lam), gradient(rows[m:], before, lam)
        )
        model = LinearScore(Logistic(lam), Dataset(X, y))
        found = minimiser(model)
        subject = found + newton_step(model, found, range(m))
        about = f"logistic loss, p = {p}"
        for left in (after, subject):
            yield ctx.compare(
                "literal", "printed", left, {"n": n, "m": m, "lam": lam}, about, bound=own,
                tight=own, relation="==", tolerance=1e-7,
            )  # fmt: skip
        away = found + 0.1
        yield ctx.compare(
            "literal", "printed", away + newton_step(model, away, range(m)), {"n": n, "m": m},
            "away from w* the two differ",
            bound=away + newton_step(model, away, range(m), whole_gradient=True),
            relation="==", role="control",
        )  # fmt: skip
        quadratic = LinearScore(Ridge(lam), Dataset(X, y * 2))
        centre = minimiser(quadratic)
        target = np.linalg.solve(X[m:].T @ X[m:] + lam * (n - m) * np.eye(p), X[m:].T @ (2 * y[m:]))
        yield ctx.compare(
            "quadratic", "printed", centre + newton_step(quadratic, centre, range(m)),
            {"n": n, "m": m, "lam": lam}, f"ridge regression, p = {p}", bound=target,
            tight=target, relation="==", tolerance=1e-7,
        )  # fmt: skip


def check_shift(ctx: Context) -> Iterator[Evidence]:
    from simulators.data.dataset import Dataset
    from simulators.losses.logistic import Logistic
    from simulators.trajectory.linear_score import LinearScore
    from simulators.trajectory.newton import minimiser

    rng = ctx.rng()
    for _ in range(ctx.pick(8, 60)):
        n, p = int(rng.integers(2, 30)), int(rng.integers(1, 5))
        inputs = {"sigma": 0.01, "p": p, "lam": float(rng.uniform(0.01, 1)), "n": n}
        yield ctx.compare(
            "literal", "corrected", measure_shift(**inputs), inputs, "flat losses", relation="==",
            tolerance=1e-7,
        )  # fmt: skip
        X, y = rng.normal(size=(n, p)), rng.choice([-1.0, 1.0], n)
        model = LinearScore(Logistic(inputs["lam"]), Dataset(X, y))
        b = 0.01 * rng.normal(size=p)
        moved = minimiser(model, linear=b) - minimiser(model)
        # For one b: |b| in the place of sigma sqrt(p).
        one = {**inputs, "sigma": float(np.linalg.norm(b)), "p": 1}
        yield ctx.compare(
            "literal", "corrected", np.linalg.norm(moved), one, "logistic loss, one draw of b"
        )


CHECKS = (
    Check("guo.newton", evidence=check_newton),
    Check("guo.shift", evidence=check_shift, oracle=measure_shift),
)
