"""One-shot statistics from the Hessian at w: the Newton step (NS) and the infinitesimal jackknife.

    NS: (sum_{S minus U} H_i)^{-1} sum_U g_u(w)        IJ: (sum_S H_i)^{-1} sum_U g_u(w)

(hf eqs 17-18).  At the minimiser over S, NS is exact on quadratics and IJ never is; full-batch
trajectory statistics tend to NS ("kept") and IJ ("batch") as T grows, not to something better.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.device.memory import Part, insist
from simulators.trajectory.inputs import mask_of, rows_of, vector_of
from simulators.trajectory.model import Model, Tangent

SOLVERS = ("cholesky", "cg")


@typed
def newton_step(
    model: Model,
    w: np.ndarray,
    forget: Iterable[int],
    *,
    solver: str = "cholesky",
    tolerance: float = 1e-12,
    whole_gradient: bool = False,
) -> np.ndarray:
    """Return the NS statistic of the set, shape (p,): add it to w (hf eq 17).

    whole_gradient: the Newton step towards the minimiser over what is kept, from any w: the
    retained gradient takes the place of -sum_U g, which equals it only at the minimiser over S.
    solver: "cholesky" forms the (p, p) Hessian; "cg" needs only Hessian-vector products.
    Raises ValueError on bad input, and for a Hessian that is not positive definite.
    """
    point, mask = _inputs(model, w, forget)
    kept_rows = np.flatnonzero(~mask)
    if not len(kept_rows):
        raise ValueError("forget must leave at least one sample, got all of them")
    tangent = model.tangent(point, kept_rows)
    if whole_gradient:
        right = -tangent.gradient(model.full(len(kept_rows)))
    else:
        right = _sum_of_gradients(model, point, mask)
    return solve(tangent, right, solver=solver, tolerance=tolerance)


@typed
def infinitesimal_jackknife(
    model: Model,
    w: np.ndarray,
    forget: Iterable[int],
    *,
    solver: str = "cholesky",
    tolerance: float = 1e-12,
) -> np.ndarray:
    """Return the IJ statistic of the set, shape (p,): add it to w (hf eq 18).

    solver, tolerance and errors: see `newton_step`.
    """
    point, mask = _inputs(model, w, forget)
    tangent = model.tangent(point, model.everything())
    right = _sum_of_gradients(model, point, mask)
    return solve(tangent, right, solver=solver, tolerance=tolerance)


def solve(
    tangent: Tangent, right: torch.Tensor, *, solver: str = "cholesky", tolerance: float = 1e-12
) -> np.ndarray:
    """x with (sum_i H_i) x = right; "cg" stops at the relative residual `tolerance`."""
    validation.choice("solver", solver, SOLVERS)
    tol = validation.scalar("tolerance", tolerance, low=0.0, low_open=True, high=1.0)
    if solver == "cholesky":
        p = len(right)
        insist(right.device, held=[Part("parameters", p, 24 * p * p, 2)])
        H = tangent.hessian()
        factor, info = torch.linalg.cholesky_ex(H)
        # Rounding lets a singular matrix pass with pivots of its own size.
        pivot, scale = float(factor.diagonal().min()) ** 2, float(H.diagonal().max())
        if int(info) or not pivot > len(H) * torch.finfo(H.dtype).eps * scale:
            raise ValueError(
                "model must have a positive definite Hessian here (regularisation > 0), got a "
                f"smallest pivot of {pivot:.3g} beside a diagonal of {scale:.3g}"
            )
        direction: np.ndarray = torch.cholesky_solve(right[:, None], factor)[:, 0].cpu().numpy()
        return direction
    from scipy.sparse.linalg import LinearOperator, cg

    p = len(right)

    def product(v: np.ndarray) -> np.ndarray:
        line = torch.tensor(v, dtype=right.dtype, device=right.device).reshape(1, p)
        image: np.ndarray = tangent.apply(line)[0].cpu().numpy()
        return image

    operator = LinearOperator((p, p), matvec=product, dtype=np.float64)
    # Exact arithmetic ends after p products; rounding may take a few times that.
    solution, failed = cg(operator, right.cpu().numpy(), rtol=tol, atol=0.0, maxiter=20 * p)
    if failed or not np.isfinite(solution).all():
        raise ValueError(
            f"tolerance must be within reach of conjugate gradients in {20 * p} steps, got {tol:g}"
        )
    return np.asarray(solution)


@typed
def minimiser(
    model: Model,
    rows: np.ndarray | None = None,
    *,
    start: np.ndarray | None = None,
    linear: np.ndarray | None = None,
    tolerance: float = 1e-12,
    most: int = 200,
) -> np.ndarray:
    """argmin of sum over rows l_i(w) + <linear, w>, by damped Newton steps, shape (p,).

    Stops when the gradient is below `tolerance` times the number of rows, or when rounding leaves
    nothing to gain.  Raises ValueError where the Hessian is not positive definite or `most` steps
    do not do it.
    """
    chosen = model.everything() if rows is None else rows_of("rows", rows, model.size)
    w = model.full(model.parameters, 0.0)
    if start is not None:
        w = model.tensor(vector_of("start", start, model.parameters))
    push = torch.zeros_like(w)
    if linear is not None:
        push = model.tensor(vector_of("linear", linear, model.parameters))
    ones = model.full(len(chosen))

    def value(point: torch.Tensor) -> float:
        return float(model.values(point, chosen).sum() + push @ point)

    # So that one step is taken in any case: a start below the tolerance may still be improved.
    before = float("inf")
    for _ in range(most):
        tangent = model.tangent(w, chosen)
        gradient = tangent.gradient(ones) + push
        length = float(torch.linalg.vector_norm(gradient))
        # Below the tolerance it goes on while a step still halves the gradient: rounding ends it.
        if length <= tolerance * len(chosen) and length >= 0.5 * before:
            return w.cpu().numpy()
        before = length
        step = model.tensor(solve(tangent, gradient))
        share, here, slope = 1.0, value(w), float(gradient @ step)
        near = slope <= 1e-10 * (1.0 + abs(here))  # no decrease can be seen: take the whole step
        # Armijo's condition: 1e-4 of the decrease that the slope promises.
        while not near and value(w - share * step) > here - 1e-4 * share * slope:
            share *= 0.5
        w = w - share * step
    raise ValueError(f"most must be enough steps for the tolerance {tolerance:g}, got {most}")


def _inputs(model: Model, w: np.ndarray, forget: Iterable[int]) -> tuple[torch.Tensor, np.ndarray]:
    point = vector_of("w", w, model.parameters)
    return model.tensor(point), mask_of("forget", forget, model.size)


def _sum_of_gradients(model: Model, w: torch.Tensor, gone: np.ndarray) -> torch.Tensor:
    rows = np.flatnonzero(gone)
    return model.tangent(w, rows).gradient(model.full(len(rows)))
