"""Clipped gradients: Lipschitz constants by pairs of points, steps in common by exact laws."""

import math
from collections.abc import Callable, Mapping

import numpy as np
from scipy.special import erf, expit

from accounting.curves.gaussian import delta_gdp, mu_gdp
from simulators.exact import line_divergence, transfer
from simulators.exact.line import LineLaw
from verify.checks import Check, Context, Findings, Instances, Limit, case_table

Array = np.ndarray
MOST_NODES = 2000  # of a grid: its transfer matrix is dense
EPSILONS = (0.0, 0.5, 1.0, 2.0)


def steepest(eta: float, lam: float, L0: float, m: float, B: float) -> float:
    """The largest ratio of distances of m equal rows of Huber's loss, by pairs of points.

    One pair within the clip, one beyond it; a = sqrt(L0) e_1, C = 1.
    """
    root = math.sqrt(L0)

    def step(x: Array) -> Array:
        clipped = root * np.clip(root * x, -1 / root, 1 / root) if L0 > 0 else 0 * x
        return x - eta / B * m * clipped - eta * lam * x

    inside = 0.25 / max(L0, 1.0)
    beyond = 4 / L0 if L0 > 0 else 4.0
    pairs = np.array([[-inside, inside], [beyond, 2 * beyond]])
    return float((np.abs(np.diff(step(pairs))) / np.abs(np.diff(pairs))).max())


def check_glm(ctx: Context) -> Findings:
    """Ratios of distances under a clipped step, random logistic rows and pairs of points."""
    for rng in ctx.draws(40, 400, block=1):
        m, d = int(rng.integers(1, 9)), int(rng.integers(1, 5))
        B, C = m + int(rng.integers(0, 4)), float(rng.uniform(0.05, 1.5))
        features = rng.normal(size=(m, d))
        norms = np.linalg.norm(features, axis=1)
        inputs = {
            "eta": float(rng.uniform(0.1, 6)),
            "lam": float(rng.exponential() * 0.2),
            "L0": float((norms**2).max()) / 4,
            "m": m,
            "B": B,
        }

        x = rng.normal(size=(200, d)) * 3
        y = x + rng.normal(size=(200, d)) * 10 ** rng.uniform(-3, 1, (200, 1))
        images = [_logistic_step(v, features, C / norms, inputs) for v in (x, y)]
        ratio = np.linalg.norm(images[0] - images[1], axis=1) / np.linalg.norm(x - y, axis=1)
        yield ctx.compare(
            "literal", "tight", ratio.max(), inputs, "random rows of logistic loss, pairs of points"
        )
    yield from _softmax(ctx)


def _logistic_step(x: Array, a: Array, cap: Array, p: Mapping[str, float]) -> Array:
    """A clipped step on rows of logistic loss with labels 1."""
    slopes = np.clip(-expit(-x @ a.T), -cap, cap)
    return np.asarray((1 - p["eta"] * p["lam"]) * x - p["eta"] / p["B"] * slopes @ a)


def _softmax(ctx: Context) -> Findings:
    """One row x = 1 of three classes, logits (0, 0, 2), label 1, C = 1: a small step expands."""
    here = np.array([0.0, 0.0, 2.0])
    offset = np.array([0.254, -0.799, 0.545]) * 1e-3

    def step(w: Array, eta: float) -> Array:
        p = np.exp(w - w.max())
        g = p / p.sum() - np.array([0.0, 1.0, 0.0])
        return np.asarray(w - eta * g * min(1.0, 1 / float(np.linalg.norm(g))))

    inputs = {"eta": 0.01, "lam": 0.0, "L0": 0.5, "m": 1, "B": 1}
    ratio = np.linalg.norm(step(here + offset, 0.01) - step(here - offset, 0.01))
    yield ctx.compare(
        "vector",
        "tight",
        ratio / np.linalg.norm(2 * offset),
        inputs,
        "softmax of three classes, a clipped row, two points",
        script="clip_softmax",
    )


