"""Online learners that forget: every trial on its own, round by round, with the same noise."""

import math
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from accounting.deletions.schedule import DeletionSchedule
from simulators.domains import Ball
from simulators.engine.blocks import natural_size
from simulators.losses.logistic import Logistic
from simulators.online.comparators import comparators
from simulators.online.learners import CACHED, MOST, run
from simulators.online.private import TreeSums, one_pass_noise, tree_noise
from simulators.online.requests import Descent, Newton, Passive, Restart, Retrain
from simulators.online.rows import Rows
from simulators.online.steps import Adaptive, LeastAdaptiveNoise
from verify.self_tests import Equality
from verify.self_tests.langevin import normal
from verify.self_tests.online_losses import DIMENSION, GONE, MU, RADIUS, ROUNDS, LogisticTerm

_TRIALS, _BLOCK, _SEED, _CLAIM = 4, 3, 5, 2
_NEWTON = ("retained", "removed", "printed")
_TAU, _SIGMA = (5, 8), (0.3, 0.2)
_RHO = 0.7
_DIAMETER = 0.6
_LIPSCHITZ = 0.4
_START = np.array([0.2, -0.3])
Array = NDArray[np.float64]


def equalities() -> Iterator[Equality]:
    """The noise of gradients, whole runs."""
    yield from _noise()
    yield from _runs()


def _project(w: Array) -> Array:
    size = math.sqrt(float(w @ w))
    return w if size <= RADIUS else w * (RADIUS / size)


def _noise() -> Iterator[Equality]:
    """Deviations of one pass and of a tree, sums over its nodes, and adaptive noise."""
    yield Equality("one_pass_noise", one_pass_noise(1.5, 3, _RHO), 1.5 * math.sqrt(3 / (2 * _RHO)))
    touched = 3 * (1 + 2 + 3 + 3)
    yield Equality("tree_noise", tree_noise(1.5, 3, _RHO, 9), 1.5 * math.sqrt(touched / (2 * _RHO)))
    tree = TreeSums(2.0)
    draws = np.random.default_rng(0).normal(size=(12, 1, 1))
    for t in range(1, 13):
        nodes, end = [], t
        # The binary digits of t: dropping the lowest one leads to the node before.
        while end:  # the nodes whose rounds make up 1..t
            nodes.append(end)
            end -= end & -end
        expected = 2.0 * sum(draws[n - 1] for n in nodes)
        yield Equality(f"TreeSums.at {t}", tree.at(t, torch.tensor(draws[t - 1])), expected)
    etas = torch.tensor([[0.3], [0.2], [0.5]], dtype=torch.float64)
    shifts = np.array([0.3, 0.2, 0.5]) * 2.0
    # Variance for all shifts up to the last request, less what the earlier ones have added.
    expected = math.sqrt((shifts.sum() ** 2 - shifts[:2].sum() ** 2) / (2 * _RHO))
    yield Equality("LeastAdaptiveNoise", LeastAdaptiveNoise(2.0, _RHO)(etas), [expected])


def bends(hand: LogisticTerm) -> float:
    """beta + mu."""
    return float(np.max(hand.c * (hand.a**2).sum(axis=1)) / 4 + 2 * MU)


def _draws(purpose: int, trial: int) -> Iterator[Array]:
    """One trial's normals."""
    return (normal(_SEED, _CLAIM, purpose, trial, step, DIMENSION) for step in count())


