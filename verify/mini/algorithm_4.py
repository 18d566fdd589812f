"""Algorithm 4 of mini: the compact L-BFGS product against the dense matrix and secant equation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="mini.alg4",
    label="Algorithm 4",
    kind="algorithm",
    statement="The compact form, by a Cholesky factor J and two triangular solves, gives the "
    "L-BFGS approximation of the summed Hessian times u.",
    readings=(
        Reading(
            "literal", "pairs of one strictly convex loss; sigma = s.y/(s.s) of the last pair",
            ("printed", "corrected"),
            proofs={"corrected": "Byrd, Nocedal and Schnabel 1994, Theorem 2.3 and (2.26)"},
        ),
        Reading(
            "secant", "B s = y for the last pair", ("printed", "corrected"),
            proofs={"corrected": "the last rank-two update"},
            stance="part",
        ),
        Reading(
            "eigenvalues", "0 < lambda(B) <= (m + 1) L for m pairs of L-smooth convex quadratics",
            ("printed", "corrected"),
            proofs={
                "corrected": "sigma <= L; an update adds y y^T/(s.y), |y|^2 <= L s.y, less a "
                "positive semidefinite matrix"
            },
            stance="part",
        ),
    ),
    quantity="u^T B u",
    correction="J J^T = sigma S^T S + L D^{-1} L^T; D^{-1/2} beside L; blocks -D, L^T, L. "
    "I - eta B contracts only for eta (m + 1) L < 2.",
)  # fmt: skip


def dense(S: np.ndarray, Y: np.ndarray, sigma: float) -> np.ndarray:
    """B by its rank-two updates from sigma I, oldest pair first."""
    B = sigma * np.eye(len(S))
    for s, y in zip(S.T, Y.T, strict=True):
        moved = B @ s
        B = B - np.outer(moved, moved) / (s @ moved) + np.outer(y, y) / (s @ y)
    return B


def check(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.lbfgs import CompactBFGS, printed_product

    rng = ctx.rng()
    for _ in range(ctx.pick(40, 1000)):
        p, m = int(rng.integers(1, 8)), int(rng.integers(1, 4))
        m = min(m, p)
        root = rng.normal(size=(p, p))
        A = root @ root.T + 0.5 * np.eye(p)
        S, u = rng.normal(size=(p, m)), rng.normal(size=p)
        Y = A @ S
        last = float(S[:, -1] @ Y[:, -1] / (S[:, -1] @ S[:, -1]))
        B = dense(S, Y, last)
        whole = {
            "corrected": np.stack([CompactBFGS(S, Y) @ e for e in np.eye(p)], axis=1),
            "printed": np.stack([printed_product(S, Y, e, last) for e in np.eye(p)], axis=1),
        }
        size, instance = {"p": p, "m": m}, "random quadratics, random steps"
        for form, found in whole.items():
            script = "alg4" if form == "printed" else None
            yield ctx.compare(
                "literal", form, 1.0, size, f"{instance}: dense BFGS matrix times u",
                bound=1 + _relative(found @ u, B @ u), tight=1.0, relation="==", script=script,
            )  # fmt: skip
            yield ctx.compare(
                "secant", form, 1.0, size, f"{instance}: last pair",
                bound=1 + _relative(found @ S[:, -1], Y[:, -1]), tight=1.0, relation="==",
                script=script,
            )  # fmt: skip
            values = np.linalg.eigvalsh((found + found.T) / 2)
            limit = (m + 1) * np.linalg.eigvalsh(A)[-1]
            yield ctx.compare(
                "eigenvalues", form, values[-1], size, f"{instance}: largest eigenvalue",
                bound=limit, tight=limit, script=script,
            )  # fmt: skip
            yield ctx.compare(
                "eigenvalues", form, values[0], size, f"{instance}: smallest eigenvalue",
                bound=0.0, tight=np.nan, relation=">=", script=script,
            )  # fmt: skip
    for _ in range(ctx.pick(40, 1000)):
        p = int(rng.integers(1, 6))
        s, u = rng.normal(size=(2, p))
        y = s * rng.uniform(0.1, 3, p)
        B = dense(s[:, None], y[:, None], float(s @ y / (s @ s)))
        inputs = {"move": s.tolist(), "bend": y.tolist(), "along": u.tolist()}
        for form in ("printed", "corrected"):
            yield ctx.compare(
                "literal", form, u @ B @ u, inputs, "one pair: the dense matrix's quadratic form",
                relation="==", script="alg4" if form == "printed" else None,
            )  # fmt: skip
    yield from _attained(ctx)


def _attained(ctx: Context) -> Iterator[Evidence]:
    """One pair along which the curvature is L, sigma = L: the largest eigenvalue is L."""
    from simulators.trajectory.lbfgs import CompactBFGS

    S = np.array([[1.0], [0.0]])
    B = CompactBFGS(S, 3.0 * S)
    yield ctx.compare(
        "secant", "corrected", float((B @ np.array([1.0, 0.0]))[0]), {"p": 2, "m": 1},
        "curvature 3 along the step", bound=3.0, tight=3.0, relation="==",
    )  # fmt: skip


def _relative(found: np.ndarray, exact: np.ndarray) -> float:
    return float(np.abs(found - exact).max() / np.abs(exact).max())
