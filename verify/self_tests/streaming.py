"""SAFE round by round: moments of the rows that are left, densities and gradients by hand."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from simulators.data.dataset import Dataset
from simulators.losses.softmax import Softmax
from simulators.streaming.deletions import given
from simulators.streaming.descent import descend
from simulators.streaming.features import frozen_features
from simulators.streaming.minimise import Minimiser
from simulators.streaming.risk import Risk
from simulators.streaming.safe import safe
from simulators.streaming.statistics import UPDATES
from simulators.streaming.variants import PRINTED, AlgorithmVariant
from verify.self_tests import Equality
from verify.self_tests.deletions import CLASSES, DIMENSION, ROUNDS, ROWS, moments, printed, problem

_LAMBDA, _WEIGHT = 0.2, 1.5
_SEED, _CLAIM = 4, 1
_GAMMA = (0.3, 0.5, 0.2, 0.4)
_SIGMA = (0.1, 0.2, 0.3, 0.05)
Array = NDArray[np.float64]
Index = NDArray[np.int64]


def equalities() -> Iterator[Equality]:
    """The risk and its minimisers, whole runs."""
    yield from _risk()
    yield from _runs()


def _gradient(w: Array, x: Array, label: int) -> Array:
    odds = np.exp(x @ w)
    return np.outer(x, odds / odds.sum() - np.eye(CLASSES)[label]) + _LAMBDA * w


def _risk() -> Iterator[Equality]:
    """Values, gradients, constants and minimisers of the risk, row by row."""
    x, labels = problem()
    risk = Risk(Dataset(x, labels.astype(float)), Softmax(CLASSES, _LAMBDA))
    w = np.random.default_rng(0).normal(size=(2, DIMENSION, CLASSES))
    mask = np.arange(2 * ROWS).reshape(2, ROWS) % 5 > 1
    values, pulls = [], []
    for point, row_mask in zip(w, mask, strict=True):
        rows = np.flatnonzero(row_mask)
        logits = x[rows] @ point
        chosen = logits[np.arange(len(rows)), labels[rows]]
        losses = np.log(np.exp(logits).sum(axis=1)) - chosen
        values.append(losses.mean() + _LAMBDA / 2 * (point**2).sum())
        pulls.append(sum(_gradient(point, x[i], labels[i]) for i in rows))
    at = torch.tensor(w)
    yield Equality("Risk.value", risk.value(at, mask), values)
    counts = mask.sum(axis=1)
    means = [p / c for p, c in zip(pulls, counts, strict=True)]
    yield Equality("Risk.gradient", risk.gradient(at, mask), means)
    stepped = descend(risk, *risk.checked(at, mask), 0.25, 1).numpy()
    yield Equality("descend, one step", stepped, w - 0.25 * np.asarray(means))
    yield Equality("Risk.gradient_sum", risk.gradient_sum(at, mask), pulls)
    yield Equality("Risk's sizes", [*risk.shape, risk.size, risk.outputs], [DIMENSION, 3, 9, 3])
    norms = np.sqrt((x**2).sum(axis=1))
    largest = norms.max()
    # sqrt 2 |x|/lambda by gradients, sqrt(2 log 3/lambda) by values: the smaller holds all
    # minimisers.
    radius = min(math.sqrt(2) * largest / _LAMBDA, math.sqrt(2 * math.log(3) / _LAMBDA))
    constants = [risk.strong_convexity, risk.smoothness, risk.lipschitz, risk.radius]
    expected = [_LAMBDA, largest**2 / 2 + _LAMBDA, math.sqrt(2) * largest, radius]
    yield Equality("Risk's constants", constants, expected)
    bounded = Risk(risk.data, risk.loss, row_norm=10.0)
    yield Equality("public_constants", bounded.smoothness, 50 + _LAMBDA, 1e-12)
    sizes = [
        np.linalg.norm(_gradient(p, a, b) - _LAMBDA * p)
        for p in w
        for a, b in zip(x, labels, strict=True)
    ]
    yield Equality("Risk.largest_row_gradient", risk.largest_row_gradient(at), max(sizes))
    least = Minimiser(risk)(mask).numpy()
    for z, row_mask in zip(least, mask, strict=True):
        rows = np.flatnonzero(row_mask)
        pull = np.mean([_gradient(z, x[i], labels[i]) for i in rows], axis=0)
        # Beside 1, as the tolerance is relative and the gradient should be 0.
        yield Equality(
            "Minimiser, its gradient beside 1", [1.0, *pull.ravel()], [1.0] + [0.0] * 9, 1e-10
        )


def _runs() -> Iterator[Equality]:
    """Rounds of SAFE by every variant, from moments and densities of the rows."""
    x, labels = problem()
    data = Dataset(x, labels.astype(float))
    V = np.random.default_rng(2).normal(size=(DIMENSION, 2))
    start = 0.4 * np.random.default_rng(3).normal(size=(DIMENSION, CLASSES))
    z = x @ V
    # Whitening by the inverse Cholesky factor of the covariance.
    white = np.linalg.inv(np.linalg.cholesky(np.cov(z.T)))
    expected = (z - z.mean(axis=0)) @ white.T
    yield Equality("frozen_features", frozen_features(data, V), expected)
    yield Equality("frozen_features as they are", frozen_features(data, V, standardise=False), z)
    random_features = frozen_features(data, 2, standardise=False, seed=_SEED, claim=_CLAIM)
    key = np.random.SeedSequence(_SEED, spawn_key=(_CLAIM, 0, 8))
    V0 = np.random.Generator(np.random.SFC64(key)).standard_normal((DIMENSION, 2))
    yield Equality("frozen_features, drawn", random_features, x @ V0)
    yield Equality("PRINTED", PRINTED.update == UPDATES[1], True)
    for interpretation in (
        AlgorithmVariant(),
        PRINTED,
        AlgorithmVariant(ddof=0),
        AlgorithmVariant(standardise="none"),
        AlgorithmVariant(standardise="per-round"),
        AlgorithmVariant(scope="estimated"),
        AlgorithmVariant(scope="round"),
        AlgorithmVariant(ratio="own"),
    ):
        run = safe(
            data,
            given(ROWS, ROUNDS),
            regularisation=_LAMBDA,
            weight=_WEIGHT,
            gamma=_GAMMA,
            sigma=_SIGMA,
            variant=interpretation,
            projection=V,
            w0=start,
            trials=2,
            seed=_SEED,
            claim=_CLAIM,
        )
        rounds = list(_by_hand(x, labels, x @ V, start, interpretation))
        assert run.noiseless is not None
        assert run.weights is not None
        # Each round's point is one normalised step from the start.
        points = [
            start - s * g / np.linalg.norm(g)
            for s, (_, _, g, _) in zip(_GAMMA, rounds, strict=True)
        ]
        name = f"safe, {interpretation}"
        yield Equality(f"{name}, noiseless", run.noiseless, [points] * 2, 1e-8)
        for what, index in (("retention", 0), ("forgetting", 1), ("gradient", 2)):
            sizes = [1 + np.linalg.norm(r[index]) for r in rounds]
            # 1 is added to both, as a norm may be 0.
            yield Equality(f"{name}, {what}", 1 + getattr(run, f"{what}_norms"), [sizes] * 2, 1e-8)
        noise = [_noise(trial) for trial in (0, 1)]
        yield Equality(f"{name}, noise", run.noise, noise, 1e-8)
        counts = [len(r) for r in ROUNDS]
        yield Equality("safe, retention_gradients", run.retention_gradients, [counts] * 2)
        if interpretation.scope == "all":
            counts = [sum(counts[: t + 1]) for t in range(len(counts))]
        yield Equality("safe, forgetting_gradients", run.forgetting_gradients, [counts] * 2)
        yield Equality("safe, degenerate", run.degenerate, [[r[3] for r in rounds]] * 2)
        yield Equality("safe, exhausted", run.exhausted, [[0] * len(rounds)] * 2)
    trained = safe(data, given(ROWS, ROUNDS), regularisation=_LAMBDA, weight=0.0, gamma=0.0)
    pulls = [_gradient(trained.start, a, b) for a, b in zip(x, labels, strict=True)]
    pull = np.mean(pulls, axis=0)
    yield Equality(
        "safe's own start, its gradient beside 1", [1.0, *pull.ravel()], [1.0] + [0.0] * 9
    )
    assert trained.noiseless is not None
    yield Equality("safe without noise", trained.weights, trained.noiseless)
    everything = given(ROWS, [range(0, ROWS - 1, 3), [1]])
    few = safe(
        data,
        everything,
        regularisation=_LAMBDA,
        weight=1.0,
        gamma=0.1,
        w0=start,
        phi=0.04,
        projection=2,
        seed=1,
    )
    yield Equality("safe, one row left, exhausted", few.exhausted, [[1, 1]])
    spread = [few.settings["sigma"][0], few.settings["gamma"][1], few.initial_gradients]
    yield Equality("safe's settings", spread, [0.2, 0.1, ROWS])


def _noise(trial: int) -> list[Array]:
    key = np.random.SeedSequence(_SEED, spawn_key=(_CLAIM, trial, 5))
    random = np.random.Generator(np.random.SFC64(key))
    return [s * random.standard_normal((DIMENSION, CLASSES)) for s in _SIGMA]


def _by_hand(
    x: Array, labels: Index, z: Array, w: Array, interpretation: AlgorithmVariant
) -> Iterator[tuple[Array, Array, Array, int]]:
    """(retention, forgetting, sum, classes without a density) of each round, row by row.

    Safe eqs 14, 20, 24 and 25.
    """
    keep = np.ones(ROWS, dtype=bool)
    ddof = interpretation.ddof
    first = present = moments(z, labels, keep, ddof)
    earlier: Array = np.zeros((DIMENSION, CLASSES))
    left_so_far: list[int] = []
    for rows in ROUNDS:
        deletion_mask = np.zeros(ROWS, dtype=bool)
        deletion_mask[list(rows)] = True
        keep &= ~deletion_mask
        left_so_far += rows
        exact = moments(z, labels, keep, ddof)
        present = (
            printed(present, z, labels, deletion_mask)
            if interpretation.update == "printed"
            else exact
        )
        # The printed update overwrites covariances; counts and means stay exact in both.
        now = [(a[0], a[1], b[2]) for a, b in zip(exact, present, strict=True)]
        stay = np.flatnonzero(keep)
        retention = np.mean([_gradient(w, x[i], labels[i]) for i in stay], axis=0)
        about: Sequence[int] = left_so_far if interpretation.scope == "all" else rows
        total = np.zeros((DIMENSION, CLASSES))
        # log q of each class: label shift first, then the ratio of densities where both exist.
        for i in about:
            log_q = np.zeros(CLASSES)
            for c, (a, b) in enumerate(zip(now, first, strict=True)):
                log_q[c] = math.log(a[0] / b[0] * ROWS / len(stay))
                if _fits(a[2], b[2]):
                    log_q[c] += _normal(z[i], a, interpretation) - _normal(z[i], b, interpretation)
            if interpretation.ratio == "own":
                log_q = np.full(CLASSES, log_q[labels[i]])
            odds = np.exp(x[i] @ w)
            f = odds / odds.sum()
            # d KL(f | f q / sum f q) / d logits = f (log f/target - its mean), less a constant.
            gap = -log_q
            total += np.outer(x[i], f * (gap - f @ gap))
        if interpretation.scope == "estimated":
            total = earlier = earlier + total
        share = len(rows) if interpretation.scope == "round" else len(left_so_far)
        forgetting = _WEIGHT / max(share, 1) * total
        odd = sum(not _fits(a[2], b[2]) for a, b in zip(now, first, strict=True))
        yield retention, forgetting, retention + forgetting, odd


def _fits(now: Array, before: Array) -> bool:
    return bool(np.linalg.eigvalsh(now).min() > 0 and np.linalg.eigvalsh(before).min() > 0)


def _normal(z: Array, moments: Any, interpretation: AlgorithmVariant) -> float:
    _, mean, cov = moments
    log = -float((z - mean) @ np.linalg.solve(cov, z - mean)) / 2
    if interpretation.standardise == "per-round":
        # Per-round standardisation leaves the determinants out.
        return log
    return log - math.log(np.linalg.det(cov)) / 2
