"""The baselines of olu Table 2, played on the line: restart, and retraining by replay."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Steps = Callable[[int], float | Array]


def inverse_time(mu: float) -> Steps:
    """eta_t = 1/(mu t)."""
    return lambda t: 1 / (mu * t)


def inverse_root(D: float, L: float | Array) -> Steps:
    """eta_t = D/(L sqrt t)."""
    return lambda t: D / (L * t**0.5)


@dataclass(frozen=True)
class LineLosses:
    """f_t(z) = (h_t/2)(z - x_t)^2 + g_t z on [-radius, radius]; h, x, g have shape (n, T)."""

    h: Array
    x: Array
    g: Array
    radius: float

    @property
    def rounds(self) -> int:
        """T."""
        return int(self.h.shape[1])

    @property
    def lipschitz(self) -> Array:
        """L (n,), the largest slope on the interval."""
        ends = [np.abs(self.h * (e - self.x) + self.g) for e in (-self.radius, self.radius)]
        return np.asarray(np.maximum(*ends).max(axis=1))

    def value(self, t: int, z: Array) -> Array:
        """f_t(z), (n,)."""
        h = self.h[:, t - 1]
        x = self.x[:, t - 1]
        g = self.g[:, t - 1]
        return np.asarray(h / 2 * (z - x) ** 2 + g * z)

    def step(self, t: int, z: Array, eta: float | Array) -> Array:
        """P[z - eta f_t'(z)]."""
        slope = self.h[:, t - 1] * (z - self.x[:, t - 1]) + self.g[:, t - 1]
        return np.clip(z - eta * slope, -self.radius, self.radius)

    def minimiser(self, removed: Collection[int] = ()) -> Array:
        """argmin over the interval of all losses but the removed rounds, (n,)."""
        kept_mask = np.array([t not in removed for t in range(1, self.rounds + 1)])
        curve = self.h[:, kept_mask].sum(axis=1)
        tilt = self.g[:, kept_mask].sum(axis=1) - (self.h * self.x)[:, kept_mask].sum(axis=1)
        flat = curve <= 0
        inner = np.where(flat, -np.sign(tilt) * self.radius, -tilt / np.where(flat, 1.0, curve))
        return np.asarray(np.clip(inner, -self.radius, self.radius))

    def comparators(self, u: Sequence[int]) -> list[Array]:
        """z_0*..z_k* of eq 5."""
        return [self.minimiser(set(u[:i])) for i in range(len(u) + 1)]


def play(
    losses: LineLosses, steps: Steps, u: Sequence[int], tau: Sequence[int], baseline: str
) -> Array:
    """Regret (n,) against the comparators of eq 5, from 0.

    baseline "restart": after every round tau_i back to 0, steps from 1 again. "retrain": w_tau is
    replaced by the replay of the rounds before tau_i without u_1..u_i, steps as they were.
    """
    stars = losses.comparators(u)
    w = np.zeros(len(losses.h))
    since = 0
    total = np.zeros(len(losses.h))
    for t in range(1, losses.rounds + 1):
        if baseline == "retrain" and t in tau:
            w = np.zeros(len(losses.h))
            deletions = set(u[: int(np.searchsorted(tau, t, side="right"))])
            for s in range(1, t):
                if s not in deletions:
                    w = losses.step(s, w, steps(s))
        star = stars[int(np.searchsorted(tau, t, side="left"))]
        total = total + losses.value(t, w) - losses.value(t, star)
        w = losses.step(t, w, steps(t - since))
        if baseline == "restart" and t in tau:
            w, since = np.zeros(len(losses.h)), t
    return total


def chaser(T: int, tau: Sequence[int], radius: float) -> LineLosses:
    """Linear losses of slope +-1 that push a learner, restarted after tau_i, back across 0.

    The learner's steps are 2 radius/sqrt(t).
    """
    w, since, signs = 0.0, 0, np.empty(T)
    for t in range(1, T + 1):
        signs[t - 1] = 1.0 if w >= 0 else -1.0
        w = float(np.clip(w - signs[t - 1] * 2 * radius / (t - since) ** 0.5, -radius, radius))
        if t in tau:
            w, since = 0.0, t
    flat = np.zeros((1, T))
    return LineLosses(flat, flat, signs[None, :], radius)
