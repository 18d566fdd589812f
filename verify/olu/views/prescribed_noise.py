"""Regret with noise and steps that theorems choose: Theorems 2, 4 and 5, (27), (39)."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from simulators.online.noise import passive_noise
from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.online_run import OnlineRun
from verify.olu.views.noise import RequestNoise


class PrescribedNoiseRegrets(View, of=OnlineRun):
    """Mean regret of the passive learner, run once more with other noise or other steps."""

    run: OnlineRun

    @cached_property
    def _with_paper_noise(self) -> Any:
        """The learner with Algorithm 1's noise: gamma^(tau - u) eta_u L is what arrives."""
        u, tau = self.run.spaced_deletions()
        eta = self.run.plain.eta
        L = self.run.stream.constants.lipschitz
        contracting = self.run.hypotheses["steps 1/(mu t)"]
        gamma = self.run.constants["gamma"] if contracting else 1.0
        shifts = [gamma ** (t - j) * eta[j - 1] * L for j, t in zip(u, tau, strict=True)]
        shares = self.run.view(RequestNoise).shares()
        return self.run.rerun(sigmas=np.multiply(shares, shifts))

    @observable
    def paper_noise_regret(self) -> Observable:
        """Mean regret against the comparators in force, with the noise of Algorithm 1."""
        return self.run.mean_regret(self._with_paper_noise, moving=True)

    @observable
    def paper_noise_fixed_regret(self) -> Observable:
        """Mean regret against the minimiser of all losses, with the noise of Algorithm 1."""
        result = self._with_paper_noise
        eta = float(self.run.plain.eta[0])
        return self.run.mean_regret(result, moving=False, eta=eta)

    @observable
    def best_step_regret(self) -> Observable:
        """Mean regret at the one step size that is best for the path of the comparators."""
        run = self.run
        epsilon = self.run.experiment.epsilon
        k = len(run.spaced_deletions()[0])
        if epsilon is None:
            raise NotMeasured("epsilon is not given")
        c = run.stream.constants
        P = _path_length(run.result)
        # The minimum over eta of D (D + 2P)/(2 eta) + eta L^2/2 (T + d k^2/(2 epsilon)).
        noise = run.stream.dimension * k**2 / (2 * epsilon)
        eta = math.sqrt(c.diameter * (c.diameter + 2 * P))
        eta /= c.lipschitz * math.sqrt(run.stream.rounds + noise)
        if eta * c.smoothness > 2:
            raise NotMeasured("the best step is longer than 2/beta")
        sigmas = passive_noise(run.stream, run.requests, eta, epsilon)
        return run.mean_regret(run.rerun(sigmas=sigmas, steps=eta), moving=True, P=P)

    @observable
    def adaptive_noisy_regret(self) -> Observable:
        """Mean regret with adaptive steps and the least noise; p at its extremes over the paths."""
        run = self.run
        c = self.run.stream.constants
        u, tau = run.spaced_deletions()
        result = run.rerun(sigmas=run.rule.get("sigmas", 0.0), keep_gradients=True)
        p = np.cumsum(result.squared_gradients, axis=1)
        least = p[:, np.array(u) - 1].min(axis=0)
        most = p[:, np.array(tau) - 1].max(axis=0)
        # Steps D/sqrt(p) are at most 2/beta where p is at least (beta D)^2/4.
        if least.min() < (c.smoothness * c.diameter) ** 2 / 4:
            raise NotMeasured("p(u_i) < beta^2 D^2/4: steps that expand")
        at = {"p_u": least.tolist(), "p_tau": most.tolist()}
        at |= {"P": _path_length(result), "F": float(result.comparator_losses.sum())}
        return run.mean_regret(result, moving=True, **at)


def _path_length(result: Any) -> float:
    """sum_i |z_i* - z_{i-1}*|."""
    return float(np.linalg.norm(np.diff(result.comparators, axis=0), axis=1).sum())
