"""Gradients of SAFE's objective at w_0, from the rows themselves, beside its updates."""

from functools import cached_property
from typing import Any

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.publication_run import PublicationRun
from simulators.streaming.features import frozen_features

FEATURES = 8  # most of the columns that densities are fitted to, as SAFE takes them


class Gradients(View, of=PublicationRun):
    """Observables of the last round of the first trial."""

    run: PublicationRun

    def _updates(self, variant: Any) -> tuple[np.ndarray, np.ndarray]:
        """Both gradients of the last round, retention and forgetting, as SAFE finds them."""
        from simulators.streaming.safe import safe

        problem, experiment = self.run.problem, self.run.experiment
        last = []

        def observer(_: slice, this: Any, __: np.ndarray) -> None:
            if this.t == problem.rounds:
                both = (this.retention, this.forgetting)
                last.append(tuple(part[0].cpu().numpy() for part in both))

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
            seed=experiment.seed,
            device=experiment.device,
        )
        (both,) = last
        return both

    def _log_factors(self, remaining: np.ndarray) -> np.ndarray:
        """log q (n, classes) of eq 24: moments of each class, from its `remaining` rows and all."""
        from scipy.stats import multivariate_normal

        data, seed = self.run.problem.train, self.run.experiment.seed
        columns = min(FEATURES, data.dimension)
        z = frozen_features(data, columns, standardise=True, seed=seed, claim=0)
        labels = data.targets.astype(int)
        everything = np.full(len(data), True)
        logs = np.empty((len(data), self.run.problem.risk.loss.classes))
        for c in range(logs.shape[1]):
            sides = z[(labels == c) & remaining], z[labels == c]
            if min(map(len, sides)) < 2:
                raise NotMeasured("a class has no Gaussian fit")
            try:
                laws = [multivariate_normal(r.mean(axis=0), np.cov(r.T)).logpdf(z) for r in sides]
            except (ValueError, np.linalg.LinAlgError):
                raise NotMeasured("a class has no Gaussian fit") from None
            shares = [(labels[m] == c).mean() for m in (remaining, everything)]
            logs[:, c] = np.log(shares[0] / shares[1]) + laws[0] - laws[1]
        return logs

    @cached_property
    def _exact(self) -> tuple[np.ndarray, np.ndarray]:
        """The same by differentiating the objective, its classes' moments taken from the rows."""
        import torch

        problem = self.run.problem
        data = problem.train
        remaining = problem.deletions.kept(problem.rounds)[0]
        logs = self._log_factors(remaining)
        labels = torch.tensor(data.targets.astype(int))
        w = torch.tensor(problem.optimal[0, 0], requires_grad=True)
        x = torch.tensor(data.features)
        mask = torch.tensor(remaining)

        # Eq 14: the mean loss of what is left, with its ridge.
        scores = torch.log_softmax(x @ w, dim=1)
        loss = -scores[torch.arange(len(data)), labels]
        retention = loss[mask].mean() + problem.stream.strong_convexity / 2 * (w * w).sum()

        # Eq 25: the divergence from the target q f(w_0), which is held fixed.
        target = torch.log_softmax(scores.detach() + torch.tensor(logs), dim=1)
        apart = (scores.exp() * (scores - target)).sum(dim=1)[~mask].mean()
        first, second = (
            torch.autograd.grad(part, w, retain_graph=True)[0].numpy()
            for part in (retention, problem.weight * apart)
        )
        return first, second

    @observable
    def objective_gradient(self) -> Observable:
        """Length of the objective's gradient, beside SAFE's as printed and corrected."""
        variants = ("printed", "corrected")
        forms = {name: np.add(*self._updates(name)).ravel() for name in variants}
        return self._beside(np.add(*self._exact).ravel(), **forms)

    @observable
    def forgetting_gradient(self) -> Observable:
        """Its forgetting part, beside that with q of the round in which a row left."""
        from simulators.streaming.variants import AlgorithmVariant

        variants = {"printed": AlgorithmVariant(scope="estimated"), "corrected": "corrected"}
        forms = {name: self._updates(variant)[1].ravel() for name, variant in variants.items()}
        return self._beside(self._exact[1].ravel(), **forms)

    @staticmethod
    def _beside(left: np.ndarray, **forms: np.ndarray) -> Observable:
        """|left|; a form's value is |left| + |left - form|."""
        size = float(np.linalg.norm(left))
        at = {name: size + float(np.linalg.norm(left - x)) for name, x in forms.items()}
        return Observable(size, at=at, rounding=1e-10, unit="gradient")

    @observable
    def retention_gradient(self) -> Observable:
        """Length of the last round's gradient at w_0, from the rows that are left."""
        problem = self.run.problem
        risk = problem.risk
        T = problem.rounds
        n = len(problem.train)
        deletions = problem.deletions.trial(0)
        start = problem.tensor(problem.optimal[0, :1])
        now, before = (risk.gradient(start, deletions.kept(t)).ravel() for t in (T, T - 1))
        length = float(now.norm())

        # Eq 15 takes the gradient of each row that leaves: its part along the new gradient.
        rows = np.flatnonzero(deletions.forgotten(T)[0])
        alone = np.zeros((len(rows), n), dtype=bool)
        alone[np.arange(len(rows)), rows] = True
        points = start.expand(len(rows), *start.shape[1:]).contiguous()
        each = risk.gradient(points, alone).reshape(len(rows), -1)
        at = {
            "n": int(deletions.kept(T - 1).sum()),
            "G": float(before @ now) / length,
            "gradients": (each @ now / length).tolist(),
        }
        return Observable(length, at=at, rounding=1e-12, unit="gradient")
