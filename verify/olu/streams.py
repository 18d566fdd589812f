"""Random streams inside the hypotheses of olu Theorem 2, with their exact expected regrets."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bounds
from simulators.exact.projected_stream import comparator_losses, expected_losses
from verify.checks import Context
from verify.evidence import Comparison

Array = NDArray[np.float64]


def own_noise(
    epsilon: float,
    L: float,
    mu: float,
    beta: float,
    u: Sequence[int],
    tau: Sequence[int],
    omega: float = 1.2,
) -> Array:
    """sigma_i of olu Algorithm 1, line 5, at eta_t = 1/(mu t)."""
    gamma = (beta - mu) / (beta + mu)
    n = np.asarray(u, float)
    t = np.asarray(tau, float)
    i = np.arange(1, n.size + 1)
    weight = omega * i**omega / (2 * epsilon * (omega - 1))
    return np.asarray(np.sqrt(weight) * gamma ** (t - n) * L / (mu * n))


def least_noise(epsilon: float, L: float, mu: float, tau: Sequence[int]) -> Array:
    """sigma_i of the repaired theorem: (2i - 1) L^2/(2 eps mu^2 (tau_i - 1)^2), rooted."""
    i = np.arange(1, len(tau) + 1)
    return np.asarray(np.sqrt((2 * i - 1) / (2 * epsilon)) * L / (mu * (np.asarray(tau) - 1.0)))


@dataclass(frozen=True)
class BoxQuadratics:
    """Losses (h_t/2)|z - x_t|^2 on the box [-radius, radius]^d, steps 1/(mu t), from 0.

    points (d, T) lie in the box; curvature (T,) in [mu, beta].
    """

    points: Array
    curvature: Array
    mu: float
    radius: float

    @property
    def lipschitz(self) -> float:
        """L, the largest gradient norm on the box."""
        reach = np.sqrt(((self.radius + np.abs(self.points)) ** 2).sum(axis=0))
        return float((self.curvature * reach).max())

    def regret(
        self, u: Sequence[int], tau: Sequence[int], sigmas: Array, moving: bool = True
    ) -> float:
        """Exact expected regret with noise sigma_i at tau_i, projected after it (olu eq 5)."""
        steps = 1 / (self.mu * np.arange(1, self.points.shape[1] + 1))
        sigmas = np.where(sigmas < 1e-6 * self.radius, 0.0, sigmas)
        played = expected_losses(self.points, self.curvature, steps, self.radius, tau, sigmas)
        chosen = (u, tau) if moving else ((), ())
        compared = comparator_losses(self.points, self.curvature, *chosen)
        return float((played - compared).sum())


def draw(rng: np.random.Generator, requests: int = 3) -> tuple[BoxQuadratics, dict[str, Any]]:
    """A random box, and the inputs of Theorem 2 that go with it (epsilon: noisy, not drowned)."""
    mu = float(rng.uniform(0.3, 3))
    ratio = float(rng.uniform(1, 4))
    T = int(rng.integers(12, 70))
    d = int(rng.integers(1, 4))
    k = int(rng.integers(1, requests + 1))
    first = math.ceil(0.5 + ratio)
    u = rng.choice(np.arange(first, first + k + 2), size=k, replace=False)
    low = np.maximum.accumulate(u + 1)
    tau = np.sort(np.minimum(low + rng.integers(0, T, size=k) // 2, T))
    radius = float(rng.uniform(0.3, 2))
    points = rng.uniform(-1, 1, size=(d, T)) * rng.uniform(0.1, 1) * radius
    if rng.uniform() < 0.5:
        points = np.sign(points) * radius * np.sign(rng.normal(size=(d, 1)))
    curvature = np.full(T, mu) if rng.uniform() < 0.4 else mu * rng.uniform(1, ratio, size=T)
    box = BoxQuadratics(points, curvature, mu, radius)
    sigma = float(rng.uniform(0.02, 0.8)) * radius
    L = box.lipschitz
    epsilon = (L / (mu * (tau[0] - 1) * sigma)) ** 2 / 2
    return box, {
        "T": T,
        "d": d,
        "epsilon": float(epsilon),
        "L": L,
        "mu": mu,
        "beta": mu * ratio,
        "u": u.tolist(),
        "tau": tau.tolist(),
    }


def among(inputs: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The inputs among `names`."""
    return {name: inputs[name] for name in names if name in inputs}


Rows = Sequence[tuple[float, Mapping[str, Any]]]


def compare_many(
    ctx: Context, interpretation: str, form: str, rows: Rows, instance: str, best: bool = True
) -> Comparison:
    """One comparison over (measured, inputs) rows whose inputs hold lists; the worst is kept.

    `best`: whether the best form of the claim is known to be tight here.
    """

    def values(name: str) -> Array:
        symbols = tuple(ctx.claim.symbols)
        return np.array([float(ctx.claim(name, **among(i, symbols))) for _, i in rows])

    measurements = np.array([m for m, _ in rows])
    bound = values(form)
    tight = values("tight" if "tight" in ctx.claim.forms else "corrected") if best else np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.where(bound > 0, measurements / bound, measurements - bound)
    inputs = {**rows[int(np.argmax(score))][1], "streams": len(rows)}
    return ctx.compare(
        interpretation, form, measurements, inputs, instance, bound=bound, tight=tight
    )


def restarts(ctx: Context, interpretation: str, words: str, script: str) -> Iterator[Comparison]:
    """The printed bound without its noise against restarting in equal blocks, L = mu = 1."""
    for k in (1, 2, 3, 5, 10):
        for T in (10**3, 10**4, 10**6):
            tau = [round(T * (i + 1) / (k + 1)) for i in range(k)]
            bound = bounds.get("olu.tab2")("corrected", T=T, L=1.0, mu=1.0, tau=tau)
            cost = math.log(T) + 2 * k**2
            at = {"T": T, "k": k, "L": 1.0, "mu": 1.0}
            more = {"role": "class", "script": script}
            yield ctx.compare(interpretation, "printed", cost, at, words, bound=bound, **more)


def regrets(
    rng: np.random.Generator,
    count: int,
    noise: Callable[[Mapping[str, Any]], Array],
    moving: bool = True,
    requests: int = 3,
) -> list[tuple[float, dict[str, Any]]]:
    """(exact expected regret, inputs) of `count` random boxes."""
    rows = []
    for _ in range(count):
        box, inputs = draw(rng, requests)
        rows.append((box.regret(inputs["u"], inputs["tau"], noise(inputs), moving), inputs))
    return rows


def with_own_noise(inputs: Mapping[str, Any]) -> Array:
    """`own_noise` at the inputs of Theorem 2."""
    return own_noise(**among(inputs, ("epsilon", "L", "mu", "beta", "u", "tau")))


def with_least_noise(inputs: Mapping[str, Any]) -> Array:
    """`least_noise` at the inputs of Theorem 2."""
    return least_noise(**among(inputs, ("epsilon", "L", "mu", "tau")))


# The refuting stream: f_4 = (z - 1/2)^2/2, every other loss z^2/2, on [-1/2, 1/2]; L = mu = 1.


def edge_box(T: float, d: float, L: float, mu: float, u: Sequence[float]) -> BoxQuadratics:
    """Removed points at a corner of [-R, R]^d, others 0, curvature mu; R such that L is exact."""
    radius = L / (2 * mu * math.sqrt(d))
    points = np.zeros((int(d), int(T)))
    points[:, np.asarray(u, dtype=int) - 1] = radius
    return BoxQuadratics(points, np.full(int(T), mu), mu, radius)
