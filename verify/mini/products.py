"""Section 4.2 of mini: recovering matrices and their products from products with a basis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence

_TURN = np.array([[0.6, -0.8], [0.8, 0.6]])


def _recovered(H: np.ndarray, U: np.ndarray) -> np.ndarray:
    """sum_q (H u_q) u_q^T over the columns of U."""
    return np.asarray(np.sum([np.outer(H @ u, u) for u in U.T], axis=0))


def measure_basis(h: float, length: float) -> float:
    """Entry (1, 1) recovered with a turned basis of vectors of that length."""
    turn = _TURN * length
    H = np.diag([h, 0.3])
    return float(_recovered(H, turn)[0, 0])


def check_basis(ctx: Context) -> Iterator[Evidence]:
    for h in (0.9, 0.5, -1.1):
        once = {"h": h, "length": 1.0}
        yield ctx.compare(
            "literal", "printed", measure_basis(**once), once, "a turned basis", relation="=="
        )
        twice = {"h": h, "length": 2**0.5}
        yield from ctx.compare_forms(
            "selected", measure_basis(**twice), twice, "orthogonal vectors of length sqrt 2",
            relation="==", script="basis",
        )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(5, 50)):
        H = _symmetric(rng, 4)
        Q = np.linalg.qr(rng.normal(size=(4, 4)))[0]
        found = _recovered(H, Q)
        yield ctx.compare(
            "literal", "printed", found, {"p": 4}, "random orthonormal basis, every entry",
            bound=H, relation="==",
        )  # fmt: skip
        U = rng.normal(size=(4, 4))
        yield ctx.compare(
            "literal", "printed", _recovered(H, U), {"p": 4},
            "a basis that is not orthonormal", bound=H, relation="==", role="control",
        )  # fmt: skip


def _pairs(ctx: Context) -> Iterator[tuple[np.ndarray, np.ndarray, dict[str, Any]]]:
    """Two symmetric 2 x 2 matrices and their entries."""
    rng = ctx.rng()
    fixed = (np.array([[0.9, 0.1], [0.1, 0.5]]), np.array([[0.2, 0.3], [0.3, 0.8]]))
    drawn = ((_symmetric(rng, 2), _symmetric(rng, 2)) for _ in range(ctx.pick(15, 150)))
    for A, B in (fixed, *drawn):
        entries = {
            "a11": A[0, 0], "a12": A[0, 1], "a22": A[1, 1],
            "b11": B[0, 0], "b12": B[0, 1], "b22": B[1, 1],
        }  # fmt: skip
        yield A, B, {name: float(value) for name, value in entries.items()}


def _symmetric(rng: np.random.Generator, p: int) -> np.ndarray:
    X = rng.normal(size=(p, p))
    return np.asarray(X + X.T) / 2


def check_order(ctx: Context) -> Iterator[Evidence]:
    for A, B, inputs in _pairs(ctx):
        found = np.sum([np.outer(B @ (A @ u), u) for u in _TURN.T], axis=0)
        yield ctx.compare(
            "literal", "printed", float(found.T[0, 1]), inputs, "recovered and transposed",
            relation="==",
        )  # fmt: skip
        yield from ctx.compare_forms(
            "direct", float(found[0, 1]), inputs, "recovered as it comes", relation="==",
            script="order",
        )  # fmt: skip


def check_11(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng(1)
    for A, B, inputs in _pairs(ctx):
        found = np.sum([np.outer(A @ u, B @ u) for u in _TURN.T], axis=0)
        yield ctx.compare(
            "literal", "printed", float(found[0, 1]), inputs, "2 x 2, a turned basis", relation="=="
        )
        skewed = rng.normal(size=(2, 2))
        yield ctx.compare(
            "literal", "printed", float((A @ skewed.T)[0, 1]), inputs,
            "a second factor that is not symmetric", bound=float((A @ skewed)[0, 1]),
            relation="==", role="control",
        )  # fmt: skip
    for _ in range(ctx.pick(5, 50)):
        C, D = _symmetric(rng, 5), _symmetric(rng, 5)
        Q = np.linalg.qr(rng.normal(size=(5, 5)))[0]
        yield ctx.compare(
            "literal", "printed", sum(np.outer(C @ u, D @ u) for u in Q.T), {"p": 5},
            "5 x 5, every entry", bound=C @ D, relation="==",
        )  # fmt: skip


CHECKS = (
    Check("mini.basis", evidence=check_basis, oracle=measure_basis),
    Check("mini.order", evidence=check_order),
    Check("mini.eq11", evidence=check_11),
)
