"""Section 4.2 of mini: recovering matrices and their products from products with a basis."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings, case_table

_TURN = np.array([[0.6, -0.8], [0.8, 0.6]])


def _recovered(H: np.ndarray, U: np.ndarray) -> np.ndarray:
    """sum_q (H u_q) u_q^T over the columns of U."""
    return np.asarray(np.sum([np.outer(H @ u, u) for u in U.T], axis=0))


def measure_basis(h: float, length: float) -> float:
    """Entry (1, 1) recovered with a turned basis of vectors of that length."""
    turn = _TURN * length
    H = np.diag([h, 0.3])
    return float(_recovered(H, turn)[0, 0])


def check_basis(ctx: Context) -> Findings:
    """Matrices recovered from products with a basis: turned, longer, random, skewed."""
    for h in (0.9, 0.5, -1.1):
        once = {"h": h, "length": 1.0}
        twice = {"h": h, "length": 2**0.5}
        yield ctx.compare("literal", "printed", measure_basis(**once), once, "a turned basis")
        exact = measure_basis(**twice)
        label = "orthogonal vectors of length sqrt 2"
        yield from ctx.compare_forms("selected", exact, twice, label, script="basis")
    for rng in ctx.draws(5, 50):
        H, U = _symmetric(rng, 4), rng.normal(size=(4, 4))
        recovery = _recovered(H, np.linalg.qr(U)[0])
        label = "random orthonormal basis, every entry"
        yield ctx.compare("literal", "printed", recovery, {"p": 4}, label, bound=H)
        recovery = _recovered(H, U)
        label = "a basis that is not orthonormal"
        options = {"bound": H, "relation": "==", "role": "control"}
        yield ctx.compare("literal", "printed", recovery, {"p": 4}, label, **options)


def _pairs(ctx: Context) -> Iterator[tuple[np.ndarray, np.ndarray, dict[str, Any]]]:
    """Two symmetric 2 x 2 matrices and their entries."""
    rng = ctx.rng()
    fixed = (np.array([[0.9, 0.1], [0.1, 0.5]]), np.array([[0.2, 0.3], [0.3, 0.8]]))
    samples = ((_symmetric(rng, 2), _symmetric(rng, 2)) for _ in range(ctx.pick(15, 150)))
    for A, B in (fixed, *samples):
        entries = [X[at] for X in (A, B) for at in ((0, 0), (0, 1), (1, 1))]
        yield A, B, case_table("a11 a12 a22 b11 b12 b22", list(map(float, entries)))[0]


def _symmetric(rng: np.random.Generator, p: int) -> np.ndarray:
    X = rng.normal(size=(p, p))
    return np.asarray(X + X.T) / 2


def check_order(ctx: Context) -> Findings:
    """Entries of products recovered as they come, and transposed."""
    for A, B, inputs in _pairs(ctx):
        recovery = np.sum([np.outer(B @ (A @ u), u) for u in _TURN.T], axis=0)
        exact = float(recovery.T[0, 1])
        label = "recovered and transposed"
        yield ctx.compare("literal", "printed", exact, inputs, label)
        exact = float(recovery[0, 1])
        label = "recovered as it comes"
        yield from ctx.compare_forms("direct", exact, inputs, label, script="order")


def check_11(ctx: Context) -> Findings:
    """Sums of outer products of symmetric matrices; a skewed factor as a control."""
    rng = ctx.rng(1)
    for A, B, inputs in _pairs(ctx):
        exact = float(np.sum([np.outer(A @ u, B @ u) for u in _TURN.T], axis=0)[0, 1])
        yield ctx.compare("literal", "printed", exact, inputs, "2 x 2, a turned basis")
        skewed = rng.normal(size=(2, 2))
        label = "a second factor that is not symmetric"
        wrong = float((A @ skewed.T)[0, 1])
        bound = float((A @ skewed)[0, 1])
        options = {"bound": bound, "relation": "==", "role": "control"}
        yield ctx.compare("literal", "printed", wrong, inputs, label, **options)
    for _ in range(ctx.pick(5, 50)):
        C, D = _symmetric(rng, 5), _symmetric(rng, 5)
        Q = np.linalg.qr(rng.normal(size=(5, 5)))[0]
        product_sum = sum(np.outer(C @ u, D @ u) for u in Q.T)
        at = {"p": 5}
        yield ctx.compare("literal", "printed", product_sum, at, "5 x 5, every entry", bound=C @ D)


CHECKS = (
    Check("mini.basis", evidence=check_basis, exact_side=measure_basis),
    Check("mini.order", evidence=check_order),
    Check("mini.eq11", evidence=check_11),
)