def _alone(
    trial: int,
    unlearner: str,
    skipped: Sequence[int],
    sigmas: Sequence[float],
    step: float = 0.0,
    tree: bool = False,
    sizes: list[float] | None = None,
) -> tuple[list[float], list[Array], Array]:
    """Losses suffered, iterates published and the last one, of one trial in one run.

    sizes: the adaptive steps, all for both runs; those of the learner where the list is empty.
    """
    hand = LogisticTerm()
    learner, square = sizes is not None and not sizes, 0.0
    noise, steps = _draws(0, trial), _draws(6, trial)
    # `since` is the last restart: steps 1/(mu t) count from there.
    w, losses, published, since = _project(_START), [], [], 0
    sums = np.zeros(DIMENSION)
    iterate_sum = np.zeros(DIMENSION)
    nodes: dict[int, Array] = {}
    # One round more than there are: a request may come after the last.
    for t in range(1, ROUNDS + 2):
        for i in (i for i, tau in enumerate(_TAU) if tau == t):
            deletions = {*skipped, *GONE[: i + 1]}
            kept_rounds = [s for s in range(1, t) if s not in deletions]
            if unlearner == "restart":
                w, since = _project(_START), t - 1
            elif unlearner == "retrain":
                w = _project(_START)
                for s in kept_rounds:
                    w = _project(w - hand.gradient(s, w) / (MU * s))
            elif unlearner in ("descent", "as printed"):
                rate = (2 if unlearner == "descent" else 1) / bends(hand)
                if unlearner == "as printed":
                    # The printed learner descends on what it still knows before it forgets.
                    w = _descend(w, rate, [s for s in range(1, t) if s not in skipped], 2)
                w = _descend(w, rate, kept_rounds, 3)
            elif unlearner in _NEWTON:
                # A first descent on all losses seen, where the Newton step is taken.
                w = _descend(w, 2 / bends(hand), [s for s in range(1, t) if s not in skipped], 2)
                bend = sum(hand.hessian(s, w) for s in kept_rounds)
                removed = [s for s in GONE[: i + 1] if s not in skipped]
                over = kept_rounds if unlearner == "retained" else removed
                pull = sum((hand.gradient(s, w) for s in over), np.zeros(DIMENSION))
                newton_step = np.linalg.solve(bend, pull)
                # Removed gradients are added (the printed form subtracts them), kept ones
                # subtracted.
                w = _project(w + newton_step) if unlearner == "removed" else w - newton_step
                w = _project(w) if unlearner == "retained" else w
            sigma = sigmas[i] if sizes is None else _adaptive_noise(sizes, i)
            w = _project(w + sigma * next(noise))
            published.append(w)
        if t > ROUNDS:
            break
        losses.append(hand.value(t, w))
        # In the adjacent run the removed rounds never were: their gradient is 0.
        pull = np.zeros(DIMENSION) if t in skipped else hand.gradient(t, w)
        eta = 1 / (MU * (t - since))
        if sizes is not None:
            square += float(pull @ pull)
            if learner:
                sizes.append(_DIAMETER / math.sqrt(square))
            eta = sizes[t - 1]
        if tree:
            sums, iterate_sum = sums + pull, iterate_sum + w
            # A node of the tree is its own noise, plus that of the node that covers the rounds
            # before.
            nodes[t & -t] = step * next(steps) + nodes.get((t & (t - 1)) & -(t & (t - 1)), 0.0)
            w = _project(iterate_sum / t - eta * (sums + nodes[t & -t]))
        elif step:
            w = _project(w - eta * (pull + step * next(steps)))
        elif t not in skipped:
            w = _project(w - eta * pull)
    return losses, published, w


def _descend(w: Array, rate: float, over: Sequence[int], steps: int) -> Array:
    """Steps on the mean of some losses, each projected."""
    for _ in range(steps):
        w = _project(w - rate * sum(LogisticTerm().gradient(s, w) for s in over) / len(over))
    return w


def _adaptive_noise(sizes: Sequence[float], request: int) -> float:
    """What adds to the variance for all shifts so far, eta_u L each, at the budget rho."""
    before, now = (_LIPSCHITZ * sum(sizes[u - 1] for u in GONE[:i]) for i in (request, request + 1))
    return math.sqrt((now**2 - before**2) / (2 * _RHO))


