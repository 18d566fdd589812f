"""What removal by one Newton step leaves, and what the noise of its objective moves."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import expit as logistic

from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.path_observables import Compared

DRAWS = 32  # of the objective's noise
CHANGES = 4  # of these, where a derivative is taken


class Removed(Compared):
    """A model that is minimised, the rows to forget, and one Newton step for them."""

    @cached_property
    def model(self) -> Any:
        """Of a linear score."""
        from simulators.trajectory.linear_score import LinearScore

        found = self.world.model
        if not isinstance(found, LinearScore):
            raise NotMeasured("the loss is none of a linear score")
        return found

    @cached_property
    def kept(self) -> np.ndarray:
        """The rows that stay."""
        return np.setdiff1d(np.arange(self.model.size), self.world.forget)

    @property
    def _slope_bound(self) -> float:
        return float(self.model.loss.slope_bound(np.array([np.inf]))[0])

    @property
    def constants(self) -> dict[str, Any]:
        """gam and C of the loss as a function of its score; the ridge and the counts."""
        loss = self.model.loss
        return {
            "gam": loss.curvature_lipschitz,
            "C": self._slope_bound,
            "lam": self.experiment.regularisation,
            "n": self.model.size,
            "m": len(self.world.forget),
            "p": self.model.parameters,
            "sigma": self.experiment.noise,
        }

    @property
    def hypotheses(self) -> dict[str, bool]:
        return {
            "rows of norm at most 1": bool(self.model.largest_rows.max() <= 1 + 1e-12),
            "strong convexity": self.experiment.regularisation > 0,
            "bounded slopes": bool(np.isfinite(self._slope_bound)),
            "logistic": self.experiment.loss == "logistic",
        }

    @cached_property
    def _pushes(self) -> np.ndarray:
        """Draws of b (DRAWS, p)."""
        random = np.random.default_rng(self.experiment.seed)
        return np.asarray(
            self.experiment.noise * random.standard_normal((DRAWS, self.model.parameters))
        )

    @cached_property
    def centre(self) -> np.ndarray:
        """The minimiser over all rows, without noise (p,)."""
        from simulators.trajectory.newton import minimiser

        return minimiser(self.model)

    def _step(self, push: np.ndarray | None) -> tuple[np.ndarray, float]:
        """The Newton step from the minimiser with <b, w> added, and the gradient after it."""
        import torch

        from simulators.trajectory.newton import minimiser, solve

        point, b = self.centre, np.zeros(self.model.parameters)
        if push is not None:
            b, point = push, minimiser(self.model, linear=push, start=self.centre)
        tensor = self.model.tensor
        ones = self.model.full(len(self.kept))

        def slope(w: np.ndarray) -> Any:
            return self.model.tangent(tensor(w), self.kept).gradient(ones) + tensor(b)

        here = self.model.tangent(tensor(point), self.kept)
        step = -solve(here, slope(point))
        return step, float(torch.linalg.vector_norm(slope(point + step)))

    def _changes(self) -> tuple[np.ndarray, np.ndarray]:
        """|b| (k,) and r'(b) (k, p, p) of the gradient left, at the first draws of b.

        With w(b) the minimiser over all rows, w' = -H_n^-1, and s = H_k^-1 g_m the Newton step,
        T(b) = -g_k(w + s) has T' = H_k(w + s) (1 + H_k^-1 (H_m - D H_k[.] s)) H_n^-1.
        """
        from simulators.trajectory.newton import minimiser

        if not self.hypotheses["logistic"] or self.model.loss.clip is not None:
            raise NotMeasured("the loss is not the logistic one")
        kept, gone = (self.model.rows[part].cpu().numpy() for part in (self.kept, self.removed))
        one = np.eye(self.model.parameters)
        pushes = self._pushes[:CHANGES]
        found = []
        for b in pushes:
            w = minimiser(self.model, linear=b, start=self.centre)
            bend, rest = self._hessian(kept, w), self._hessian(gone, w)
            s = np.linalg.solve(bend, self._pull(gone, w))
            level = logistic(kept @ w)
            third = level * (1 - level) * (1 - 2 * level) * (kept @ s)
            move = one + np.linalg.solve(bend, rest - (kept.T * third) @ kept)
            slope = self._hessian(kept, w + s) @ move @ np.linalg.inv(bend + rest)
            found.append(one - slope)
        return np.linalg.norm(pushes, axis=1), np.array(found)

    @property
    def removed(self) -> np.ndarray:
        """The rows to forget."""
        return np.sort(np.asarray(self.world.forget))

    def _pull(self, rows: np.ndarray, w: np.ndarray) -> np.ndarray:
        """The sum of the gradients of logistic rows (p,)."""
        ridge = self.experiment.regularisation * len(rows)
        return np.asarray(rows.T @ logistic(rows @ w) + ridge * w)

    def _hessian(self, rows: np.ndarray, w: np.ndarray) -> np.ndarray:
        """Of logistic rows (p, p)."""
        level = logistic(rows @ w)
        ridge = self.experiment.regularisation * len(rows) * np.eye(len(w))
        return np.asarray((rows.T * (level * (1 - level))) @ rows + ridge)

    @observable
    def change(self) -> Observable:
        """Trace norm of the derivative of the gradient left, as a function of the noise b."""
        lengths, found = self._changes()
        values = np.linalg.norm(found, "nuc", axis=(1, 2))
        return Observable(values, at={"B": lengths}, rounding=self._digits)

    @observable
    def volume(self) -> Observable:
        """|log|det|| of the change of variables from b to the noise that retraining would need."""
        lengths, found = self._changes()
        values = np.abs(np.linalg.slogdet(np.eye(self.model.parameters) - found)[1])
        return Observable(values, at={"B": lengths}, rounding=self._digits)

    @property
    def _digits(self) -> float:
        """A product of four matrices of size p whose entries come to 1."""
        return float(1e-13 * self.model.parameters**2)

    def _gradient(self, values: Any, **at: Any) -> Observable:
        """Sums of gradients over the kept rows, whose minimiser leaves 1e-12 of a row's each."""
        return Observable(values, at=at, rounding=1e-11 * self.model.size, unit="gradient")

    @observable
    def residual(self) -> Observable:
        """Gradient over what is kept after one Newton step from the minimiser."""
        step, left = self._step(None)
        return self._gradient(left, step=float(np.linalg.norm(step)), **self._of_the_step(step))

    @observable
    def noisy_residual(self) -> Observable:
        """The same from minimisers of noisy objectives, noise included."""
        return self._gradient(np.array([self._step(push)[1] for push in self._pushes[:8]]))

    def _of_the_step(self, step: np.ndarray) -> dict[str, float]:
        """|X|_2, |D|, |X D| and |(X D)^2| of the kept rows X and the step D."""
        rows = np.asarray(self.model.rows[self.kept].cpu())
        along = rows @ step
        return {
            "norm_X": float(np.linalg.norm(rows, 2)),
            "norm_D": float(np.linalg.norm(step)),
            "norm_XD": float(np.linalg.norm(along)),
            "norm_XD2": float(np.linalg.norm(along**2)),
        }

    @observable
    def shift(self) -> Observable:
        """Root mean square distance by which the objective's noise moves the minimiser."""
        from simulators.trajectory.newton import minimiser

        if not self.experiment.noise > 0:
            raise NotMeasured("there is no noise")
        moved = (minimiser(self.model, linear=b, start=self.centre) for b in self._pushes)
        squares = np.array([float(np.sum((w - self.centre) ** 2)) for w in moved])
        root = float(np.sqrt(squares.mean()))
        error = float(squares.std(ddof=1) / np.sqrt(DRAWS) / (2 * root))
        return Observable(root, basis="mean", error=error, unit="length")

    @observable
    def release_delta(self) -> Observable:
        """delta(epsilon) of two Gaussians a residual apart, with noise of c/epsilon residuals."""
        return self._released([0.5, 1.0, 6.0, 20.0], [4.0, 2.0, 3.0, 2.0])

    @observable
    def small_release_delta(self) -> Observable:
        """The same for epsilon up to 1.5."""
        return self._released([0.1, 0.5, 1.0, 1.5], [0.3, 1.0, 2.0, 3.0])

    def _released(self, epsilons: list[float], ratios: list[float]) -> Observable:
        from simulators.exact.gaussian_divergence import hockey_stick_gauss

        apart = float(self.residual().values)
        found = []
        for epsilon, c in zip(epsilons, ratios, strict=True):
            variance = (c * apart / epsilon) ** 2
            found.append(hockey_stick_gauss(0.0, variance, apart, variance, epsilon))
        at = {"epsilon": np.array(epsilons), "c": np.array(ratios)}
        return Observable(np.array(found), at=at, basis="law")