def from_two_starts(c: float, s: float, noise: float, z0: float, K: float) -> float:
    """The least mu that the exact laws of x -> c x + (s/2) sign(x) from +-z0/2 allow.

    One step: two Gaussians. More: on an interval that no path leaves, by the transfer operator.
    """
    starts = (z0 / 2, -z0 / 2)
    if K == 1 or s == 0:
        gap, variance = z0, 0.0
        for _ in range(int(K)):
            gap, variance = c * gap + s, c**2 * variance + noise**2
        return gap / math.sqrt(variance)
    half_width = z0 / 2 + K * s / 2 + 9 * noise * math.sqrt(K)
    count = max(200, math.ceil(14 * half_width / noise))
    if not count <= MOST_NODES:
        raise ValueError(f"noise must be resolved by {MOST_NODES} nodes, got {count} for {noise}")
    grid = transfer.Grid.make(half_width, count, [0.0])

    def psi(x: Array) -> Array:
        return np.asarray(c * x + np.where(x >= 0, s, -s) / 2)

    step = transfer.Step.make(grid, psi, noise)
    p, q = (transfer.evolve(transfer.Atoms.at(x), [step], int(K)) for x in starts)
    largest_mu = 0.0
    for epsilon in EPSILONS:
        delta = max(line_divergence.hockey_stick(*pair, epsilon) for pair in ((p, q), (q, p)))
        if 1e-9 < delta < 1 - 1e-9:
            largest_mu = max(largest_mu, float(mu_gdp(epsilon, delta * (1 - 1e-7))))
    return largest_mu


def jumping(c: float, s: float, places: Array, sides: Array) -> Callable[[Array], Array]:
    """x -> c x + (s/2) times one of the sides, by where x lies among the places."""
    return lambda x: np.asarray(c * x + s / 2 * sides[np.searchsorted(places, x)])


def check_steps(ctx: Context) -> Findings:
    """delta(epsilon) of one step from two starts, exactly; then runs that stop in between."""
    inputs = {"c": 0.9, "s": 0.4, "noise": 1.0, "z0": 1.0, "K": 1}
    p, q = (LineLaw(np.ones(1), np.array([x]), np.ones(1)) for x in (0.65, -0.65))
    for epsilon, reference in ((0.0, 0.48430777838827), (1.0, 0.24074896038423)):
        exact = line_divergence.hockey_stick(p, q, epsilon)
        for value in (exact, reference):
            yield ctx.compare(
                "literal",
                "tight",
                value,
                {**inputs, "epsilon": epsilon},
                "one step from two starts, delta(epsilon)",
                relation="==",
                tight=math.nan,
                bound=delta_gdp(ctx.claim("tight", **inputs), epsilon),
            )
    yield ctx.compare(
        "literal",
        "tight",
        1.3,
        inputs,
        "a thousandth less would be too small",
        bound=1.3 * 0.999,
        role="control",
    )
    yield from _stopped(ctx)


def _stopped(ctx: Context) -> Findings:
    """Random monotone and other jumps, different in every step: both directions, exact laws."""
    for rng in ctx.draws(6, 60, block=2):
        K, c, s = int(rng.integers(2, 5)), float(rng.uniform(0.3, 1)), float(rng.exponential() / 2)
        noise = float(rng.uniform(0.5, 1.5))
        z0 = float(rng.uniform(0, 3))
        half_width = z0 / 2 + K * s / 2 + 9 * noise * math.sqrt(K)
        jumps = [np.sort(rng.uniform(-z0, z0, 2)) if z0 else np.zeros(2) for _ in range(K)]
        grid = transfer.Grid.make(
            half_width, math.ceil(16 * half_width / noise) + 120, np.unique(jumps).tolist()
        )
        maps = []
        for jump_points in jumps:
            maps.append(
                transfer.Step.make(grid, jumping(c, s, jump_points, rng.uniform(-1, 1, 3)), noise)
            )
        p, q = (transfer.evolve(transfer.Atoms.at(x), maps) for x in (z0 / 2, -z0 / 2))
        inputs = {"c": c, "s": s, "noise": noise, "z0": z0, "K": K}
        mu = ctx.claim("tight", **inputs)
        for epsilon in EPSILONS[:3]:
            exact = max(line_divergence.hockey_stick(*pair, epsilon) for pair in ((p, q), (q, p)))
            yield ctx.compare(
                "literal",
                "tight",
                exact,
                {**inputs, "epsilon": epsilon},
                "maps with two random jumps, delta(epsilon), both directions",
                bound=delta_gdp(mu, epsilon),
                tight=math.nan,
                tolerance=1e-8,
            )


