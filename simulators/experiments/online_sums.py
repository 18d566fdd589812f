"""What the noise of the requests adds to an online learner's steps and to its regret."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.online_steps import OnlineRun

DRAWS = 8
"""Draws of the noise of one request, for what holds path by path."""


class OnlineSums(OnlineRun):
    """Steps with the noise inside, the noise's share of the regret, and regret with other noise."""

    def _rounds_apart(self) -> tuple[list[int], list[int]]:
        """The deletions, where requests and the last round are at least two rounds apart."""
        u, tau = self._insist()
        if any(b - a < 2 for a, b in pairwise([0, *tau, self.stream.rounds + 1])):
            raise NotMeasured("two requests, or one and an end, are not two rounds apart")
        return u, tau

    @observable
    def noisy_squared_distance(self) -> Observable:
        """Squared distance from the comparator after a step whose noise is projected."""
        step = self._noisy_steps
        at = {name: step[name] for name in ("g", "eta")}
        at |= {"r": step["far"], "p": np.clip(step["slope"], -step["most"], step["most"])}
        return Observable(step["s"] ** 2, at=at, rounding=1e-12, unit="length^2")

    @observable
    def noisy_slope(self) -> Observable:
        """Gradient times distance from the comparator, in steps whose noise is projected."""
        step = self._noisy_steps
        along = (step["far"] - step["s"]) * (step["far"] + step["s"]) / (2 * step["eta"])
        at = {name: step[name] for name in ("s", "g", "q", "eta")} | {"r": step["far"]}
        at["step"] = along + step["eta"] * step["g"] ** 2 / 2 - step["q"]
        terms = np.abs(along).max() + (step["eta"] * step["g"] ** 2).max() + np.abs(step["q"]).max()
        return Observable(step["p"], at=at, rounding=1e-12 * float(terms), unit="loss")

    @cached_property
    def _noisy_steps(self) -> dict[str, np.ndarray]:
        """The steps into the requests, with noise half as long as the way to the comparator."""
        import torch

        from simulators.online.streams import project_rows_

        _, tau = self._rounds_apart()
        t = np.repeat([x - 1 for x in tau if x >= 2], DRAWS)
        if not t.size:
            raise NotMeasured("no request follows a round")
        path = self.plain
        star, w, g = path.stars[0], path.points[0, t - 1], path.pulls[0, t - 1]
        draws = np.random.default_rng(self.experiment.seed).normal(size=w.shape)
        away = np.linalg.norm(w - star, axis=1)
        xi = draws * (away / np.linalg.norm(draws, axis=1) / 2)[:, None]
        after = torch.tensor(w - path.eta[t - 1, None] * g + xi)
        project_rows_(self.stream.domain, after)
        far, size = np.linalg.norm(w - star + xi, axis=1), np.linalg.norm(g, axis=1)
        return {
            "far": far,
            "s": np.linalg.norm(after.numpy() - star, axis=1),
            "g": size,
            "p": ((w - star) * g).sum(axis=1),
            "slope": ((w - star + xi) * g).sum(axis=1),
            "most": far * size * (1 - 1e-15),
            "q": (g * xi).sum(axis=1),
            "eta": path.eta[t - 1],
        }

    @cached_property
    def _shares(self) -> list[float]:
        """sigma_i of Algorithm 1 over what a deleted step has become, at omega = 1.2."""
        return self._weights(1.2)

    def _weights(self, omega: float) -> list[float]:
        if self.experiment.epsilon is None:
            raise NotMeasured("epsilon is not given")
        k = len(self._rounds_apart()[0])
        scale = omega / (2 * (omega - 1) * self.experiment.epsilon)
        return [math.sqrt(scale * i**omega) for i in range(1, k + 1)]

    def _noise_part(self, sigmas: Any, eta: np.ndarray) -> float:
        """sum d sigma_i^2/(2 eta_{tau_i - 1}): E B."""
        _, tau = self._rounds_apart()
        before = eta[np.array(tau) - 2]
        return float(self.stream.dimension * (np.square(sigmas) / (2 * before)).sum())

    @observable
    def paper_noise_part(self) -> Observable:
        """E B of Algorithm 1's noise where steps do not expand, from the sizes of the steps."""
        u, _ = self._rounds_apart()
        eta, L = self.plain.eta, self.stream.constants.lipschitz
        sigmas = [w * L * eta[j - 1] for w, j in zip(self._shares, u, strict=True)]
        return Observable(self._noise_part(sigmas, eta), basis="rows", unit="loss")

    @observable
    def adaptive_noise_part(self) -> Observable:
        """The same of steps D/sqrt(p(t)) at omega = 1.5, from the squares p of the path."""
        u, tau = self._rounds_apart()
        eta, L = self.plain.eta, self.stream.constants.lipschitz
        sigmas = [w * L * eta[j - 1] for w, j in zip(self._weights(1.5), u, strict=True)]
        p = np.cumsum(self.plain.norms**2)
        at = {"p_u": p[np.array(u) - 1].tolist(), "p_tau": p[np.array(tau) - 2].tolist()}
        found = self._noise_part(sigmas, eta)
        return Observable(found, at=at, basis="rows", rounding=1e-9, unit="loss")

    @observable
    def least_noise_price(self) -> Observable:
        """What the least noise of the requests costs, in units of d L^2/(4 epsilon mu)."""
        c, asked = self.stream.constants, self.experiment
        part = (
            self._noise_part(self.rule.get("sigmas", 0.0), self.plain.eta) / self.stream.dimension
        )
        found = part * 4 * asked.epsilon * c.strong_convexity / c.lipschitz**2
        return Observable(found, basis="rows")

    @observable
    def blockwise_part(self) -> Observable:
        """The telescoping part of the regret against the comparators in force, without noise."""
        _, tau = self._rounds_apart()
        path = self.path
        t = np.arange(1, self.stream.rounds + 1)
        stars = path.stars[np.searchsorted(tau, t, side="left")]
        before = np.linalg.norm(path.points[0, :-1] - stars, axis=1)
        after = np.linalg.norm(path.points[0, 1:] - stars, axis=1)
        if np.any(np.diff(path.eta) > 0) or max(tau) > self.stream.rounds:
            raise NotMeasured("steps increase, or a request follows the last round")
        moves = np.linalg.norm(np.diff(path.stars, axis=0), axis=1)
        at = {
            "eta": float(path.eta[-1]),
            "path": moves.tolist(),
            "eta_tau": path.eta[np.array(tau) - 1].tolist(),
        }
        parts = (before - after) * (before + after) / (2 * path.eta)
        return Observable(float(parts.sum()), at=at, rounding=self._slack, unit="loss")

    @observable
    def self_bounded_loss(self) -> Observable:
        """Sum X of the losses, at most F + sqrt(a X): a = 2 beta (3D/2 + P)^2, F the comparators'.

        That is what the regret of adaptive steps obeys; the run has to.
        """
        c, path = self.stream.constants, self.path
        moves = np.linalg.norm(np.diff(path.stars, axis=0), axis=1).sum()
        X, F = float(path.losses.sum()), float(path.compared.sum())
        a = 2 * c.smoothness * (1.5 * c.diameter + moves) ** 2
        if not X - math.sqrt(a * X) <= F:
            raise NotMeasured("the regret is more than sqrt(a X)")
        at = {"a": float(a), "b": 0.0, "c": F}
        return Observable(X, at=at, rounding=self._slack, unit="loss")

    def _regret_with(self, *, sigmas: Any, steps: Any = None, keep: bool = False) -> Any:
        """The passive learner once more, with this noise."""
        from simulators.online.learners import run

        asked = self.experiment
        return run(
            self.stream,
            self.requests,
            steps=self.steps if steps is None else steps,
            sigmas=sigmas,
            initial=self.made.initial,
            trials=asked.trials,
            seed=asked.seed,
            device=asked.device,
            keep_gradients=keep,
        )

    def _seen(self, result: Any, moving: bool, **at: Any) -> Observable:
        value, error = result.mean_regret(moving=moving)
        basis: Any = "mean" if error > 0 else "path"
        return Observable(value, at=at, basis=basis, error=error, rounding=self._slack, unit="loss")

    @cached_property
    def _with_paper_noise(self) -> Any:
        """The learner with Algorithm 1's noise: gamma^(tau - u) eta_u L is what arrives."""
        u, tau = self._rounds_apart()
        c, eta = self.stream.constants, self.plain.eta
        gamma = self.constants["gamma"] if self.hypotheses["steps 1/(mu t)"] else 1.0
        moved = [gamma ** (t - j) * eta[j - 1] * c.lipschitz for j, t in zip(u, tau, strict=True)]
        return self._regret_with(sigmas=np.multiply(self._shares, moved))

    @observable
    def paper_noise_regret(self) -> Observable:
        """Mean regret against the comparators in force, with the noise of Algorithm 1."""
        return self._seen(self._with_paper_noise, True)

    @observable
    def paper_noise_fixed_regret(self) -> Observable:
        """Mean regret against the minimiser of all losses, with the noise of Algorithm 1."""
        return self._seen(self._with_paper_noise, False, eta=float(self.plain.eta[0]))

    @observable
    def best_step_regret(self) -> Observable:
        """Mean regret at the one step size that is best for the path of the comparators."""
        from simulators.online.noise import passive_noise

        epsilon, c = self.experiment.epsilon, self.stream.constants
        k = len(self._rounds_apart()[0])
        if epsilon is None:
            raise NotMeasured("epsilon is not given")
        P = float(np.linalg.norm(np.diff(self.result.comparators, axis=0), axis=1).sum())
        noise = self.stream.dimension * k**2 / (2 * epsilon)
        eta = math.sqrt(c.diameter * (c.diameter + 2 * P))
        eta /= c.lipschitz * math.sqrt(self.stream.rounds + noise)
        if eta * c.smoothness > 2:
            raise NotMeasured("the best step is longer than 2/beta")
        sigmas = passive_noise(self.stream, self.requests, eta, epsilon)
        return self._seen(self._regret_with(sigmas=sigmas, steps=eta), True, P=P)

    @observable
    def adaptive_noisy_regret(self) -> Observable:
        """Mean regret with adaptive steps and the least noise; p at its extremes over the paths."""
        u, tau = self._rounds_apart()
        c = self.stream.constants
        found = self._regret_with(sigmas=self.rule.get("sigmas", 0.0), keep=True)
        p = np.cumsum(found.squared_gradients, axis=1)
        least, most = p[:, np.array(u) - 1].min(axis=0), p[:, np.array(tau) - 1].max(axis=0)
        if least.min() < (c.smoothness * c.diameter) ** 2 / 4:
            raise NotMeasured("p(u_i) < beta^2 D^2/4: steps that expand")
        P = float(np.linalg.norm(np.diff(found.comparators, axis=0), axis=1).sum())
        at = {"p_u": least.tolist(), "p_tau": most.tolist(), "P": P}
        return self._seen(found, True, F=float(found.comparator_losses.sum()), **at)
