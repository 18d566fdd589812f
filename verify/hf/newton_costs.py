"""Costs of NS and IJ in hf, counted: enough as they are stated, and not all of them needed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from verify.checks import Check, Context, Findings, Instances, case_table

Array = NDArray[np.float64]


@dataclass
class Tally:
    """Linear algebra that counts its operations."""

    operations: int = 0

    def product(self, A: Array, B: Array) -> Array:
        self.operations += 2 * A.shape[0] * A.shape[1] * (B.shape[1] if B.ndim > 1 else 1)
        return np.asarray(A @ B)

    def gram(self, samples: Array, weights: Array, start: Array, sign: int) -> Array:
        """start + sign sum of weights x x^T, a sample at a time."""
        H = start.copy()
        for x, c in zip(samples, weights, strict=True):
            scaled = c * x
            self.operations += x.size
            H += sign * np.outer(scaled, x)
            self.operations += 2 * x.size**2
        return H

    def solve(self, A: Array, right: Array) -> Array:
        """Gaussian elimination without pivots, then back substitution."""
        M = np.column_stack((A, right))
        size, width = len(A), M.shape[1]
        for j in range(size - 1):
            for i in range(j + 1, size):
                factor = M[i, j] / M[j, j]
                M[i, j + 1 :] -= factor * M[j, j + 1 :]
                self.operations += 1 + 2 * (width - j - 1)
        for i in reversed(range(size)):
            for k in range(i + 1, size):
                M[i, size:] -= M[i, k] * M[k, size:]
                self.operations += 2 * (width - size)
            M[i, size:] /= M[i, i]
            self.operations += width - size
        solution = M[:, size:]
        return np.asarray(solution if right.ndim > 1 else solution[:, 0])


def problem(n: int, d: int) -> tuple[Array, Array]:
    """Rows and curvatures of n samples with a linear score."""
    rng = np.random.default_rng(1000 * n + d)
    return rng.normal(size=(n, d)), rng.uniform(0.5, 1.0, size=n)


def scratch(m: float, d: float) -> tuple[float, Array]:
    """(operations, step) of NS from the Hessian of all samples."""
    samples, weights = problem(int(m + 2 * d + 2), int(d))
    tally, deletions = Tally(), int(m)
    whole = Tally().gram(samples, weights, np.zeros((int(d), int(d))), 1)
    kept_gram = tally.gram(samples[:deletions], weights[:deletions], whole, -1)
    g = tally.product(samples[:deletions].T, np.ones(deletions))
    solution = tally.solve(kept_gram, g)
    return float(tally.operations), solution


def updated(m: float, d: float) -> tuple[float, Array]:
    """(operations, step) of NS from the inverse Hessian of all samples."""
    samples, weights = problem(int(m + 2 * d + 2), int(d))
    whole = Tally().gram(samples, weights, np.zeros((int(d), int(d))), 1)
    P = np.linalg.inv(whole)
    deletions = int(m)
    tally = Tally()
    X = samples[:deletions]
    PX = tally.product(P, X.T)
    inner = -tally.product(X, PX)
    inner[np.diag_indices(deletions)] += 1 / weights[:deletions]
    tally.operations += deletions
    g = tally.product(X.T, np.ones(deletions))
    Pg = tally.product(P, g)
    solution = Pg + tally.product(PX, tally.solve(inner, tally.product(X, Pg)))
    tally.operations += int(d)
    return float(tally.operations), solution


def measure_step(m: float, d: float, K: float = 1.0) -> float:
    """Operations of NS from a stored inverse."""
    return updated(m, d)[0]


def measure_hessian(n: float, d: float, K: float = 1.0) -> float:
    """Operations of the Hessian."""
    samples, weights = problem(int(n), int(d))
    tally = Tally()
    tally.gram(samples, weights, np.zeros((int(d), int(d))), 1)
    return float(tally.operations)


def measure_inverse(n: float, d: float, K: float = 1.0) -> float:
    """Operations of the Hessian and its inverse."""
    samples, weights = problem(int(n), int(d))
    tally = Tally()
    H = tally.gram(samples, weights, np.eye(int(d)), 1)
    tally.solve(H, np.eye(int(d)))
    return float(tally.operations)


def check_step(ctx: Context) -> Findings:
    """Operations of a Newton step counted, from scratch and from a stored inverse."""
    for inputs in STEPS:
        m, d = inputs["m"], inputs["d"]
        count, exact = scratch(m, d)
        _, solution = updated(m, d)
        bound = ctx.claim("printed", **inputs)
        yield ctx.compare("literal", "printed", count, inputs, "operations counted", tight=bound)
        options = {"bound": exact, "relation": "==", "tolerance": 1e-6, "tight": np.nan}
        yield ctx.compare("required", "corrected", solution, {}, "the same step", **options)


STEPS = case_table("m d K", (1, 1, 3), (1, 30, 3), (5, 10, 3), (200, 8, 3))
REQUIRED = Instances(
    "operations counted",
    STEPS,
    interpretations=("required",),
    forms=("corrected",),
    relations={"corrected": "=="},
)
FEWER = Instances(
    "operations counted",
    case_table("m d K", (1, 12, 0.5), (1, 60, 0.1), (2, 400, 0.02)),
    interpretations=("required",),
    forms=("printed",),
    script="table1_newton",
)
SAMPLES = Instances("operations counted", case_table("n d K", (10, 1, 3), (20, 5, 3), (7, 30, 3)))
CHECKS = (
    Check("hf.table1.newton", check_step, measure_step, (REQUIRED, FEWER)),
    Check("hf.table1.hessian", exact_side=measure_hessian, at=(SAMPLES,)),
    Check("hf.table1.inverse", exact_side=measure_inverse, at=(SAMPLES,)),
)
