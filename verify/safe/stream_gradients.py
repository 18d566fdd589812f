"""The gradient of SAFE's objective at w_0, from the rows themselves, beside its updates."""

from functools import cached_property
from typing import Any

import numpy as np

from simulators.experiment import NotMeasured, Observable, observable
from simulators.streaming.features import frozen_features
from verify.safe.stream_cells import Cells


class Gradients(Cells):
    """Observables of the last round of the first trial."""

    def _seen(self, variant: Any) -> tuple[np.ndarray, np.ndarray]:
        """Both gradients of the last round, retention and forgetting, as SAFE finds them."""
        from simulators.streaming.safe import safe

        problem, found = self.problem, []

        def observer(_: slice, this: Any, __: np.ndarray) -> None:
            if this.t == problem.rounds:
                both = (this.retention, this.forgetting)
                found.append(tuple(part[0].cpu().numpy() for part in both))

        safe(
            problem.train,
            problem.deletions.trial(0),
            regularisation=problem.stream.strong_convexity,
            weight=problem.weight,
            gamma=problem.stream.gamma,
            w0=problem.optimal[0, 0],
            classes=problem.risk.loss.classes,
            variant=variant,
            observer=observer,
            seed=self.experiment.seed,
            device=self.experiment.device,
        )
        (both,) = found
        return both

    @cached_property
    def _exact(self) -> tuple[np.ndarray, np.ndarray]:
        """The same by differentiating the objective, its classes' moments taken from the rows."""
        import torch
        from scipy.stats import multivariate_normal

        problem = self.problem
        data, T = problem.train, problem.rounds
        kept = problem.deletions.kept(T)[0]
        z = frozen_features(
            data, min(8, data.dimension), standardise=True, seed=self.experiment.seed, claim=0
        )
        labels = data.targets.astype(int)
        logs = np.empty((len(data), problem.risk.loss.classes))
        for c in range(logs.shape[1]):
            sides = z[(labels == c) & kept], z[labels == c]
            if min(map(len, sides)) < 2:
                raise NotMeasured("a class has no Gaussian fit")
            try:
                laws = [multivariate_normal(r.mean(axis=0), np.cov(r.T)).logpdf(z) for r in sides]
            except (ValueError, np.linalg.LinAlgError):
                raise NotMeasured("a class has no Gaussian fit") from None
            shares = [(labels[m] == c).mean() for m in (kept, np.full(len(data), True))]
            logs[:, c] = np.log(shares[0] / shares[1]) + laws[0] - laws[1]
        w = torch.tensor(problem.optimal[0, 0], requires_grad=True)
        x, mask = torch.tensor(data.features), torch.tensor(kept)
        scores = torch.log_softmax(x @ w, dim=1)
        target = torch.log_softmax(scores.detach() + torch.tensor(logs), dim=1)
        loss = -scores[torch.arange(len(data)), torch.tensor(labels)]
        retention = loss[mask].mean() + problem.stream.strong_convexity / 2 * (w * w).sum()
        apart = (scores.exp() * (scores - target)).sum(dim=1)[~mask].mean()
        first, second = (
            torch.autograd.grad(part, w, retain_graph=True)[0].numpy()
            for part in (retention, problem.weight * apart)
        )
        return first, second

    @observable
    def objective_gradient(self) -> Observable:
        """Length of the objective's gradient, beside SAFE's as printed and corrected."""
        forms = {name: np.add(*self._seen(name)).ravel() for name in ("printed", "corrected")}
        return self._beside(np.add(*self._exact).ravel(), **forms)

    @observable
    def forgetting_gradient(self) -> Observable:
        """Its forgetting part, beside that with q of the round in which a row left."""
        from simulators.streaming.readings import Reading

        forms = {"printed": Reading(scope="estimated"), "corrected": "corrected"}
        seen = {name: self._seen(variant)[1].ravel() for name, variant in forms.items()}
        return self._beside(self._exact[1].ravel(), **seen)

    @staticmethod
    def _beside(left: np.ndarray, **forms: np.ndarray) -> Observable:
        """|left|; a form's value is |left| + |left - form|."""
        size = float(np.linalg.norm(left))
        at = {name: size + float(np.linalg.norm(left - x)) for name, x in forms.items()}
        return Observable(size, at=at, rounding=1e-10, unit="gradient")
