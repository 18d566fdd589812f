"""SAFE round by round: moments of the rows that are left, densities and gradients by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from verify.oracles import Equality

_N, _D, _CLASSES, _LAMBDA, _WEIGHT = 24, 3, 3, 0.2, 1.5
_SEED, _CLAIM = 4, 1
_ROUNDS = ((2, 7, 9), (0, 5), (), (12, 1, 3, 20))
_GAMMA, _SIGMA = (0.3, 0.5, 0.2, 0.4), (0.1, 0.2, 0.3, 0.05)
Array = np.ndarray


def equalities() -> Iterator[Equality]:
    """Deletions, statistics, the risk and its minimisers, whole runs."""
    yield from _deletions()
    yield from _statistics()
    yield from _risk()
    yield from _runs()


def _world() -> tuple[Array, Array]:
    random = np.random.default_rng(9)
    labels = np.arange(_N) % _CLASSES
    centres = 1.5 * random.normal(size=(_CLASSES, _D))
    return random.normal(size=(_N, _D)) + centres[labels], labels


def _deletions() -> Iterator[Equality]:
    import torch

    from simulators.streaming.deletions import Deletions, by_class, given, random_subsets
    from simulators.streaming.forgotten import Forgotten

    stream = given(6, [[4, 1], [1, 0], [], [5]], trials=2)
    wanted = [[2, 1, 5, 5, 1, 4]] * 2
    yield Equality("given", stream.removed_at, wanted)
    yield Equality("Deletions' sizes", [stream.trials, stream.n, stream.rounds], [2, 6, 4])
    yield Equality("Deletions.sizes", stream.sizes, [[2, 1, 0, 1]] * 2)
    yield Equality("Deletions.remaining", stream.remaining, [[6, 4, 3, 3, 2]] * 2)
    yield Equality("Deletions.kept", stream.kept(2)[0], [0, 0, 1, 1, 0, 1])
    yield Equality("Deletions.forgotten", stream.forgotten(2)[0], [1, 0, 0, 0, 0, 0])
    yield Equality("Deletions.trial", stream.trial(1).removed_at, wanted[:1])
    both = np.array([[2, 1, 5, 5, 1, 4], [5, 5, 1, 2, 2, 5]])
    found = Forgotten.of(both, 4, torch.device("cpu"))
    for t in range(1, 5):
        columns, here = found.leaving(t)
        all_, gone = found.gone(t)
        for trial, times in enumerate(both):
            rows = found.rows[trial, columns][here[trial] > 0]
            yield Equality("Forgotten.leaving", np.sort(rows), np.flatnonzero(times == t))
            rows = found.rows[trial, all_][gone[trial] > 0]
            yield Equality("Forgotten.gone", np.sort(rows), np.flatnonzero(times <= t))
    yield Equality("Forgotten.sizes", found.sizes, [[2, 1, 0, 1], [1, 2, 0, 0]])
    drawn = random_subsets(9, [2, 0, 3], trials=40, seed=1)
    yield Equality("random_subsets", drawn.sizes, [[2, 0, 3]] * 40)
    labels = np.array([0, 1, 0, 1, 1, 0, 2])
    classes = by_class(labels, [1, 1, 0], [2, 2, 1], trials=5, seed=1)
    yield Equality("by_class", classes.sizes, [[2, 1, 1]] * 5)
    yield Equality("by_class, its rows", (classes.removed_at[:, [1, 3, 4]] <= 2).all(), True)
    assert isinstance(classes, Deletions)


def _moments(z: Array, labels: Array, keep: Array, ddof: int) -> list[tuple[int, Array, Array]]:
    found = []
    for c in range(_CLASSES):
        rows = z[keep & (labels == c)]
        cov = np.cov(rows.T, ddof=ddof) if len(rows) > ddof else np.zeros((z.shape[1],) * 2)
        found.append((len(rows), rows.mean(axis=0), np.atleast_2d(cov)))
    return found


def _statistics() -> Iterator[Equality]:
    import torch

    from simulators.streaming.statistics import Sums, class_statistics

    x, labels = _world()
    z = x[:, :2]
    hot = np.eye(_CLASSES)[labels]
    first = np.array([z[labels == c].mean(axis=0) for c in range(_CLASSES)])
    u = torch.tensor(z - first[labels])[None]
    keep = np.ones(_N, dtype=bool)
    for update, ddof in (("exact", 0), ("exact", 1), ("printed", 1)):
        start = Sums.over(u, torch.tensor(hot)[None])
        statistics = class_statistics(start, update, ddof)
        keep[:] = True
        present = _moments(z, labels, keep, ddof)
        for rows in _ROUNDS:
            gone = np.zeros(_N, dtype=bool)
            gone[list(rows)] = True
            weights = torch.tensor(hot * gone[:, None])[None]
            statistics.remove(Sums.over(u, weights))
            keep &= ~gone
            now = statistics.moments()
            exact = _moments(z, labels, keep, ddof)
            if update == "printed":
                present = _printed(present, z, labels, gone)
            told = exact if update == "exact" else present
            yield Equality(f"{update} statistics, counts", now.count[0], [m[0] for m in exact])
            means = now.mean[0].numpy() + first
            yield Equality(f"{update} statistics, means", means, [m[1] for m in exact])
            covariances = [m[2] for m in told]
            yield Equality(f"{update} statistics, covariances", now.covariance[0], covariances)


def _printed(before: Any, z: Array, labels: Array, gone: Array) -> list[tuple[int, Array, Array]]:
    """Eq 23 of safe as printed, one class at a time."""
    after = []
    for c, (n, mean, cov) in enumerate(before):
        rows = z[gone & (labels == c)]
        m = len(rows)
        if m == 0:
            after.append((n, mean, cov))
            continue
        lost = np.cov(rows.T, ddof=1) if m > 1 else np.zeros_like(cov)
        left, delta = n - m, mean - rows.mean(axis=0)
        cov = (left - 1) / (n - 1) * cov - lost + n * m / (left * (n - 1)) * np.outer(delta, delta)
        after.append((left, (n * mean - m * rows.mean(axis=0)) / left, cov))
    return after


def _gradient(w: Array, x: Array, label: int) -> Array:
    odds = np.exp(x @ w)
    return np.outer(x, odds / odds.sum() - np.eye(_CLASSES)[label]) + _LAMBDA * w


def _risk() -> Iterator[Equality]:
    import torch

    from simulators.data.dataset import Dataset
    from simulators.losses.softmax import Softmax
    from simulators.streaming.minimise import Minimiser
    from simulators.streaming.risk import Risk

    x, labels = _world()
    risk = Risk(Dataset(x, labels.astype(float)), Softmax(_CLASSES, _LAMBDA))
    w = np.random.default_rng(0).normal(size=(2, _D, _CLASSES))
    mask = np.arange(2 * _N).reshape(2, _N) % 5 > 1
    values, pulls = [], []
    for point, kept in zip(w, mask, strict=True):
        rows = np.flatnonzero(kept)
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
    yield Equality("Risk.gradient_sum", risk.gradient_sum(at, mask), pulls)
    yield Equality("Risk's sizes", [*risk.shape, risk.size, risk.outputs], [_D, 3, 9, 3])
    norms = np.sqrt((x**2).sum(axis=1))
    largest = norms.max()
    reach = min(math.sqrt(2) * largest / _LAMBDA, math.sqrt(2 * math.log(3) / _LAMBDA))
    found = [risk.strong_convexity, risk.smoothness, risk.lipschitz, risk.radius]
    wanted = [_LAMBDA, largest**2 / 2 + _LAMBDA, math.sqrt(2) * largest, reach]
    yield Equality("Risk's constants", found, wanted)
    bounded = Risk(risk.data, risk.loss, row_norm=10.0)
    yield Equality("public_constants", bounded.smoothness, 50 + _LAMBDA, 1e-12)
    sizes = [np.linalg.norm(_gradient(p, a, b) - _LAMBDA * p) for p in w
             for a, b in zip(x, labels, strict=True)]  # fmt: skip
    yield Equality("Risk.largest_row_gradient", risk.largest_row_gradient(at), max(sizes))
    least = Minimiser(risk)(mask).numpy()
    for z, kept in zip(least, mask, strict=True):
        rows = np.flatnonzero(kept)
        pull = sum(_gradient(z, x[i], labels[i]) for i in rows) / len(rows)
        yield Equality("Minimiser, its gradient beside 1", [1.0, *pull.ravel()], [1.0] + [0.0] * 9,
                       1e-10)  # fmt: skip


def _runs() -> Iterator[Equality]:
    from simulators.data.dataset import Dataset
    from simulators.streaming.deletions import given
    from simulators.streaming.features import frozen_features
    from simulators.streaming.readings import PRINTED, Reading
    from simulators.streaming.safe import safe
    from simulators.streaming.statistics import UPDATES

    x, labels = _world()
    data = Dataset(x, labels.astype(float))
    V = np.random.default_rng(2).normal(size=(_D, 2))
    start = 0.4 * np.random.default_rng(3).normal(size=(_D, _CLASSES))
    z = x @ V
    white = np.linalg.inv(np.linalg.cholesky(np.cov(z.T)))
    wanted = (z - z.mean(axis=0)) @ white.T
    yield Equality("frozen_features", frozen_features(data, V), wanted)
    yield Equality("frozen_features as they are", frozen_features(data, V, standardise=False), z)
    drawn = frozen_features(data, 2, standardise=False, seed=_SEED, claim=_CLAIM)
    key = np.random.SeedSequence(_SEED, spawn_key=(_CLAIM, 0, 8))
    yield Equality("frozen_features, drawn", drawn,
                   x @ np.random.Generator(np.random.SFC64(key)).standard_normal((_D, 2)))  # fmt: skip
    yield Equality("PRINTED", PRINTED.update == UPDATES[1], True)
    for reading in (
        Reading(), PRINTED, Reading(ddof=0), Reading(standardise="none"),
        Reading(standardise="per-round"), Reading(scope="estimated"), Reading(scope="round"),
        Reading(ratio="own"),
    ):  # fmt: skip
        run = safe(
            data, given(_N, _ROUNDS), regularisation=_LAMBDA, weight=_WEIGHT, gamma=_GAMMA,
            sigma=_SIGMA, variant=reading, projection=V, w0=start, trials=2, seed=_SEED,
            claim=_CLAIM,
        )  # fmt: skip
        rounds = list(_by_hand(x, labels, x @ V, start, reading))
        assert run.noiseless is not None
        assert run.weights is not None
        points = [
            start - s * g / np.linalg.norm(g)
            for s, (_, _, g, _) in zip(_GAMMA, rounds, strict=True)
        ]
        name = f"safe, {reading}"
        yield Equality(f"{name}, noiseless", run.noiseless, [points] * 2, 1e-8)
        for what, index in (("retention", 0), ("forgetting", 1), ("gradient", 2)):
            sizes = [1 + np.linalg.norm(r[index]) for r in rounds]
            yield Equality(f"{name}, {what}", 1 + getattr(run, f"{what}_norms"), [sizes] * 2, 1e-8)
        noise = [_noise(trial) for trial in (0, 1)]
        yield Equality(f"{name}, noise", run.noise, noise, 1e-8)
        counts = [len(r) for r in _ROUNDS]
        yield Equality("safe, retention_gradients", run.retention_gradients, [counts] * 2)
        if reading.scope == "all":
            counts = [sum(counts[: t + 1]) for t in range(len(counts))]
        yield Equality("safe, forgetting_gradients", run.forgetting_gradients, [counts] * 2)
        yield Equality("safe, degenerate", run.degenerate, [[r[3] for r in rounds]] * 2)
        yield Equality("safe, exhausted", run.exhausted, [[0] * len(rounds)] * 2)
    trained = safe(data, given(_N, _ROUNDS), regularisation=_LAMBDA, weight=0.0, gamma=0.0)
    pull = sum(_gradient(trained.start, a, b) for a, b in zip(x, labels, strict=True)) / _N
    yield Equality(
        "safe's own start, its gradient beside 1", [1.0, *pull.ravel()], [1.0] + [0.0] * 9
    )
    assert trained.noiseless is not None
    yield Equality("safe without noise", trained.weights, trained.noiseless)
    everything = given(_N, [range(0, _N - 1, 3), [1]])
    few = safe(data, everything, regularisation=_LAMBDA, weight=1.0, gamma=0.1, w0=start,
               phi=0.04, projection=2, seed=1)  # fmt: skip
    yield Equality("safe, one row left, exhausted", few.exhausted, [[1, 1]])
    spread = [few.settings["sigma"][0], few.settings["gamma"][1], few.initial_gradients]
    yield Equality("safe's settings", spread, [0.2, 0.1, _N])


def _noise(trial: int) -> list[Array]:
    key = np.random.SeedSequence(_SEED, spawn_key=(_CLAIM, trial, 5))
    random = np.random.Generator(np.random.SFC64(key))
    return [s * random.standard_normal((_D, _CLASSES)) for s in _SIGMA]


def _by_hand(
    x: Array, labels: Array, z: Array, w: Array, reading: Any
) -> Iterator[tuple[Array, Array, Array, int]]:
    """(retention, forgetting, sum, classes without a density) of each round, row by row.

    Safe eqs 14, 20, 24 and 25.
    """
    keep, ddof = np.ones(_N, dtype=bool), reading.ddof
    first = present = _moments(z, labels, keep, ddof)
    earlier, left_so_far = np.zeros((_D, _CLASSES)), []
    for rows in _ROUNDS:
        gone = np.zeros(_N, dtype=bool)
        gone[list(rows)] = True
        keep &= ~gone
        left_so_far += rows
        exact = _moments(z, labels, keep, ddof)
        present = _printed(present, z, labels, gone) if reading.update == "printed" else exact
        now = [(a[0], a[1], b[2]) for a, b in zip(exact, present, strict=True)]
        stay = np.flatnonzero(keep)
        retention = sum(_gradient(w, x[i], labels[i]) for i in stay) / len(stay)
        about: Sequence[int] = left_so_far if reading.scope == "all" else rows
        total = np.zeros((_D, _CLASSES))
        for i in about:
            log_q = np.zeros(_CLASSES)
            for c, (a, b) in enumerate(zip(now, first, strict=True)):
                log_q[c] = math.log(a[0] / b[0] * _N / len(stay))
                if _fits(a[2], b[2]):
                    log_q[c] += _normal(z[i], a, reading) - _normal(z[i], b, reading)
            if reading.ratio == "own":
                log_q = np.full(_CLASSES, log_q[labels[i]])
            odds = np.exp(x[i] @ w)
            f = odds / odds.sum()
            # d KL(f | f q / sum f q) / d logits = f (log f/target - its mean), less a constant.
            gap = -log_q
            total += np.outer(x[i], f * (gap - f @ gap))
        if reading.scope == "estimated":
            total = earlier = earlier + total
        share = len(rows) if reading.scope == "round" else len(left_so_far)
        forgetting = _WEIGHT / max(share, 1) * total
        odd = sum(not _fits(a[2], b[2]) for a, b in zip(now, first, strict=True))
        yield retention, forgetting, retention + forgetting, odd


def _fits(now: Array, before: Array) -> bool:
    return bool(np.linalg.eigvalsh(now).min() > 0 and np.linalg.eigvalsh(before).min() > 0)


def _normal(z: Array, moments: Any, reading: Any) -> float:
    _, mean, cov = moments
    log = -float((z - mean) @ np.linalg.solve(cov, z - mean)) / 2
    if reading.standardise == "per-round":
        return log
    return log - math.log(np.linalg.det(cov)) / 2
