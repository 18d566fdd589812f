"""Projected normalised descent on convex streams: its step term is attained, its path needed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence

Array = NDArray[np.float64]


def regret(U: float, W: float, gamma: float, start: Array, optima: Array) -> float:
    """The algorithm on R_t = U|w - w_t*|, with u_0 = start; a subgradient 0 is no step."""
    u, total = start, 0.0
    for best in optima:
        gap = u - best
        length = float(np.linalg.norm(gap))
        total += U * length
        if length:
            u = u - gamma * gap / length
        u = u * min(1.0, W / max(float(np.linalg.norm(u)), 1e-300))
    return total


def streams(ctx: Context) -> Iterator[tuple[str, float, float, float, Array, Array]]:
    """(words, U, W, step or NaN where it is to be tuned, u_0, w_t* with w_0* first)."""
    rng = ctx.rng()
    for _ in range(ctx.pick(60, 600)):
        T, d = int(rng.integers(1, 60)), int(rng.integers(1, 4))
        U, W, gamma = (float(x) for x in np.exp(rng.normal(size=3)))
        if rng.random() < 0.5:
            places = rng.normal(size=(T + 2, d))
            places *= (W * rng.random(T + 2) / np.linalg.norm(places, axis=1))[:, None]
        else:
            places = np.zeros((T + 2, d))
            places[:, 0] = W * np.sign(rng.normal(size=T + 2))
        yield "random streams", U, W, gamma, places[0], places[1:]


def check_ogd(ctx: Context) -> Iterator[Evidence]:
    for words, U, W, gamma, start, optima in streams(ctx):
        v = np.linalg.norm(np.diff(optima, axis=0), axis=1)
        at = {"U": U, "W": W, "gamma": gamma, "v": v}
        yield ctx.compare("literal", "corrected", regret(U, W, gamma, start, optima[1:]), at, words)
    T = 4000
    around = np.full((T, 1), 0.5)  # u goes to and fro between 0 and gamma = 1
    bound = float(ctx.claim("corrected", U=1.0, W=1.0, gamma=1.0, v=[0.0] * T))
    yield ctx.compare(
        "literal", "corrected", regret(1.0, 1.0, 1.0, np.zeros(1), around),
        {"U": 1.0, "W": 1.0, "gamma": 1.0, "T": T}, "to and fro about a minimiser at rest",
        bound=bound, tight=bound,
    )  # fmt: skip
    flips = np.where(np.arange(T + 1) % 2, -1.0, 1.0)[:, None]  # u_{t-1} = -w_t* each time
    found = regret(1.0, 1.0, 2.0, flips[0], flips[1:])
    inputs = {"U": 1.0, "W": 1.0, "gamma": 2.0, "T": T}
    bound = float(ctx.claim("corrected", U=1.0, W=1.0, gamma=2.0, v=[2.0] * T))
    words = "the minimiser changes sides in each round"
    yield ctx.compare("literal", "corrected", found, inputs, words, bound=bound, tight=bound)
    yield ctx.compare(
        "literal", "corrected", found, inputs, words + ": without its path the bound fails",
        bound=float(ctx.claim("corrected", U=1.0, W=1.0, gamma=2.0, v=[0.0] * T)), role="control",
    )  # fmt: skip


def check_tuned(ctx: Context) -> Iterator[Evidence]:
    for words, U, W, _, start, optima in streams(ctx):
        v = np.linalg.norm(np.diff(optima, axis=0), axis=1)
        gamma = float(np.sqrt(4 * W * (W + v.sum()) / len(v)))
        found = regret(U, W, gamma, start, optima[1:])
        yield ctx.compare("literal", "corrected", found, {"U": U, "W": W, "v": v}, words)
    T = 100
    flips = np.where(np.arange(T + 1) % 2, -1.0, 1.0)[:, None]
    gamma = float(np.sqrt(4 * (1 + 2 * T) / T))
    at = {"U": 1.0, "W": 1.0, "v": np.full(T, 2.0)}
    found = regret(1.0, 1.0, gamma, flips[0], flips[1:])
    words = "the minimiser changes sides in each round"
    yield ctx.compare("literal", "corrected", found, at, words)
    yield ctx.compare(
        "literal", "corrected", found, at, words + ": without its path the bound fails",
        bound=2 * np.sqrt(T), role="control",
    )  # fmt: skip


CHECKS = (
    Check("safe.thm2ii.ogd", evidence=check_ogd),
    Check("safe.thm2ii.ogd.tuned", evidence=check_tuned),
)
