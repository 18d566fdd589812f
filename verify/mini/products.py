"""Section 4.2 and Appendix B of mini: recovering matrices from products; which product it is."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

BASIS = Claim(
    id="mini.basis",
    label="Recovering H(l) (Section 4.2)",
    kind="equality",
    statement="sum_q H(l) u_q u_q^T = H(l).",
    readings=(
        Reading(
            "literal", "an orthonormal basis, as Section 4.2 says", ("printed",),
            proofs={"printed": "sum_q u_q u_q^T = I"},
        ),
        Reading(
            "selected", "any basis, as line 1 of Algorithms 1 and 3 says; here orthogonal vectors "
            "of one length", ("printed", "corrected"),
            proofs={"corrected": "sum_q u_q u_q^T = |u|^2 I"},
        ),
    ),
    natural=Natural("length", (0.5, 1.0, 1.5, 2.0), {"h": 0.9}, log_y=False),
    quantity="recovered entry",
    correction="Ask for an orthonormal basis in line 1 of the algorithms.",
)  # fmt: skip
ORDER = Claim(
    id="mini.order",
    label="Products of H(l) (Section 4.2)",
    kind="equality",
    statement="From H(l+1) H(l) u for a basis, H(l) H(l+1) can be recovered.",
    readings=(
        Reading(
            "literal", "recovered and transposed, both symmetric", ("printed",),
            proofs={"printed": "(H(l+1) H(l))^T = H(l) H(l+1)"},
        ),
        Reading(
            "direct", "as the sum over the basis gives it", ("printed", "corrected"),
            proofs={"corrected": "sum_q u_q u_q^T = I"},
        ),
    ),
    correction="What comes out is H(l+1) H(l), the order that eq (10) needs.",
)  # fmt: skip
EQ11 = Claim(
    id="mini.eq11",
    label="Equation (11)",
    kind="equality",
    statement="sum_q (H(l) u_q)(H(s) u_q)^T = H(l) H(s).",
    readings=(
        Reading(
            "literal", "symmetric H(s), orthonormal basis", ("printed",),
            proofs={"printed": "sum_q u_q u_q^T = I and H(s)^T = H(s)"},
        ),
    ),
)  # fmt: skip
INVERSE = Claim(
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
CLAIMS = (BASIS, ORDER, EQ11, INVERSE)

_TURN = np.array([[0.6, -0.8], [0.8, 0.6]])
BASIS_SCRIPT = '''"""Line 1 of mini's Algorithm 1 with u_1 = (1, 1), u_2 = (1, -1)."""
import numpy as np
H = np.diag([0.9, 0.8])
U = np.array([[1.0, 1.0], [1.0, -1.0]])
found = sum(np.outer(H @ u, u) for u in U.T)
print(f"recovered {found[0, 0]}, {found[1, 1]}; H has {H[0, 0]}, {H[1, 1]}")
assert abs(found[0, 0] - H[0, 0]) > 0.8
'''
ORDER_SCRIPT = '''"""mini, Section 4.2: H(l+1)(H(l)u) recovers H(l+1)H(l), not H(l)H(l+1)."""
import numpy as np
first, then = np.array([[0.9, 0.1], [0.1, 0.5]]), np.array([[0.2, 0.3], [0.3, 0.8]])
found = sum(np.outer(then @ (first @ u), u) for u in np.eye(2))
print(f"recovered {found[0, 1]:.4f}; H(l)H(l+1) has {(first @ then)[0, 1]:.4f}")
assert abs(found[0, 1] - (first @ then)[0, 1]) > 0.1
'''
INVERSE_SCRIPT = '''"""Compact L-BFGS of mini's Appendix B, one pair on the line: y = a s, a = 3.

B u = sigma u - [y, sigma s] [[-D, L^T], [L, sigma s s]]^{-1} [y u, sigma s u], D = s y, L = 0.
"""
from fractions import Fraction as F
s, y, u = F(2), F(6), F(1)
sigma = s * y / (s * s)
p = (y * u / (-s * y), sigma * s * u / (sigma * s * s))
product = sigma * u - (y * p[0] + sigma * s * p[1])
print(f"product {float(product)}; Hessian times u {float(y / s)}; inverse {float(s / y):.10f}")
assert product == y / s * u and product != s / y * u
'''


def compact(S: np.ndarray, Y: np.ndarray, u: np.ndarray) -> np.ndarray:
    """B u of compact L-BFGS with the columns of S and Y as pairs, oldest first."""
    s, y = S[:, -1], Y[:, -1]
    sigma = s @ y / (s @ s)
    cross = S.T @ Y
    lower = np.tril(cross, -1)
    middle = np.block([[-np.diag(np.diag(cross)), lower.T], [lower, sigma * S.T @ S]])
    right = np.concatenate([Y.T @ u, sigma * S.T @ u])
    return np.asarray(sigma * u - np.hstack([Y, sigma * S]) @ np.linalg.solve(middle, right))


def _recovered(H: np.ndarray, U: np.ndarray) -> np.ndarray:
    """sum_q (H u_q) u_q^T over the columns of U."""
    return np.asarray(np.sum([np.outer(H @ u, u) for u in U.T], axis=0))


def measure_basis(h: float, length: float) -> float:
    """Entry (1, 1) recovered with a turned basis of vectors of that length."""
    turn = _TURN * length
    H = np.diag([h, 0.3])
    return float(_recovered(H, turn)[0, 0])


def measure_inverse(a: float, u: float) -> float:
    """The compact product with one pair y = a s on the line."""
    return float(compact(np.array([[2.0]]), np.array([[2.0 * a]]), np.array([u]))[0])


def check_basis(ctx: Context) -> Iterator[Evidence]:
    for h in (0.9, 0.5, -1.1):
        once = {"h": h, "length": 1.0}
        yield ctx.compare(
            "literal", "printed", measure_basis(**once), once, "a turned basis", relation="=="
        )
        twice = {"h": h, "length": 2**0.5}
        yield from ctx.compare_forms(
            "selected", measure_basis(**twice), twice, "orthogonal vectors of length sqrt 2",
            relation="==", script=BASIS_SCRIPT,
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
            script=ORDER_SCRIPT,
        )  # fmt: skip


def check_11(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng(1)
    for A, B, inputs in _pairs(ctx):
        found = np.sum([np.outer(A @ u, B @ u) for u in _TURN.T], axis=0)
        yield ctx.compare(
            "literal", "printed", float(found[0, 1]), inputs, "2 x 2, a turned basis",
            relation="==",
        )  # fmt: skip
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


def check_inverse(ctx: Context) -> Iterator[Evidence]:
    for a, u in ((3.0, 1.0), (0.5, -2.0), (2.0, 0.25)):
        s, exact = Fraction(2), Fraction(a)
        y, v = exact * s, Fraction(u)
        product = exact * v - (
            y * (y * v / (-s * y)) + exact * s * (exact * s * v) / (exact * s * s)
        )
        inputs = {"a": a, "u": u}
        yield from ctx.compare_forms(
            "literal", float(product), inputs, "one pair on the line, rational numbers",
            relation="==", script=INVERSE_SCRIPT,
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


CHECKERS = {
    BASIS.id: check_basis, ORDER.id: check_order, EQ11.id: check_11, INVERSE.id: check_inverse,
}  # fmt: skip
MEASURES = {BASIS.id: measure_basis, INVERSE.id: measure_inverse}
