"""Appendix B of mini: the compact L-BFGS product is the direct one."""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings, case_table


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


def check(ctx: Context) -> Findings:
    """The compact product on one pair in rationals, and the last secant of two pairs."""
    label = "one pair on the line, rational numbers"
    options = {"relation": "==", "script": "text_inv"}
    for inputs in case_table("a u", (3, 1), (0.5, -2), (2, 0.25)):
        s = Fraction(2)
        a = Fraction(inputs["a"])
        v = Fraction(inputs["u"])
        y = a * s
        product = a * v - (y * (y * v / (-s * y)) + y * (y * v) / (y * s))
        yield from ctx.compare_forms("literal", float(product), inputs, label, **options)
    rng = ctx.rng()
    label = "two pairs: the last secant equation B s = y"
    for _ in range(ctx.pick(10, 100)):
        X, S = rng.normal(size=(5, 5)), rng.normal(size=(5, 2))
        Y = (X @ X.T + np.eye(5)) @ S
        image = compact(S, Y, S[:, -1])
        at = {"p": 5, "m": 2}
        options = {"bound": Y[:, -1], "relation": "==", "tight": np.nan}
        yield ctx.compare("literal", "corrected", image, at, label, **options)


CHECKS = (Check("mini.text.inv", evidence=check, exact_side=measure),)
