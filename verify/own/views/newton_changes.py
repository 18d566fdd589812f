"""The change of variables of certified removal: from its noise to that which retraining needs.

`bounds.own.newton_change`: after a Newton step the model is the minimiser over the rows that stay
of an objective with noise T(b) = b - r(b), where r is the gradient that the step leaves.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.special import expit as logistic

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.removal_run import RemovalRun

DRAWS = 4  # of the objective's noise where the derivative is taken


class NewtonChanges(View, of=RemovalRun):
    """r'(b) of logistic rows, as trace norm and as volume."""

    run: RemovalRun

    @property
    def lengths(self) -> np.ndarray:
        """|b| of the draws (k,)."""
        return np.asarray(np.linalg.norm(self.run.objective_noise[:DRAWS], axis=1))

    @cached_property
    def derivatives(self) -> np.ndarray:
        """r'(b) of the gradient left, at the first draws of b (k, p, p).

        With w(b) the minimiser over all rows, w' = -H_n^-1, and s = H_k^-1 g_m the Newton step,
        T(b) = -g_k(w + s) has T' = H_k(w + s) (1 + H_k^-1 (H_m - D H_k[.] s)) H_n^-1.
        Raises NotMeasured for another loss.
        """
        if not self.run.hypotheses["logistic"] or self.run.model.loss.clip is not None:
            raise NotMeasured("the loss is not the logistic one")
        points = [self.run.noisy_minimum(b) for b in self.run.objective_noise[:DRAWS]]
        return np.array([self._derivative(w) for w in points])

    def _derivative(self, w: np.ndarray) -> np.ndarray:
        """r' at the noise whose minimiser over all rows is w (p, p)."""
        task, rows = self.run.task, self.run.model.rows
        remaining, removed = (rows[part].cpu().numpy() for part in (task.remaining, task.forget))
        one = np.eye(len(w))
        bend = self._hessian(remaining, w)
        rest = self._hessian(removed, w)
        s = np.linalg.solve(bend, self._gradient(removed, w))
        # D H_k[.] s = X^T diag(phi''' X s) X, of the third derivative of a row's loss.
        level = logistic(remaining @ w)
        third = level * (1 - level) * (1 - 2 * level) * (remaining @ s)
        change = one + np.linalg.solve(bend, rest - (remaining.T * third) @ remaining)
        return one - self._hessian(remaining, w + s) @ change @ np.linalg.inv(bend + rest)

    def _gradient(self, rows: np.ndarray, w: np.ndarray) -> np.ndarray:
        """The sum of the gradients of logistic rows (p,)."""
        ridge = self.run.experiment.regularisation * len(rows)
        return np.asarray(rows.T @ logistic(rows @ w) + ridge * w)

    def _hessian(self, rows: np.ndarray, w: np.ndarray) -> np.ndarray:
        """The sum of the Hessians of logistic rows (p, p)."""
        level = logistic(rows @ w)
        ridge = self.run.experiment.regularisation * len(rows) * np.eye(len(w))
        return np.asarray((rows.T * (level * (1 - level))) @ rows + ridge)

    @property
    def _rounding(self) -> float:
        """Of a product of four matrices of size p whose entries come to 1."""
        return float(1e-13 * self.run.model.parameters**2)

    @observable
    def change(self) -> Observable:
        """Trace norm of the derivative of the gradient left, as a function of the noise b."""
        values = np.linalg.norm(self.derivatives, "nuc", axis=(1, 2))
        return Observable(values, at={"B": self.lengths}, rounding=self._rounding)

    @observable
    def volume(self) -> Observable:
        """|log|det|| of the change of variables from b to the noise that retraining would need."""
        slopes = np.eye(self.run.model.parameters) - self.derivatives
        values = np.abs(np.linalg.slogdet(slopes)[1])
        return Observable(values, at={"B": self.lengths}, rounding=self._rounding)
