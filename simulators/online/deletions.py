"""Deletion schedules by name: which losses are asked to be removed, and when."""

from __future__ import annotations

import heapq

import numpy as np

from accounting.deletions.online_descent import OnlineDescent
from accounting.deletions.schedule import DeletionSchedule
from accounting.numerics import validation
from accounting.numerics.arguments import typed

NAMES = ("none", "early", "late", "random", "bursts", "simultaneous", "adversarial")


@typed
def deletions(
    name: str,
    rounds: int,
    k: int,
    *,
    seed: int = 0,
    first: int = 1,
    bursts: int = 3,
    descent: OnlineDescent | None = None,
) -> DeletionSchedule | None:
    """Return k requests in convention C, for k different losses; None for the name "none".

    early: the losses `first`, `first` + 1, ..., each asked for one round after it was suffered.
    late: random losses, asked for in the last k rounds, one a round.
    random: random losses at random later times.
    bursts: `bursts` moments, evenly spread, share the requests, for random earlier losses.
    simultaneous: random losses, all asked for after two thirds of the rounds.
    adversarial: the k losses and the common moment for which the two runs of `descent` are the
    farthest apart (S_k of `accounting.deletions.schedule.transport` is the largest any k losses
    reach at one moment; needs `descent`).

    rounds: T.  first: the least index u_i, where a theorem asks for one.  Everything random
    depends on (name, rounds, k, first, bursts, seed) only.

    Raises ValueError for a name that is none of these, or k losses that do not fit.
    """
    kind = validation.choice("name", name, NAMES)
    T = validation.count("rounds", rounds, low=1)
    low = validation.count("first", first, low=1, high=T)
    if kind == "none":
        return None
    number = validation.count("k", k, low=1)
    if not low + number <= T:
        raise ValueError(f"k must be in [1, {T - low}] for rounds {low}..{T}, got {number}")
    key = [validation.count("seed", seed, low=0), NAMES.index(kind)]
    random = np.random.default_rng(np.random.SeedSequence(key))
    if kind == "early":
        u = low + np.arange(number)
        return DeletionSchedule(u, u + 1)
    if kind == "adversarial":
        return _adversarial(T, number, low, descent)
    if kind == "late":
        tau = T - number + 1 + np.arange(number)
        u = random.permutation(np.arange(low, tau[0]))[:number]
        # Fewer losses come before the last k rounds: the first ones then, each before its request.
        if len(u) < number:
            u = low + np.arange(number)
        return DeletionSchedule(u, tau)
    if kind == "random":
        u = random.choice(np.arange(low, T), size=number, replace=False)
        tau = random.integers(u + 1, T + 1)
        # Requests stand in the order in which they are served.
        order = np.argsort(tau, kind="stable")
        return DeletionSchedule(u[order], tau[order])
    moments = 1 if kind == "simultaneous" else validation.count("bursts", bursts, low=1)
    moments = min(moments, number)
    times = _moments(T, number, low, moments)
    return _at(times, number, low, random)


def _moments(T: int, k: int, first: int, moments: int) -> np.ndarray:
    """Evenly spread times, each late enough for its share of k losses from `first` on."""
    # How many losses have been asked for after each moment: rounded up, k after the last.
    share = -(-k * np.arange(1, moments + 1) // moments)
    targets = (
        (T * (np.arange(1, moments + 1) + 1)) // (moments + 2) if moments > 1 else [2 * T // 3]
    )
    times: np.ndarray = np.minimum(np.maximum(targets, first + share), T)
    return times


def _at(times: np.ndarray, k: int, first: int, random: np.random.Generator) -> DeletionSchedule:
    selection: list[int] = []
    tau: list[int] = []
    shares = np.diff(np.concatenate(([0], -(-k * np.arange(1, len(times) + 1) // len(times)))))
    for time, share in zip(times.tolist(), shares.tolist(), strict=True):
        # Losses suffered before the moment that nobody has asked for yet.
        free = np.setdiff1d(np.arange(first, time), selection)
        selection += random.choice(free, size=share, replace=False).tolist()
        tau += [time] * share
    return DeletionSchedule(np.array(selection), np.array(tau))


def _adversarial(T: int, k: int, first: int, descent: OnlineDescent | None) -> DeletionSchedule:
    """a(u, tau) = eta_u L prod_{u<t<tau} c_t = P_{tau-1} (eta_u L/P_u): the order of the u's does
    not depend on tau, so the best k of each prefix are kept in a heap."""
    if not isinstance(descent, OnlineDescent):
        raise ValueError(f"descent must be given for adversarial deletions, got {descent!r}")
    t = np.arange(1, T)
    eta, c = descent.steps(t), descent.contraction(t)
    best, chosen, moment = -np.inf, np.arange(first, first + k), first + k
    heap: list[tuple[float, int]] = []
    level = 0.0  # log P_u
    for u in range(1, T):
        if c[u - 1] == 0.0:  # whatever came before is forgotten
            heap, level = [], 0.0
        else:
            level += float(np.log(c[u - 1]))
        if u < first:
            continue
        entry = (float(np.log(eta[u - 1])) - level, u)
        if len(heap) < k:
            heapq.heappush(heap, entry)
        else:
            heapq.heappushpop(heap, entry)
        if len(heap) == k:
            size = level + float(np.logaddexp.reduce([key for key, _ in heap]))
            # Of moments that tie up to rounding, the earliest.
            if size > best + 1e-12:
                best, moment = size, u + 1
                chosen = np.sort([index for _, index in heap])
    return DeletionSchedule(chosen, np.full(k, moment))