def of_signs(epsilon: float, mu: float, K: float) -> float:
    """H of K steps x -> (mu/2) sign(x) + N(0, 1) from two starts of different sign: exact.

    The sign is a chain of two states that remembers erf(mu/sqrt 8)^k of where it began.
    """
    correlation = float(erf(mu / math.sqrt(8))) ** (int(K) - 1)
    means = np.array([mu / 2, -mu / 2])
    p, q = (
        LineLaw(np.array([1 + w, 1 - w]) / 2, means, np.ones(2))
        for w in (correlation, -correlation)
    )
    return line_divergence.hockey_stick(p, q, epsilon)


CHECKS = (
    Check(
        "own.clip",
        evidence=check_glm,
        exact_side=steepest,
        at=(
            Instances(
                "equal rows of Huber's loss, within the clip and beyond it",
                draws=(40, 400),
                within={"eta": (0.01, 5), "lam": (0, 2), "L0": (0, 4), "m": (1, 9), "B": (1, 9)},
                interpretations=("literal",),
                relations={"tight": "=="},
                tolerance=1e-9,
            ),
        ),
    ).measured_by(
        "langevin",
        "expansion",
        symbols={"lam": "m", "m": "b", "B": "b"},
        interpretations=("literal",),
        where=("clipped predictions",),
    ),
    Check(
        "own.clipped",
        evidence=check_steps,
        exact_side=from_two_starts,
        at=(
            Instances(
                "jumps at 0 from two starts, one step",
                draws=(40, 400),
                within={"K": (1, 1), "z0": (0, 5), "s": (0, 3), "noise": (0.1, 3)},
                relations={"tight": "=="},
            ),
            Instances(
                "jumps at 0 from two starts, exact laws",
                case_table("c s noise z0 K", (0.9, 0.4, 1.0, 1.0, 2), (0.5, 1.0, 1.0, 3.0, 3)),
                draws=(6, 60),
                within={"K": (2, 5), "z0": (0.2, 4), "s": (0, 2), "noise": (0.5, 1.5)},
                tolerance=1e-7,
            ),
        ),
    ).measured_by(
        "langevin",
        "same_maps_mu",
        symbols={"s": 0.0, "noise": "s", "z0": "Z", "K": "N"},
        where=("short steps",),
    ),
    Check(
        "own.common",
        exact_side=of_signs,
        at=(
            Instances(
                "signs, at epsilon = 0",
                draws=(20, 200),
                within={"epsilon": (0, 0), "mu": (0.2, 5), "K": (1, 8)},
                relations={"tight": "=="},
            ),
            Instances(
                "signs, one step",
                draws=(20, 200),
                within={"epsilon": (0, 3), "mu": (0.5, 5), "K": (1, 1)},
                relations={"tight": "=="},
            ),
            Instances(
                "signs, several steps",
                draws=(30, 300),
                within={"epsilon": (0, 3), "mu": (0.5, 5), "K": (2, 9)},
            ),
        ),
        limits={"literal": Limit("probabilities near 1 are subtracted", size=lambda p: 1.0)},
    ).measured_by("langevin", "common_divergence"),
)
