"""Noisy SGD in batches of trials: every trial on its own, row by row, with the same noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from simulators.batches import partition, positions
from simulators.blocks import Blocks, natural_size
from simulators.coupling import coupled_paths
from simulators.data.adjacency import replaced
from simulators.data.dataset import Dataset
from simulators.domains import Ball
from simulators.initial import gaussian, initial_state
from simulators.langevin import learn_unlearn, requests
from simulators.losses.logistic import Logistic
from simulators.losses.quadratic import Quadratic
from simulators.normals import Normals
from simulators.retraining import retrain
from simulators.seeds import Purpose, generator, sequence
from verify.oracles import Equality

_N, _D, _B = 12, 2, 4
_TRIALS, _BLOCK = 7, 5
_SIGMA, _ETA, _RADIUS, _LAMBDA = 0.4, 0.7, 0.6, 0.2
_SEED, _CLAIM = 11, 3
Array = NDArray[np.float64]


def equalities() -> Iterator[Equality]:
    """The noise, how trials are cut, then whole runs."""
    yield from _normals()
    yield from _plans()
    yield from _runs()


def _uniforms(purpose: int, block: int) -> np.random.Generator:
    key = np.random.SeedSequence(_SEED, spawn_key=(_CLAIM, block, purpose))
    return np.random.Generator(np.random.SFC64(key))


def _numbers(purpose: int, block: int, size: int) -> Iterator[float]:
    """The stream of normals: Box and Muller's transform of SFC64's numbers, panel by panel."""
    total = max(1, round(32768 / size)) * size
    random = _uniforms(purpose, block)
    half = (total + 1) // 2
    while True:
        u, v = 1 - random.random(half), random.random(half)
        r = np.sqrt(-2 * np.log(u))
        panel = np.concatenate((r * np.cos(2 * np.pi * v), r * np.sin(2 * np.pi * v)))
        yield from panel[:total]


def _normals() -> Iterator[Equality]:
    found: Any
    wanted: Any
    for shape, count in (((3, 5), 2500), ((40_001,), 2)):
        seeds = sequence(_SEED, _CLAIM, 2, Purpose.NOISE)
        normals = Normals(seeds, shape, torch.device("cpu"), torch.float64)
        stream = _numbers(0, 2, math.prod(shape))
        size = math.prod(shape)
        for index in range(count):
            found = normals.next().numpy().ravel()
            wanted = np.fromiter(stream, dtype=float, count=size)
            if index in (0, 1, count - 1):
                yield Equality(f"Normals, array {index}", found, wanted, 1e-9)
    with ThreadPoolExecutor(1) as pool:
        seeds = sequence(_SEED, _CLAIM, 2, Purpose.NOISE)
        ahead = Normals(seeds, (8000,), torch.device("cpu"), torch.float64, pool)
        found = [ahead.next().numpy().copy() for _ in range(9)]  # of three panels
    stream = _numbers(0, 2, 8000)
    wanted = np.fromiter(stream, dtype=float, count=72_000).reshape(9, 8000)
    yield Equality("Normals made ahead", found, wanted, 1e-9)
    seeds = sequence(_SEED, _CLAIM, 2, Purpose.NOISE)
    single = Normals(seeds, (30_000,), torch.device("cpu"), torch.float32).next().double().numpy()
    moments = [float(np.mean(single**k)) for k in range(1, 5)]
    yield Equality("Normals in float32, moments", np.abs(moments - np.array([0, 1, 0, 3])) < 0.15,
                   np.ones(4))  # fmt: skip
    drawn = generator(_SEED, _CLAIM, 2, Purpose.INITIAL).random(3)
    yield Equality("seeds.generator", drawn, _uniforms(1, 2).random(3))


def _plans() -> Iterator[Equality]:
    cpu = torch.device("cpu")
    for entries in (1, 20, 100, 3000, 10**6):
        # The largest power of two that fits 2^17 entries, between 64 and 4096.
        powers = [2**k for k in range(6, 13) if 2**k * entries <= 2**17] or [64]
        half = natural_size(entries - entries // 2, entries // 2, cpu)
        yield Equality("natural_size", half, max(powers))
    cut = Blocks(_TRIALS, 3)
    yield Equality("Blocks.count", cut.count, 3)
    kept = [list(range(_TRIALS))[cut.kept(i)] for i in range(3)]
    yield Equality("Blocks.kept", [len(part) for part in kept] + [kept[2][0]], [3, 3, 1, 6])
    rows = partition(_N, _B)
    yield Equality("partition", rows, np.arange(_N).reshape(3, 4))
    order = [5, 1, 0, 3, 2, 4]
    given = partition(6, 2, order)
    yield Equality("partition in an order", given, [[5, 1], [0, 3], [2, 4]])
    yield Equality("positions", positions(given, np.array([4, 0, 1])), [2, 1, 0])
    random = partition(_N, _B, "random", seed=_SEED, claim=_CLAIM)
    mixed = _uniforms(4, 0).permutation(_N)
    yield Equality("partition at random", random, mixed.reshape(-1, _B))
    points = np.arange(10.0).reshape(5, 2)
    found = initial_state(points, (2,), 4, slice(3, 5), _SEED, _CLAIM, 0, Purpose.INITIAL)
    wanted = np.array([[6.0, 8.0, 0.0, 0.0], [7.0, 9.0, 0.0, 0.0]])
    yield Equality("initial_state, a point for each trial", found, wanted)
    one = initial_state(np.array([1.0, 2.0]), (2,), 3, slice(0, 2), 0, 0, 0, Purpose.INITIAL)
    yield Equality("initial_state, one point", one, [[1.0] * 3, [2.0] * 3])
    drawn = initial_state(gaussian(2.0), (2,), 3, slice(0, 3), _SEED, _CLAIM, 2, Purpose.INITIAL)
    key = _uniforms(1, 2)
    yield Equality("initial_state, a law", drawn, 2 * key.standard_normal((3, 2)).T)


def _logistic_pull(w: Array, x: Array, y: float) -> Array:
    return np.asarray(-y * x / (1 + np.exp(y * (x @ w))) + _LAMBDA * w)


def _quadratic_pull(w: Array, x: Array, y: float) -> Array:
    return _LAMBDA * w - x


def _alone(
    pull: Callable[..., Array],
    phases: Sequence[tuple[Array, Array, int]],
    start: Array,
    purpose: int,
) -> list[list[Array]]:
    """The states of each trial before the first and after every step."""
    paths = []
    for trial in range(_TRIALS):
        block, place = divmod(trial, _BLOCK)
        stream = _numbers(purpose, block, _D * _BLOCK)
        w, path = start.copy(), [start.copy()]
        for x, y, epochs in phases:
            for step in range(epochs * (_N // _B)):
                first = step % (_N // _B) * _B
                mean = sum(pull(w, x[i], y[i]) for i in range(first, first + _B)) / _B
                draw = np.fromiter(stream, dtype=float, count=_D * _BLOCK).reshape(_D, _BLOCK)
                w = w - _ETA * mean + math.sqrt(2 * _ETA) * _SIGMA * draw[:, place]
                w = w * min(1.0, _RADIUS / float(np.sqrt(w @ w)))
                path.append(w)
        paths.append(path)
    return paths


def _runs() -> Iterator[Equality]:
    random = np.random.default_rng(8)
    x, y = random.normal(size=(_N, _D)), np.where(np.arange(_N) % 3, 1.0, -1.0)
    data = Dataset(x, y)
    adjacent = replaced(data, [6], [[1.5, -0.5]], [-1.0])
    new_x, new_y = adjacent.features, adjacent.targets
    assert new_y is not None
    settings: dict[str, Any] = {
        "sigma": _SIGMA, "step_size": _ETA, "batch_size": _B, "trials": _TRIALS, "seed": _SEED,
        "claim": _CLAIM, "domain": Ball(_RADIUS), "block": _BLOCK,
    }  # fmt: skip
    start = np.array([0.1, -0.2])
    for loss, pull in ((Logistic(_LAMBDA), _logistic_pull), (Quadratic(_LAMBDA), _quadratic_pull)):
        name = type(loss).__name__
        run = learn_unlearn(loss, data, adjacent, learn_epochs=2, unlearn_epochs=1,
                            retrain="T+K", initial=start, **settings)  # fmt: skip
        paths = _alone(pull, [(x, y, 2), (new_x, new_y, 1)], start, 0)
        yield Equality(f"learn_unlearn on {name}, learned", run.learned, [p[6] for p in paths])
        yield Equality(f"learn_unlearn on {name}, unlearned", run.unlearned, [p[9] for p in paths])
        fresh = _alone(pull, [(new_x, new_y, 3)], start, 2)
        yield Equality(f"learn_unlearn on {name}, retrained", run.retrained, [p[-1] for p in fresh])
        counts = [*run.steps.values(), *run.gradient_evaluations.values()]
        yield Equality(f"learn_unlearn on {name}, counts", counts, [6, 3, 9, 24, 12, 36])
        yield Equality("Plan.settings, positions", run.settings["batch_positions"], [[1]])
        told = [run.settings[k] for k in ("batch_size", "batches_per_epoch", "trials", "seed")]
        yield Equality("Plan.settings", told, [_B, 3, _TRIALS, _SEED])
    short = learn_unlearn(loss, data, adjacent, learn_epochs=2, unlearn_epochs=1, retrain=True,
                          initial=start, **settings)  # fmt: skip
    yield Equality("learn_unlearn, retrained T", short.retrained, [p[6] for p in fresh])
    alone = retrain(loss, adjacent, retrain_epochs=2, initial=start, **settings)
    yield Equality("retrain", alone.retrained, [p[6] for p in fresh])
    served = requests(loss, data, [adjacent, data], learn_epochs=1, unlearn_epochs=[1, 2],
                      initial=start, **settings)  # fmt: skip
    paths = _alone(_quadratic_pull, [(x, y, 1), (new_x, new_y, 1), (x, y, 2)], start, 0)
    yield Equality("requests", served.requests, [[p[6] for p in paths], [p[-1] for p in paths]])
    yield Equality("requests, unlearned", served.unlearned, [p[-1] for p in paths])
    mean, cov = served.moments()
    last = np.array([p[-1] for p in paths])
    yield Equality("Run.moments", [*mean, *cov.ravel()],
                   [*(last.sum(axis=0) / _TRIALS), *np.cov(last.T).ravel()])  # fmt: skip
    coupled = coupled_paths(loss, data, adjacent, learn_epochs=1, unlearn_epochs=1,
                            second_initial=-start, keep_each=True, initial=start,
                            **settings)  # fmt: skip
    one: Array = np.array(_alone(_quadratic_pull, [(x, y, 1), (new_x, new_y, 1)], start, 0))
    two: Array = np.array(_alone(_quadratic_pull, [(new_x, new_y, 2)], -start, 0))
    gaps = np.sqrt(((one - two) ** 2).sum(axis=2))
    assert coupled.each is not None
    yield Equality("coupled_paths, each", coupled.each, gaps)
    yield Equality("coupled_paths, largest", coupled.largest, gaps.max(axis=0))
    yield Equality("coupled_paths, batches", coupled.batch, [0, 1, 2, 0, 1, 2])
    yield Equality("coupled_paths, where they differ", coupled.differs, [0, 1, 0, 0, 0, 0])
    yield Equality("coupled_paths, ends", [coupled.first, coupled.second],
                   [one[:, -1], two[:, -1]])  # fmt: skip
