"""(9), (10) and (16) of mini: exact for quadratics, in one order of the factors."""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings
from verify.evidence import Evidence
from verify.mini.problems import FixedBatches, line_quadratics, log_cosh, plane_quadratics


def _lists(problem: FixedBatches, path: Sequence[Any], k: int) -> dict[str, list[float]]:
    """G and H of the last k steps, newest first."""
    newest = range(len(problem.batches), len(problem.batches) - k, -1)
    return {
        "injections": [float(problem.injection(t, path[t - 1])) for t in newest],
        "factors": [float(problem.factor(t, path[t - 1], 1)) for t in newest],
    }


def _matrices(
    problem: FixedBatches, path: Sequence[Any], k: int
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """G(s), G(s-1), ... and H(s), H(s-1), ... in the plane."""
    newest = range(len(problem.batches), len(problem.batches) - k, -1)
    eye = np.eye(len(problem.start))
    H = [np.array([problem.factor(t, path[t - 1], e) for e in eye]).T for t in newest]
    return [problem.injection(t, path[t - 1]) for t in newest], H


def _sum(G: list[np.ndarray], H: list[np.ndarray], newest_left: bool = True) -> np.ndarray:
    total = G[0]
    for j in range(1, len(G)):
        factors = H[:j] if newest_left else H[:j][::-1]
        total = total + reduce(np.matmul, factors) @ G[j]
    return total


def check_9(ctx: Context) -> Findings:
    """Both runs against the unrolled recursion, on a line and with matrices in order."""
    rng = ctx.rng()
    equal = {"relation": "=="}
    for _ in range(ctx.pick(15, 150)):
        problem = line_quadratics(rng, 7)
        label = "quadratics on a line, rational numbers"
        path, other = problem.learn(), problem.retrain()
        for k in (1, 4, 7) if other[-1] != path[-1] else ():
            inputs = _lists(problem, path, k) | {"Dw": float(other[-1 - k] - path[-1 - k])}
            shift = float(other[-1] - path[-1])
            yield ctx.compare("quadratic", "printed", shift, inputs, label, **equal)
        problem, _ = plane_quadratics(rng, 6)
        path, other = problem.learn(), problem.retrain()
        G, H = _matrices(problem, path, 4)
        bound = _sum(G, H) + reduce(np.matmul, H) @ (other[2] - path[2])
        shift = other[-1] - path[-1]
        at = {"p": 3, "k": 4}
        label = "quadratics in three dimensions, non-commuting Hessians"
        yield ctx.compare("quadratic", "printed", shift, at, label, bound=bound, **equal)
    # A fixed problem, whose every batch holds a forgotten sample, with the product reversed.
    problem, _ = plane_quadratics(np.random.default_rng(0), 4, size=4, gone=3)
    path, other = problem.learn(), problem.retrain()
    G, H = _matrices(problem, path, 3)
    wrong = _sum(G, H, newest_left=False) + reduce(np.matmul, H[::-1]) @ (other[1] - path[1])
    at = {"p": 3, "k": 3}
    label = "the oldest factor on the left"
    options = {"role": "control"}
    shift = other[-1] - path[-1]
    yield ctx.compare("quadratic", "printed", shift, at, label, bound=wrong, **equal, **options)
    for _ in range(3):
        problem = log_cosh(rng, 6)
        path, other = problem.learn(), problem.retrain()
        inputs = _lists(problem, path, 4) | {"Dw": float(other[2] - path[2])}
        shift = float(other[-1] - path[-1])
        options = {"script": "eq9", **equal}
        yield ctx.compare("literal", "printed", shift, inputs, "log cosh losses", **options)


def check_10(ctx: Context) -> Findings:
    """k steps redone on kept data against the sum of (10), on a line and in space."""
    yield ctx.declare("literal", "printed", "unspecified", "an approximation sign without an error")
    for rng in ctx.draws(15, 150):
        problem = line_quadratics(rng, 7)
        path = problem.learn()
        label = "k steps on kept data from w_{s-k}, rational numbers"
        for k in (1, 3, 7):
            inputs = _lists(problem, path, k)
            shift = problem.redo(7 - k, path[7 - k])[-1] - path[-1]
            if shift:  # rounding of the form has no relative size at 0
                yield ctx.compare("quadratic", "printed", float(shift), inputs, label)
        plane, A = plane_quadratics(rng, 6)
        learned_path = plane.learn()
        shift = plane.redo(2, learned_path[2])[-1] - learned_path[-1]
        bound = _sum(*_matrices(plane, learned_path, 4))
        at = {"p": 3, "k": 4}
        label = "the same in three dimensions"
        yield ctx.compare("quadratic", "printed", shift, at, label, bound=bound)
        yield _newton(ctx, rng, A)
    batches = [[0, 1], [1, 2], [0, 2]]
    deletions = frozenset({2})
    slopes = (lambda j, w: (j + 1) * (w - j)), (lambda j, w, v: (j + 1) * v)
    one = FixedBatches(*slopes, batches, deletions, Fraction(1, 4), Fraction(1))
    exact = float(one.retrain()[-1] - one.learn()[-1])
    inputs = _lists(one, one.learn(), 3)
    yield ctx.compare("quadratic", "printed", exact, inputs, "all steps followed: exact")


def _newton(ctx: Context, rng: np.random.Generator, A: np.ndarray) -> Evidence:
    """Full batch from the optimum of all data: (I - H^k) times the Newton step."""
    n, p, k = *A.shape[:2], 5
    x = rng.normal(size=(n, p))
    optimum = np.linalg.solve(A.sum(axis=0), np.einsum("nij,nj->i", A, x))
    without = np.linalg.solve(A[1:].sum(axis=0), np.einsum("nij,nj->i", A[1:], x[1:]))
    slopes = (lambda j, w: A[j] @ (w - x[j])), (lambda j, w, v: A[j] @ v)
    problem = FixedBatches(*slopes, [list(range(n))] * k, frozenset({0}), 0.4, optimum)
    H = np.eye(p) - 0.4 * A[1:].mean(axis=0)
    shift = (np.eye(p) - np.linalg.matrix_power(H, k)) @ (without - optimum)
    at = {"p": p, "k": k}
    label = "full batch at the optimum: I - H^k times the Newton step"
    options = {"bound": _sum(*_matrices(problem, problem.learn(), k)), "tolerance": 1e-8}
    return ctx.compare("quadratic", "printed", shift, at, label, **options)


KEPT = ("no clip", "something is kept")
CHECKS = (
    Check("mini.eq9", evidence=check_9)
    .measured_by(
        "mini",
        "followed_difference",
        interpretations=("literal",),
        where=KEPT,
        sides={"printed": "printed"},
        relation="==",
    )
    .measured_by(
        "mini",
        "followed_difference",
        interpretations=("quadratic",),
        where=(*KEPT, "quadratic losses"),
        sides={"printed": "printed"},
        relation="==",
    ),
    Check("mini.eq10", evidence=check_10).measured_by(
        "mini",
        "restarted_move",
        interpretations=("quadratic",),
        where=(*KEPT, "quadratic losses"),
        sides={"printed": "corrected"},
        relation="==",
    ),
)