def _runs() -> Iterator[Equality]:
    """Online descent with requests, trial by trial and round by round."""
    hand = LogisticTerm()
    stream = Rows(Logistic(MU), hand.a, hand.b, hand.c, Ball(RADIUS))
    requests = DeletionSchedule(np.array(GONE), np.array(_TAU))
    shared: dict[str, Any] = {
        "steps": lambda t: 1 / (MU * t),
        "trials": _TRIALS,
        "seed": _SEED,
        "claim": _CLAIM,
        "block": _BLOCK,
        "initial": _START,
    }
    last = DeletionSchedule(np.array(GONE), np.array((5, ROUNDS + 1)))
    plain = run(stream, last, **shared | {"unlearner": Passive(), "sigmas": 0.0})
    # With nothing added, what is published at the end is the last iterate.
    yield Equality(
        "online.run, a request after the last round", plain.published[:, :, 1], plain.final
    )
    starts = np.array([1.0, -1.0, 0.0, 0.5])[:, None] * _START
    quiet = shared | {"unlearner": Passive(), "sigmas": 0.0, "steps": 0.01}
    many = run(stream, requests, **quiet | {"initial": starts})
    each = [run(stream, requests, **quiet | {"initial": w, "trials": 1}) for w in starts]
    yield Equality(
        "online.run, a start for each trial",
        many.final,
        np.concatenate([one.final for one in each], axis=1),
    )
    stars = comparators(stream, GONE)
    request_counts = [sum(tau < t for tau in _TAU) for t in range(1, ROUNDS + 1)]
    cases: tuple[tuple[str, Any, dict[str, Any]], ...] = (
        ("passive", Passive(), {}),
        ("descent", Descent(3), {}),
        ("as printed", Descent.printed(stream, 2, 3), {}),
        *((form, Newton(form, 2, form != "printed"), {}) for form in _NEWTON),
        ("restart", Restart(), {}),
        ("retrain", Retrain(), {}),
        ("adaptive", Passive(), {}),
        ("noisy", None, {"step": 0.4}),
        ("tree", None, {"step": 0.4, "tree": True}),
    )
    for name, unlearner, extra in cases:
        options = dict(shared, unlearner=unlearner, sigmas=_SIGMA)
        if extra:
            options |= {"step_noise": 0.4, "sums": "mean" if "tree" in extra else "none"}
        steps: list[list[float] | None] = [None] * _TRIALS
        # Steps of the learner, filled in the first run and reused in the second.
        if name == "adaptive":
            steps = [[] for _ in range(_TRIALS)]
            options |= {
                "steps": Adaptive(_DIAMETER),
                "sigmas": LeastAdaptiveNoise(_LIPSCHITZ, _RHO),
            }
        result = run(stream, requests, **options)
        runs = [
            [_alone(n, name, skipped, _SIGMA, **extra, sizes=steps[n]) for n in range(_TRIALS)]
            for skipped in ((), GONE)
        ]
        losses = np.array([w[0] for w in runs[0]])
        yield Equality(f"online.run, {name}, losses", result.losses, losses)
        yield Equality(f"online.run, {name}, total", result.total_loss, losses.sum(axis=1))
        yield Equality(
            f"online.run, {name}, published",
            result.published,
            [[w[1] for w in trials] for trials in runs],
        )
        yield Equality(
            f"online.run, {name}, final", result.final, [[w[2] for w in trials] for trials in runs]
        )
        rivals = [hand.value(t, stars[i]) for t, i in enumerate(request_counts, 1)]
        yield Equality(
            f"online.run, {name}, regret", result.regret, losses.sum(axis=1) - sum(rivals)
        )
        fixed = sum(hand.value(t, stars[0]) for t in range(1, ROUNDS + 1))
        yield Equality(
            f"online.run, {name}, constant regret",
            result.constant_regret,
            losses.sum(axis=1) - fixed,
        )
        yield Equality("online.run, comparators", result.comparator_losses, rivals)
        expected = sum(s * s for s in _SIGMA)
        if name == "adaptive":
            scales = [_adaptive_noise(s, i) ** 2 for s in steps if s for i in (0, 1)]
            expected = sum(scales) / _TRIALS
        # Rounds before the two requests: all 4 and 7, kept 3 and 5.
        yield Equality("online.run, variance", result.noise_variance, expected)
        past_count, kept_count = 4 + 7, 3 + 5
        counts = {
            "descent": 3 * kept_count,
            "as printed": 2 * past_count + 3 * kept_count,
            "retained": 2 * past_count + 2 * kept_count,
            "removed": 2 * past_count + kept_count + 1 + 2,
            "printed": 2 * past_count + kept_count + 1 + 2,
            "retrain": kept_count,
        }.get(name)
        evaluations = [n for key, n in result.gradient_evaluations.items() if key != "learn"]
        yield Equality(f"online.run, {name}, gradients", evaluations, [counts] if counts else [])
        yield Equality("online.run, learning", result.gradient_evaluations["learn"], ROUNDS)
    for dimension in (1, 40, 10**6):
        powers = [2**k for k in range(6, 13) if 2**k * dimension <= 2**16] or [64]
        size = natural_size(dimension, torch.device("cpu"), None, CACHED, MOST)
        yield Equality("natural_size", size, max(powers))
