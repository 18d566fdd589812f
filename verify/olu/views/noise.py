"""What noise adds to one step and to the sums of the proofs: (12), (13), (26), (34), G_1."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.online_paths import projected_rows
from simulators.runs.online_run import OnlineRun

DRAWS = 8
"""Draws of the noise of one request, for what holds path by path."""


class RequestNoise(View, of=OnlineRun):
    """Steps with the noise inside, and E B = sum d sigma_i^2/(2 eta_{tau_i - 1})."""

    run: OnlineRun

    @observable
    def noisy_squared_distance(self) -> Observable:
        """Squared distance from the comparator after a step whose noise is projected."""
        step = self._noisy_steps
        # (12); its p is with the noise, and rounding may break Cauchy and Schwarz by a digit.
        most = step["r"] * step["g"] * (1 - 1e-15)
        at = {"g": step["g"], "eta": step["eta"], "r": step["r"]}
        at["p"] = np.clip(step["slope"], -most, most)
        return Observable(step["s"] ** 2, at=at, rounding=1e-12, unit="length^2")

    @observable
    def noisy_slope(self) -> Observable:
        """Gradient times distance from the comparator, in steps whose noise is projected."""
        step = self._noisy_steps
        r, s, g, eta = (step[name] for name in ("r", "s", "g", "eta"))
        # (13), and (23) as `step`: telescoping + eta g^2/2 - gradient times noise.
        telescoping = (r - s) * (r + s) / (2 * eta)
        at = {name: step[name] for name in ("s", "g", "q", "eta", "r")}
        at["step"] = telescoping + eta * g**2 / 2 - step["q"]
        largest = np.abs(telescoping).max() + (eta * g**2).max() + np.abs(step["q"]).max()
        return Observable(step["p"], at=at, rounding=1e-12 * float(largest), unit="loss")

    @cached_property
    def _noisy_steps(self) -> dict[str, np.ndarray]:
        """The steps into the requests, with noise half as long as the way to the comparator."""
        _, tau = self.run.spaced_deletions()
        t = np.repeat([request - 1 for request in tau if request >= 2], DRAWS)
        if not t.size:
            raise NotMeasured("no request follows a round")
        path = self.run.plain
        star = path.stars[0]
        eta = path.eta[t - 1]
        w = path.points[0, t - 1]
        pull = path.pulls[0, t - 1]
        xi = self._noise_towards(w - star)
        after = projected_rows(self.run.stream.domain, w - eta[:, None] * pull + xi)
        return {
            "r": np.linalg.norm(w - star + xi, axis=1),
            "s": np.linalg.norm(after - star, axis=1),
            "g": np.linalg.norm(pull, axis=1),
            "p": ((w - star) * pull).sum(axis=1),
            "q": (pull * xi).sum(axis=1),
            "slope": ((w - star + xi) * pull).sum(axis=1),
            "eta": eta,
        }

    def _noise_towards(self, away: np.ndarray) -> np.ndarray:
        """Random directions, half as long as each row (n, d)."""
        draws = np.random.default_rng(self.run.experiment.seed).normal(size=away.shape)
        lengths = np.linalg.norm(away, axis=1)
        return np.asarray(draws * (lengths / np.linalg.norm(draws, axis=1) / 2)[:, None])

    def shares(self, omega: float = 1.2) -> list[float]:
        """sigma_i of Algorithm 1 over what a deleted step has become at tau_i (k,)."""
        epsilon = self.run.experiment.epsilon
        if epsilon is None:
            raise NotMeasured("epsilon is not given")
        k = len(self.run.spaced_deletions()[0])
        scale = omega / (2 * (omega - 1) * epsilon)
        return [math.sqrt(scale * i**omega) for i in range(1, k + 1)]

    @observable
    def paper_noise_part(self) -> Observable:
        """E B of Algorithm 1's noise where steps do not expand, from the sizes of the steps."""
        part = self._noise_part(self._sigmas(1.2))
        return Observable(part, basis="rows", unit="loss")

    @observable
    def adaptive_noise_part(self) -> Observable:
        """The same of steps D/sqrt(p(t)) at omega = 1.5, from the squares p of the path."""
        u, tau = self.run.spaced_deletions()
        p = np.cumsum(self.run.plain.norms**2)
        at = {"p_u": p[np.array(u) - 1].tolist(), "p_tau": p[np.array(tau) - 2].tolist()}
        part = self._noise_part(self._sigmas(1.5))
        return Observable(part, at=at, basis="rows", rounding=1e-9, unit="loss")

    @observable
    def least_noise_price(self) -> Observable:
        """What the least noise of the requests costs, in units of d L^2/(4 epsilon mu)."""
        c = self.run.stream.constants
        epsilon = self.run.experiment.epsilon
        of_a_coordinate = (
            self._noise_part(self.run.rule.get("sigmas", 0.0)) / self.run.stream.dimension
        )
        price = of_a_coordinate * 4 * epsilon * c.strong_convexity / c.lipschitz**2
        return Observable(price, basis="rows")

    def _sigmas(self, omega: float) -> list[float]:
        """Algorithm 1's noise where a deleted step eta_{u_i} L arrives as it was (k,)."""
        u, _ = self.run.spaced_deletions()
        eta = self.run.plain.eta
        L = self.run.stream.constants.lipschitz
        return [share * L * eta[j - 1] for share, j in zip(self.shares(omega), u, strict=True)]

    def _noise_part(self, sigmas: Any) -> float:
        """sum d sigma_i^2/(2 eta_{tau_i - 1}): E B."""
        _, tau = self.run.spaced_deletions()
        eta = self.run.plain.eta[np.array(tau) - 2]
        return float(self.run.stream.dimension * (np.square(sigmas) / (2 * eta)).sum())
