"""Certified removal, a baseline of mini: its Newton step, and what the objective's noise moves."""

from typing import Any

import numpy as np

from simulators.data.dataset import Dataset
from verify.checks import Check, Context, Findings, Instances
from verify.mini.logistic_newton import gradient, hessian, newton


def scored(loss: str, lam: float, X: np.ndarray, y: np.ndarray) -> Any:
    """The simulators' model of these rows: "ridge" or "logistic"."""
    from simulators.losses.logistic import Logistic
    from simulators.losses.ridge import Ridge
    from simulators.trajectory.linear_score import LinearScore

    chosen = Ridge(lam) if loss == "ridge" else Logistic(lam)
    return LinearScore(chosen, Dataset(X, y))


def measure_shift(sigma: float, p: float, lam: float, n: float) -> float:
    """Root mean square shift for flat losses, from the covariance of the linear map b -> shift."""
    from simulators.trajectory.newton import minimiser

    size = int(p)
    # Features of 1e-9 leave the regulariser as the only curvature.
    model = scored("ridge", lam, np.full((int(n), size), 1e-9), np.zeros(int(n)))
    columns = [minimiser(model, linear=unit) for unit in sigma * np.eye(size)]
    return float(np.linalg.norm(columns))


def check_newton(ctx: Context) -> Findings:
    """The Newton step of the library against a linear system solved here, logistic and ridge."""
    from simulators.trajectory.newton import minimiser, newton_step

    rng = ctx.rng()
    equal = {"relation": "==", "tolerance": 1e-7}
    for _ in range(ctx.pick(10, 150)):
        n, p = int(rng.integers(4, 20)), int(rng.integers(1, 4))
        m = int(rng.integers(1, n - 1))
        lam = float(rng.uniform(0.05, 1))
        X = rng.normal(size=(n, p))
        y = rng.choice([-1.0, 1.0], n)
        at = {"n": n, "m": m, "lam": lam}
        before, after = newton(-y[:, None] * X, lam, m)
        kept_rows, removed_rows = (-y[:, None] * X)[m:], range(m)
        own = before - np.linalg.solve(
            hessian(kept_rows, before, lam), gradient(kept_rows, before, lam)
        )
        model = scored("logistic", lam, X, y)
        optimum = minimiser(model)
        for lhs in (after, optimum + newton_step(model, optimum, removed_rows)):
            options = {"bound": own, "tight": own, **equal}
            yield ctx.compare("literal", "printed", lhs, at, f"logistic loss, p = {p}", **options)
        away = optimum + 0.1
        label = "away from w* the two differ"
        whole = away + newton_step(model, away, removed_rows, whole_gradient=True)
        options = {"bound": whole, "relation": "==", "role": "control"}
        lhs = away + newton_step(model, away, removed_rows)
        yield ctx.compare("literal", "printed", lhs, at, label, **options)
        quadratic = scored("ridge", lam, X, y * 2)
        centre = minimiser(quadratic)
        target = np.linalg.solve(X[m:].T @ X[m:] + lam * (n - m) * np.eye(p), X[m:].T @ (2 * y[m:]))
        lhs = centre + newton_step(quadratic, centre, removed_rows)
        label = f"ridge regression, p = {p}"
        options = {"bound": target, "tight": target, **equal}
        yield ctx.compare("quadratic", "printed", lhs, at, label, **options)


def check_shift(ctx: Context) -> Findings:
    """Distance that one draw of b moves the minimiser of a logistic objective."""
    from simulators.trajectory.newton import minimiser

    for rng in ctx.draws(8, 60, block=1):
        n = int(rng.integers(2, 30))
        p = int(rng.integers(1, 5))
        lam = float(rng.uniform(0.01, 1))
        X, y = rng.normal(size=(n, p)), rng.choice([-1.0, 1.0], n)
        model = scored("logistic", lam, X, y)
        b = 0.01 * rng.normal(size=p)
        shift = np.linalg.norm(minimiser(model, linear=b) - minimiser(model))
        # For one b: |b| in the place of sigma sqrt(p).
        one = {"sigma": float(np.linalg.norm(b)), "p": 1, "lam": lam, "n": n}
        yield ctx.compare("literal", "corrected", shift, one, "logistic loss, one draw of b")


FLAT = Instances(
    "flat losses",
    draws=(8, 60),
    within={"sigma": (0.01, 0.01), "p": (1, 5), "lam": (0.01, 1), "n": (2, 30)},
    tolerance=1e-7,
    relations={"corrected": "=="},
)
CHECKS = (
    Check("guo.newton", evidence=check_newton),
    Check("guo.shift", evidence=check_shift, exact_side=measure_shift, at=(FLAT,)).measured_by(
        "newton-removal", "shift", where=("strong convexity",)
    ),
)
