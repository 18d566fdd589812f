"""olu's remarks on learners without deletions: follow the leader, and footnote 1."""

import math

import numpy as np
from numpy.typing import NDArray

from verify.checks import Check, Context, Findings

Array = NDArray[np.float64]


def leaders(data: Array, gone: Array) -> Array:
    """The minimiser of sum (z - x)^2/2 over what round t has seen and keeps; 0 at first.

    gone: round in which each loss is deleted, infinity where it is not.
    """
    T = len(data)
    kept_mask = (np.arange(T) < np.arange(T)[:, None]) & (gone > np.arange(T)[:, None])
    return np.asarray((kept_mask @ data) / np.maximum(kept_mask.sum(axis=1), 1))


def regret(data: Array, gone: Array) -> float:
    """Equation 5: against the minimiser of all losses but those deleted before the round."""
    played, T = leaders(data, gone), len(data)
    present = gone > np.arange(T)[:, None]
    stars = (present @ data) / present.sum(axis=1)
    return float(np.sum((played - data) ** 2 - (stars - data) ** 2) / 2)


def regret_bound(T: int, gone: Array) -> float:
    """L = mu = 1: the standard bound and what the deletions add."""
    t = np.arange(1, T + 1)
    i = (gone[:, None] < t).sum(axis=0)  # deletions before round t
    shift = np.where(t - 1 > i, i / np.maximum(t - 1 - i, 1), 1.0)
    apart = np.minimum(np.where(i > 0, shift, 0.0), 1.0) + i / (T - i)
    return float(np.sum(1 / (2 * t)) + apart.sum())


def check_exact(ctx: Context) -> Findings:
    """Leaders after a deletion, against leaders that never saw the loss."""
    for rng in ctx.draws(10, 100):
        T = int(rng.integers(5, 60))
        data, deletion_times = rng.random(T), np.full(T, np.inf)
        u = int(rng.integers(0, T - 2))
        deletion_times[u] = tau = int(rng.integers(u + 1, T))
        never = leaders(np.delete(data, u), np.full(T - 1, np.inf))
        leader_path = leaders(data, deletion_times)[tau:]
        inputs = {"T": T, "u": u, "tau": tau}
        words = "squares on a line, from the deletion on"
        rest = never[tau - 1 :]
        yield ctx.compare(
            "literal", "printed", leader_path, inputs, words, bound=rest, relation="==", tight=rest
        )


def check_regret(ctx: Context) -> Findings:
    """Regret of the leader on squares with deletions, and on alternating linear losses."""
    rng = ctx.rng()
    for i in range(ctx.pick(30, 300)):
        T = 2 if i == 0 else int(rng.integers(2, 200))
        data = rng.integers(0, 2, T).astype(float)
        deletion_times = np.full(T, np.inf)
        data[0] = 1.0
        if i == 0:
            data[1] = 0.0  # the bound is attained
        k = int(rng.integers(0, 4)) if T > 10 else 0
        for u in rng.choice(T // 2, size=k, replace=False) if k else ():
            deletion_times[u] = int(rng.integers(u + 1, T))
        limit = regret_bound(T, deletion_times)
        total_regret = regret(data, deletion_times)
        words = "squares on [0, 1]"
        yield ctx.compare(
            "literal", "printed", total_regret, {"T": T, "k": k}, words, bound=limit, tight=limit
        )
    T = 2000
    signs = np.where(np.arange(T) == 0, 0.5, (-1.0) ** np.arange(T))
    before = np.concatenate(([-1.0], np.cumsum(signs)[:-1]))
    cost = float(signs @ (before < 0)) - min(0.0, float(signs.sum()))
    words = "alternating linear losses on [0, 1]"
    bound = 3 * math.sqrt(T)
    yield ctx.compare(
        "convex", "printed", cost, {"T": T}, words, bound=bound, script="ftl_regret_convex"
    )


def descent(curves: Array, kappa: float, start: float) -> float:
    """Regret of projected descent on [-1, 1] with f_t = c_t z^2/2, eta_t = 2/(kappa t)."""
    z, total = start, 0.0
    for t, c in enumerate(curves, 1):
        total += c * z * z / 2
        z = min(1.0, max(-1.0, z - 2 / (kappa * t) * c * z))
    return total


def check_footnote(ctx: Context) -> Findings:
    """Regret of descent on parabolas of one curvature and of random ones."""
    rng = ctx.rng()
    for i in range(ctx.pick(30, 300)):
        T, kappa = (2, 1.0) if i == 0 else (int(rng.integers(1, 100)), float(rng.uniform(0.1, 1)))
        curves = np.full(T, kappa) if i % 2 == 0 else rng.uniform(kappa, 1, T)
        L = float(curves.max())
        limit = 2 * L**2 / kappa * float(np.sum(1 / np.arange(1, T + 1)))
        regret = descent(curves, kappa, 1.0)
        inputs = {"T": T, "kappa": kappa, "L": L}
        words = "parabolas on [-1, 1]"
        yield ctx.compare("literal", "printed", regret, inputs, words, bound=limit, tight=limit)


def lost(tau: int, T: int, kappa: float, sigma: float) -> float:
    """Expected losses to noise at tau on f_t = kappa z^2/2, descent with eta_t = 2/(kappa t)."""
    t = np.arange(tau, T + 1)
    factors = np.concatenate(([1.0], np.cumprod(1 - 2 / t[:-1])))
    return float(kappa * sigma**2 / 2 * np.sum(factors**2))


def check_slower(ctx: Context) -> Findings:
    """Exact regret that one deletion at half time leaves on parabolas."""
    kappa, epsilon = 1.0, 800.0  # sigma = .05: at the walls +-1 only with probability e^-200
    sigma = 2 / kappa / math.sqrt(2 * epsilon)
    for T in (10**6, 10**7):
        at = {"T": T, "tau": T // 2, "u": 1, "kappa": kappa, "L": 1.0, "epsilon": epsilon}
        regret = lost(T // 2, T, kappa, sigma)
        words = "parabolas, exact"
        bound = 2 / kappa * (1 + math.log(T))
        yield ctx.compare("literal", "printed", regret, at, words, bound=bound)


CHECKS = (
    Check("olu.ftl", evidence=check_exact),
    Check("olu.ftl.regret", evidence=check_regret),
    Check("olu.footnote1", evidence=check_footnote),
    Check("olu.footnote1.slower", evidence=check_slower),
)
