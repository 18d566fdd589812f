"""Certified removal (Guo et al. 2020): objective perturbation, Newton steps, residual accounting.

Training minimises sum_i l_i(w) + <b, w>, b ~ N(0, s^2 I); removal takes one Newton step on what is
kept, which leaves a gradient residual.  Residuals of successive removals add up; when a bound on
their sum would pass the budget, the model is trained again with a fresh b.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import ArrayLike

from accounting.curves.gaussian import delta_gdp, mu_gdp
from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.trajectory.inputs import rows_of, vector_of
from simulators.trajectory.linear_score import LinearScore
from simulators.trajectory.newton import minimiser, solve

PRINTED_CURVATURE_LIPSCHITZ = 0.25
"""gam in the authors' code; the sharp constant of the logistic loss is 1/(6 sqrt 3)."""


@dataclass(frozen=True)
class Residual:
    """|gradient of the kept objective| after one removal, and bounds on it.

    Attributes:
        measured: the norm itself.
        bound: gam/2 |X|_2 |(X D)^2|_2, D the step and X the kept rows; the tight one of the class.
        data_dependent: gam |X|_2 |D| |X D|_2 as the authors state it (rows of norm <= 1).
        worst_case: 4 gam m^2 C^2/(lambda^2 (n - m)), rows of norm <= 1, |phi'| <= C = 1.
    """

    measured: float
    bound: float
    data_dependent: float
    worst_case: float


@typed
def residual(
    model: LinearScore,
    w: np.ndarray,
    step: np.ndarray,
    kept: np.ndarray,
    removed: int,
    *,
    lipschitz: float | None = None,
) -> Residual:
    """Return what a Newton step from w leaves on the kept rows, and its bounds.

    Proof of `bound`: the gradient after the step is sum_i (phi''_i(theta) - phi''_i(0)) x_i x_i^T D
    averaged over theta in [0, 1], and |phi''_i(theta) - phi''_i(0)| <= gam theta |x_i^T D|.
    lipschitz: gam, default that of the loss.  kept: the rows; removed: how many just left.
    Source: guo.newton.  `measured` supposes that w had no residual on the rows before removal.
    """
    gam = model.loss.curvature_lipschitz if lipschitz is None else lipschitz
    gam = validation.scalar("lipschitz", gam, low=0.0, high_open=True)
    rows = rows_of("kept", kept, model.size)
    X, lost = model.rows[rows], validation.count("removed", removed, low=1)
    D = model.tensor(vector_of("step", step, model.parameters))
    # X D and the spectral norm |X|_2, as in the bounds.
    along, largest = X @ D, float(torch.linalg.matrix_norm(X, 2))
    ones = model.full(len(rows))
    at = model.tensor(vector_of("w", w, model.parameters))
    before, after = model.tangent(at, rows), model.tangent(at + D, rows)
    # Without a residual at w, before + b = -H D, so that after + b = after - before - H D.
    remainder = after.gradient(ones) - before.gradient(ones) - before.apply(D[None, :])[0]
    ridge = model.loss.regularisation
    # Without a ridge nothing bounds the step, nor what it leaves.
    worst = math.inf
    if ridge > 0:
        worst = 4.0 * gam * lost**2 / (ridge**2 * len(rows))
    norm = torch.linalg.vector_norm
    return Residual(
        measured=float(norm(remainder)),
        bound=0.5 * gam * largest * float(norm(along.square())),
        data_dependent=gam * largest * float(norm(D)) * float(norm(along)),
        worst_case=worst,
    )


@typed
def printed_delta(epsilon: ArrayLike, c: ArrayLike) -> np.ndarray:
    """Return 1.5 e^{-c^2/2}, the authors' delta for noise c times the residual over epsilon.

    Too small for large epsilon: the exact delta at (20, 2) is 0.998.  epsilon > 0 is not used.
    Raises ValueError out of range.
    """
    eps = validation.real("epsilon", epsilon, low=0.0, low_open=True, high_open=True)
    ratio = validation.real("c", c, low=0.0, low_open=True, high_open=True)
    validation.broadcastable(epsilon=eps, c=ratio)
    return (1.5 * np.exp(-0.5 * ratio**2) + 0.0 * eps)[()]


@typed
def exact_delta(epsilon: ArrayLike, c: ArrayLike) -> np.ndarray:
    """Return the delta of two Gaussians at distance epsilon/c standard deviations."""
    eps = validation.real("epsilon", epsilon, low=0.0, low_open=True, high_open=True)
    ratio = validation.real("c", c, low=0.0, low_open=True, high_open=True)
    return delta_gdp(eps / ratio, eps)


@typed
@dataclass(eq=False)
class CertifiedRemoval:
    """A model under removal requests, with its account of residuals.

    noise: s, the standard deviation of b.  epsilon, delta: what every state must satisfy; the
    residual budget is s mu, mu the largest with G_mu inside (epsilon, delta).  That is the law of
    a residual that does not depend on b; as in the source, b's influence on it is not accounted.

    Attributes:
        point: the current minimiser, or Newton steps from it.
        spent: sum of the residual bounds since the last training.
        linear: b of the current objective.
        retrainings: how often the budget made it train again.

    Raises ValueError on bad input, and where removal would leave no sample.
    """

    model: LinearScore
    noise: float
    epsilon: float
    delta: float
    seed: int = 0
    point: np.ndarray = field(init=False)
    linear: np.ndarray = field(init=False)
    spent: float = field(init=False, default=0.0)
    retrainings: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.noise = validation.scalar("noise", self.noise, low=0.0, high_open=True)
        self.budget = self.noise * float(mu_gdp(self.epsilon, self.delta))
        self.gone = np.zeros(self.model.size, dtype=bool)
        self._random = np.random.default_rng(validation.count("seed", self.seed, low=0))
        self._train(np.arange(self.model.size))

    def _train(self, rows: np.ndarray) -> None:
        # Nothing of the model changes before the minimiser is there: it may be refused.
        linear = self.noise * self._random.standard_normal(self.model.parameters)
        point = minimiser(self.model, rows, linear=linear)
        # With a fresh b nothing of the old residuals is left to account for.
        self.linear, self.point, self.spent = linear, point, 0.0

    def remove(self, forget: Iterable[int]) -> Residual:
        """Take one Newton step for the set, or train again where its bound passes the budget.

        Returns the residual of the step, taken or not.
        """
        rows = np.unique(rows_of("forget", forget, self.model.size))
        if self.gone[rows].any():
            raise ValueError(f"forget must be rows not yet removed, got {rows[self.gone[rows]]}")
        mask = self.gone.copy()
        mask[rows] = True
        kept_rows = np.flatnonzero(~mask)
        if not len(kept_rows):
            raise ValueError("forget must leave at least one sample, got all of them")
        at = self.model.tensor(self.point)
        # At a minimiser the kept gradient is minus the removed one: H D = removed.
        removed = self.model.tangent(at, rows).gradient(self.model.full(len(rows)))
        step = solve(self.model.tangent(at, kept_rows), removed)
        certificate = residual(self.model, self.point, step, kept_rows, len(rows))
        # Training anew leaves these rows out as well.
        if self.spent + certificate.bound > self.budget:
            self._train(kept_rows)
            self.retrainings += 1
        else:
            self.point = self.point + step
            self.spent += certificate.bound
        # Last, so that a request whose training was refused can be made again.
        self.gone = mask
        return certificate
