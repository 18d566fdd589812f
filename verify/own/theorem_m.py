"""Theorem M, publications, the duality of X2: laws on a line, sharp cases, another route."""

import itertools
import math
from typing import Any

import numpy as np
from scipy.optimize import nnls
from scipy.special import ndtr

from accounting.contraction.noisy_contraction import pabi_allocation, pabi_mu
from simulators.exact.linear_chain import recursion
from verify.checks import Check, Context, Findings

Array = np.ndarray
_GRID = np.linspace(-16, 16, 1281)
_LEAST = 1e-6  # of delta; below, the grid tells nothing
_NOTHING = 1e-21  # of the mass: what is lost with it is lost in rounding
_WIDTH = _GRID[1] - _GRID[0]
_CURVED = (
    lambda x: np.abs(x - 0.3),
    lambda x: np.clip(x, -0.5, 0.8),
    lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.4, 0),
    lambda x: np.sin(x + 0.5),
)


def laws(c: Array, shift: Array, s: Array, q: Array, maps: list[Any]) -> tuple[Array, Array]:
    """Densities on the grid: with the row in each batch by a draw, and without it."""
    law = without = np.zeros(_GRID.size)
    law[_GRID.size // 2] = 1.0
    for k, move in enumerate(maps):
        some = np.maximum(law, without) > _NOTHING
        place = c[k] * move(_GRID[some])
        law = law[some]
        without = without[some]
        still = _noised(place, s[k])
        shifted_law = law * q[k] @ _noised(place + shift[k], s[k]) if q[k] else 0.0
        law = law * (1 - q[k]) @ still + shifted_law
        without = without @ still
    return law / _WIDTH, without / _WIDTH


def _noised(place: Array, s: float) -> Array:
    """Of a law at each place, the mass that noise leaves in each cell of the grid."""
    cell = _WIDTH / s / math.sqrt(2 * math.pi)
    mass: Array = np.exp(-(((_GRID - place[:, None]) / s) ** 2) / 2) * cell
    return mass


def divergence(p: Array, q: Array, gamma: float) -> float:
    """Integral of the positive part of p - gamma q, between the points a line."""
    d = p - gamma * q
    left_ends, right_ends = d[:-1], d[1:]
    gap = np.where(left_ends == right_ends, 1.0, np.abs(left_ends - right_ends))
    crossing = np.where(
        left_ends * right_ends < 0, np.maximum(left_ends, right_ends) ** 2 / gap, 0.0
    )
    both = np.where((left_ends >= 0) & (right_ends >= 0), left_ends + right_ends, 0.0)
    return float((crossing + both).sum() * _WIDTH / 2)


def bounds_of(chances: Array, mus: Array, gamma: float) -> tuple[float, float]:
    """The theorem's two sides, on a fine grid of z (so a little below the maximum)."""
    z = np.linspace(-12, 12, 4801)
    mixed = ndtr(z[:, None] + mus) @ chances
    back = ndtr(z[:, None] - mus) @ chances
    return float((mixed - gamma * ndtr(z)).max()), float((ndtr(z) - gamma * back).max())


def patterns(c: Array, shift: Array, s: Array, q: Array) -> tuple[Array, Array, Array]:
    """Chances, least mu, and the mu of linear maps, of every batch pattern."""
    after = np.append(np.cumprod(c[::-1])[::-1][1:], 1.0)
    deviation = math.sqrt(((s * after) ** 2).sum())
    rows = []
    for pattern in itertools.product((0.0, 1.0), repeat=c.size):
        b = np.array(pattern)
        chance = np.prod(np.where(b > 0, q, 1 - q))
        if chance > 0:
            rows.append((chance, pabi_mu(c, b * shift, s), (b * shift * after).sum() / deviation))
    chances, mus, linear = np.array(rows).T
    return chances, mus, linear


def check_mixture(ctx: Context) -> Findings:
    """Divergences of mixtures on a line, curved maps and linear ones, both directions."""
    for rng in ctx.draws(12, 120):
        N, K = int(rng.integers(1, 5)), int(rng.integers(0, 3))
        c = rng.uniform(0.5, 1, N + K)
        s = rng.uniform(0.5, 1, N + K)
        q = np.where(np.arange(N + K) < N, rng.uniform(0.1, 0.9), 0.0)
        shift = rng.uniform(0.2, 1.2, N + K)
        chances, mus, linear = patterns(c, shift, s, q)
        inputs = {"N": N, "K": K}
        gamma = math.exp(rng.uniform(0, 1.5))
        curved = [_CURVED[i] for i in rng.integers(0, len(_CURVED), N + K)]
        for interpretation, maps, least in (
            ("literal", curved, mus),
            ("linear", [lambda x: x] * (N + K), linear),
        ):
            p, without = laws(c, shift, s, q, maps)
            pairs = (p, without), (without, p)
            for (one, two), bound in zip(pairs, bounds_of(chances, least, gamma), strict=True):
                if bound > _LEAST:
                    yield ctx.compare(
                        interpretation,
                        "tight",
                        divergence(one, two, gamma),
                        inputs,
                        f"{interpretation} maps on a line",
                        bound=bound,
                        tolerance=2e-3,
                        relation="<=" if interpretation == "literal" else "==",
                    )
    # With the mu of linear maps in place of the minorant's it is false: forget, then shift.
    c = np.array([0.9, 0.9])
    s = np.ones(2)
    q = np.array([0.0, 1.0])
    shift = np.ones(2)
    p, without = laws(c, shift, s, q, [lambda x: 0 * x] * 2)
    chances, _, linear = patterns(c, shift, s, q)
    yield ctx.compare(
        "literal",
        "tight",
        divergence(p, without, 1.5),
        {"N": 2, "K": 0},
        "psi_2 = 0, a row in the last batch alone",
        bound=bounds_of(chances, linear, 1.5)[0],
        role="control",
    )


_COARSE = np.linspace(-10, 10, 401)
_CELL = _COARSE[1] - _COARSE[0]


def kernel(c: Array, shift: Array, s: Array, q: Array, maps: list[Any]) -> Array:
    """Densities on the coarse grid after some steps, from each of its points."""
    densities: Array = np.eye(_COARSE.size) / _CELL
    for k, move in enumerate(maps):
        place = c[k] * move(_COARSE)
        step: Array = sum(
            p * np.exp(-(((_COARSE - at[:, None]) / s[k]) ** 2) / 2)
            for p, at in ((1 - q[k], place), (q[k], place + shift[k]))
        )
        densities = densities @ step * (_CELL / s[k] / math.sqrt(2 * math.pi))
    return densities


def check_joint(ctx: Context) -> Findings:
    """Two models: the second is made by maps that the sign of the first chooses."""
    for rng in ctx.draws(6, 60):
        size = int(rng.integers(1, 3))
        c = rng.uniform(0.5, 1, (2, size))
        s = rng.uniform(0.6, 1, (2, size))
        shift = rng.uniform(0.2, 1, (2, size))
        chance = rng.uniform(0.1, 0.9, (2, size))
        gamma = math.exp(rng.uniform(0, 1))
        curved = [[_CURVED[i] for i in rng.integers(0, len(_CURVED), size)] for _ in range(3)]
        plain = [[lambda x: x] * size] * 3
        for interpretation, maps, q in (
            ("literal", curved, chance),
            ("linear", plain, np.ones((2, size))),
        ):
            joint = []
            for there in (1.0, 0.0):
                first = kernel(c[0], shift[0], s[0], q[0] * there, maps[0])[_COARSE.size // 2]
                second = [kernel(c[1], shift[1], s[1], q[1] * there, way) for way in maps[1:]]
                chosen = np.where(_COARSE[:, None] > 0, *second)
                joint.append(first[:, None] * chosen)
            one, two = (patterns(c[i], shift[i], s[i], q[i]) for i in range(2))
            mus = (two, one) if interpretation == "literal" else (two[::2], one[::2])
            whole = np.hypot(mus[0][1][:, None], mus[1][1]).ravel()
            weight = (two[0][:, None] * one[0]).ravel()
            for (p, other), bound in zip(
                (joint, joint[::-1]), bounds_of(weight, whole, gamma), strict=True
            ):
                exact = float(np.maximum(p - gamma * other, 0).sum()) * _CELL**2
                if bound > 1e-4:
                    yield ctx.compare(
                        interpretation,
                        "tight",
                        exact,
                        {"N": size},
                        f"{interpretation} maps, two publications",
                        bound=bound,
                        tolerance=1e-2,
                        relation="<=" if interpretation == "literal" else "==",
                    )
            if interpretation == "linear":
                alone = bounds_of(two[0], two[2], gamma)[0]
                yield ctx.compare(
                    "linear",
                    "tight",
                    exact,
                    {"N": size},
                    "the last model alone",
                    bound=alone,
                    relation="<=",
                    role="control",
                )


def largest(w: Array, dx: Array) -> float:
    """max <w, lambda> over rising slopes of unit length: the length of a projection on a cone."""
    root = np.sqrt(dx)
    rising = np.tril(np.ones((w.size, w.size))) * root[:, None]
    weights, _ = nnls(rising, w / root)
    return float(np.linalg.norm(rising @ weights))


def check_dual(ctx: Context) -> Findings:
    """mu of random chains by projection on rising slopes, and by the chain of these slopes."""
    for rng in ctx.draws(60, 600):
        N = int(rng.integers(1, 16))
        c, s = rng.uniform(0.3, 1.2, N), rng.uniform(0.1, 2, N)
        shift = rng.exponential(size=N) * (rng.uniform(size=N) < 0.5)
        after = np.append(np.cumprod(c[::-1])[::-1][1:], 1.0)
        w, dx = shift * after, (s * after) ** 2
        inputs = {"N": N}
        mu = pabi_mu(c, shift, s)
        yield ctx.compare(
            "literal",
            "tight",
            largest(w, dx),
            inputs,
            "projection on the cone of rising slopes",
            bound=mu,
            relation="==",
            tolerance=1e-8,
        )
        if mu == 0:
            continue
        slope = pabi_allocation(c, shift, s).amounts * after / dx
        before = np.concatenate(([0.0], slope[:-1]))
        slower = np.where(slope > 0, c * before / np.where(slope > 0, slope, 1.0), 0.0)
        slower = np.minimum(slower, c)
        gap, variance = recursion(slower, shift, s**2, 0.0, 0.0)
        yield ctx.compare(
            "literal",
            "tight",
            gap / math.sqrt(variance),
            inputs,
            "the linear chain of the slopes, no map steeper than c_k",
            bound=mu,
            relation="==",
            tolerance=1e-8,
        )


CHECKS = (
    Check("own.mix", evidence=check_mixture).measured_by(
        "langevin", "inclusion_divergence", interpretations=("literal",), sides={"tight": "mixed"}
    ),
    Check("own.joint", evidence=check_joint).measured_by(
        "langevin", "published_divergence", interpretations=("linear",), sides={"tight": "joined"}
    ),
    Check("own.dual", evidence=check_dual),
)
