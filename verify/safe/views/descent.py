"""What projected normalised descent would have done on the same stream (Theorem 2(ii), ours)."""

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.publication_run import PublicationRun
from simulators.runs.stream_curves import regrets
from simulators.streaming.ogd import normalised_descent, tuned_step


class ProjectedDescent(View, of=PublicationRun):
    """Observables of descent from the last model, of the first trial."""

    run: PublicationRun

    def _regret(self, step: float) -> Observable:
        """Regret of projected descent, the model for R_t played as it was after R_{t-1}."""
        problem, k = self.run.problem, self.run.constants
        if not self.run.hypotheses["minimisers in the ball"]:
            raise NotMeasured("a minimiser lies outside the ball")
        shape = problem.optimal[0].shape  # (trials, d, classes)

        def gradient(t: int, points: np.ndarray) -> np.ndarray:
            models = problem.tensor(points.reshape(shape))
            gradients = problem.risk.gradient(models, problem.deletions.kept(t))
            return np.asarray(gradients.cpu()).reshape(len(points), -1)

        start = problem.optimal[0].reshape(shape[0], -1)
        path = normalised_descent(gradient, start, k["T"], step=step, radius=k["W"])
        models = np.moveaxis(path[:, :-1], 0, 1).reshape(-1, *shape)
        total = float(regrets(problem, models)[:, 0].sum())
        moves = self.run.path_steps[:, 0].tolist()
        at = {"gamma": step, "v": moves, "U": k["L_h"] + k["mu"] * k["W"]}
        return self.run.of_optima(total, "loss", **at)

    @observable
    def descent_regret(self) -> Observable:
        """Regret of projected normalised descent with SAFE's step."""
        return self._regret(self.run.problem.stream.gamma)

    @observable
    def tuned_descent_regret(self) -> Observable:
        """Regret of projected normalised descent with the best step for the path."""
        k = self.run.constants
        length = float(self.run.path_steps[:, 0].sum())
        return self._regret(tuned_step(k["W"], length, k["T"]))
