"""Appendix B of mini: the compact L-BFGS product is the direct one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="mini.text.inv",
    label="Appendix B, inverse Hessian",
    kind="claim",
    statement="L-BFGS utilizes its approximate inverse Hessian in Algorithm 4.",
    readings=(
        Reading(
            "literal", "the product that Algorithm 4 forms, with its compact matrix corrected",
            ("printed", "corrected"),
            proofs={"corrected": "Byrd, Nocedal and Schnabel 1994, Theorem 2.3: B_k, not its "
                    "inverse; the last secant equation holds"},
        ),
    ),
    natural=Natural("a", (0.5, 1.0, 2.0, 4.0), {"u": 1.0}, log_y=False),
    quantity="product with u",
    correction="Algorithm 4 approximates the Hessian itself; the inverse form is the two-loop "
    "recursion.",
)  # fmt: skip


def compact(S: np.ndarray, Y: np.ndarray, u: np.ndarray) -> np.ndarray:
    """B u of compact L-BFGS with the columns of S and Y as pairs, oldest first."""
    s, y = S[:, -1], Y[:, -1]
    sigma = s @ y / (s @ s)
    cross = S.T @ Y
    lower = np.tril(cross, -1)
    middle = np.block([[-np.diag(np.diag(cross)), lower.T], [lower, sigma * S.T @ S]])
    right = np.concatenate([Y.T @ u, sigma * S.T @ u])
    return np.asarray(sigma * u - np.hstack([Y, sigma * S]) @ np.linalg.solve(middle, right))


def measure(a: float, u: float) -> float:
    """The compact product with one pair y = a s on the line."""
    return float(compact(np.array([[2.0]]), np.array([[2.0 * a]]), np.array([u]))[0])


def check(ctx: Context) -> Iterator[Evidence]:
    for a, u in ((3.0, 1.0), (0.5, -2.0), (2.0, 0.25)):
        s, exact = Fraction(2), Fraction(a)
        y, v = exact * s, Fraction(u)
        product = exact * v - (
            y * (y * v / (-s * y)) + exact * s * (exact * s * v) / (exact * s * s)
        )
        inputs = {"a": a, "u": u}
        yield from ctx.compare_forms(
            "literal", float(product), inputs, "one pair on the line, rational numbers",
            relation="==", script="text_inv",
        )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(10, 100)):
        X, S = rng.normal(size=(5, 5)), rng.normal(size=(5, 2))
        Y = (X @ X.T + np.eye(5)) @ S
        yield ctx.compare(
            "literal", "corrected", compact(S, Y, S[:, -1]), {"p": 5, "m": 2},
            "two pairs: the last secant equation B s = y", bound=Y[:, -1], relation="==",
            tight=np.nan,
        )  # fmt: skip
