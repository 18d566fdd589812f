"""Noisy SGD in batches of trials: every trial on its own, row by row, with the same noise."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from simulators.data.adjacency import replaced
from simulators.data.dataset import Dataset
from simulators.domains import Ball
from simulators.engine.batches import partition, positions
from simulators.engine.blocks import Blocks, natural_size
from simulators.engine.initial import gaussian, initial_state
from simulators.langevin.coupling import coupled_paths
from simulators.langevin.retraining import retrain
from simulators.langevin.unlearning import learn_unlearn, requests
from simulators.losses.logistic import Logistic
from simulators.losses.quadratic import Quadratic
from simulators.random.normals import Normals
from simulators.random.philox_tensors import DeviceNumbers
from simulators.random.seeds import Purpose, generator, key
from verify.self_tests import Equality

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


def _words(key_of: tuple[int, int, int], trial: int, step: int, group: int) -> list[int]:
    """Philox4x32-10 of (trial, step, group, 0), in whole numbers."""
    sequence = np.random.SeedSequence(key_of[0], spawn_key=key_of[1:])
    low, high = map(int, sequence.generate_state(2))
    a, b, c, d = trial, step, group, 0
    # The two multipliers and the two key increments of Philox4x32-10 (Salmon et al. 2011).
    for turn in range(10):
        k, m = low + turn * 0x9E3779B9, high + turn * 0xBB67AE85
        product_a = divmod(0xD2511F53 * a, 2**32)
        product_c = divmod(0xCD9E8D57 * c, 2**32)
        a = product_c[0] ^ b ^ k % 2**32
        b = product_c[1]
        c = product_a[0] ^ d ^ m % 2**32
        d = product_a[1]
    return [a, b, c, d]


def normal(
    seed: int, claim: int, purpose: int, trial: int, step: int, size: int, bits: int = 64
) -> Array:
    """The first numbers of one trial's step: Box and Muller's transform of the words."""
    normals: list[float] = []
    # A 64-bit uniform takes two words, a 32-bit one takes one; the radius uses its top 53 or 32
    # bits.
    precision, of_a_pair = (53, 2) if bits == 64 else (32, 1)
    for group in range(size):
        words = _words((seed, claim, purpose), trial, step, group)
        for first in range(0, 4, 2 * of_a_pair):
            pair = words[first : first + 2 * of_a_pair]
            u, v = (
                int("".join(f"{w:08x}" for w in part), 16)
                for part in (pair[:of_a_pair], pair[of_a_pair:])
            )
            # Half a unit added: the uniform never is 0, whose logarithm is infinite.
            r = math.sqrt(-2 * math.log((u // 2 ** (bits - precision) + 0.5) / 2**precision))
            turn = 2 * math.pi * v / 2**bits
            normals += [r * math.sin(turn), r * math.cos(turn)]
    return np.array(normals[:size])


def _normals() -> Iterator[Equality]:
    """Normal numbers of every kind against Philox by hand, drawn in order and skipped to."""
    cpu = torch.device("cpu")
    stamp = key(_SEED, _CLAIM, Purpose.NOISE)
    for kind, bits, room in ((torch.float64, 64, 1e-12), (torch.float32, 32, 1e-5)):
        for shape in ((3, 5), (2, 3, 2)):
            stream = Normals(stamp, shape, cpu, kind, first=4)
            for step in range(40):
                normals = stream.next().double().numpy().reshape(-1, shape[-1])
                expected = [
                    normal(_SEED, _CLAIM, 0, 4 + i, step, len(normals), bits)
                    for i in range(shape[-1])
                ]
                if step in (0, 1, 39):
                    yield Equality(f"Normals, {kind}, step {step}", normals.T, expected, room)
            # Skipping ahead must lead to the same numbers as drawing them one by one.
            there = DeviceNumbers(stamp, (len(normals), shape[-1]), 4, cpu, kind)
            there.ahead(30)
            there.ahead(10)
            numbers = there.numbers(9, 1).double().numpy()[0]
            yield Equality(f"Stream, {kind}", numbers.T, expected, room)
    single, both = (Normals(stamp, (4, 70), cpu, torch.float64) for _ in range(2))
    states = [torch.zeros(4, 70, dtype=torch.float64) for _ in range(3)]
    for _ in range(2):
        single.add_(states[:1], 0.3)
        both.add_(states[1:], 0.3)
    expected = [
        0.3 * (normal(_SEED, _CLAIM, 0, i, 0, 4) + normal(_SEED, _CLAIM, 0, i, 1, 4))
        for i in range(70)
    ]
    yield Equality("Normals.add_", np.stack(states), [np.transpose(expected)] * 3)
    uniforms = generator(_SEED, _CLAIM, 2, Purpose.INITIAL).random(3)
    yield Equality("seeds.generator", uniforms, _uniforms(1, 2).random(3))


def _plans() -> Iterator[Equality]:
    """Sizes of blocks, partitions of rows in each order, and initial states."""
    cpu = torch.device("cpu")
    for entries in (1, 20, 100, 3000, 10**6):
        # The largest power of two that fits 2^17 entries, between 64 and 4096.
        powers = [2**k for k in range(6, 13) if 2**k * entries <= 2**17] or [64]
        yield Equality("natural_size", natural_size(entries, cpu), max(powers))
    cut = Blocks(_TRIALS, 3)
    yield Equality("Blocks.count", cut.count, 3)
    trial_blocks = [list(range(_TRIALS))[cut.kept(i)] for i in range(3)]
    yield Equality(
        "Blocks.kept", [len(part) for part in trial_blocks] + [trial_blocks[2][0]], [3, 3, 1, 6]
    )
    rows = partition(_N, _B)
    yield Equality("partition", rows, np.arange(_N).reshape(3, 4))
    order = [5, 1, 0, 3, 2, 4]
    batches = partition(6, 2, order)
    yield Equality("partition in an order", batches, [[5, 1], [0, 3], [2, 4]])
    yield Equality("positions", positions(batches, np.array([4, 0, 1])), [2, 1, 0])
    random = partition(_N, _B, "random", seed=_SEED, claim=_CLAIM)
    # The permutation has its own stream (purpose 4), so that the noise does not move with it.
    mixed = _uniforms(4, 0).permutation(_N)
    yield Equality("partition at random", random, mixed.reshape(-1, _B))
    points = np.arange(10.0).reshape(5, 2)
    state = initial_state(points, (2,), 4, slice(3, 5), _SEED, _CLAIM, 0, Purpose.INITIAL)
    expected = np.array([[6.0, 8.0, 0.0, 0.0], [7.0, 9.0, 0.0, 0.0]])
    yield Equality("initial_state, a point for each trial", state, expected)
    one = initial_state(np.array([1.0, 2.0]), (2,), 3, slice(0, 2), 0, 0, 0, Purpose.INITIAL)
    yield Equality("initial_state, one point", one, [[1.0] * 3, [2.0] * 3])
    sample = initial_state(gaussian(2.0), (2,), 3, slice(0, 3), _SEED, _CLAIM, 2, Purpose.INITIAL)
    random_law = _uniforms(1, 2)
    yield Equality("initial_state, a law", sample, 2 * random_law.standard_normal((3, 2)).T)


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
        w, path = start.copy(), [start.copy()]
        # Learning and unlearning are one run: the steps of the noise are counted through.
        for x, y, epochs in phases:
            for step in range(epochs * (_N // _B)):
                first = step % (_N // _B) * _B
                mean = sum(pull(w, x[i], y[i]) for i in range(first, first + _B)) / _B
                draw = normal(_SEED, _CLAIM, purpose, trial, len(path) - 1, _D)
                w = w - _ETA * mean + math.sqrt(2 * _ETA) * _SIGMA * draw
                # The projection onto the ball comes after the noise.
                w = w * min(1.0, _RADIUS / float(np.sqrt(w @ w)))
                path.append(w)
        paths.append(path)
    return paths


def _runs() -> Iterator[Equality]:
    """Learning, unlearning and retraining of a few trials, each on its own, step by step."""
    random = np.random.default_rng(8)
    x = random.normal(size=(_N, _D))
    y = np.where(np.arange(_N) % 3, 1.0, -1.0)
    data = Dataset(x, y)
    adjacent = replaced(data, [6], [[1.5, -0.5]], [-1.0])
    new_x, new_y = adjacent.features, adjacent.targets
    assert new_y is not None
    settings: dict[str, Any] = {
        "sigma": _SIGMA,
        "step_size": _ETA,
        "batch_size": _B,
        "trials": _TRIALS,
        "seed": _SEED,
        "claim": _CLAIM,
        "domain": Ball(_RADIUS),
        "block": _BLOCK,
    }
    start = np.array([0.1, -0.2])
    for loss, pull in ((Logistic(_LAMBDA), _logistic_pull), (Quadratic(_LAMBDA), _quadratic_pull)):
        name = type(loss).__name__
        run = learn_unlearn(
            loss,
            data,
            adjacent,
            learn_epochs=2,
            unlearn_epochs=1,
            retrain="T+K",
            initial=start,
            **settings,
        )
        # Six steps of learning, then three on the adjacent data.
        paths = _alone(pull, [(x, y, 2), (new_x, new_y, 1)], start, 0)
        yield Equality(f"learn_unlearn on {name}, learned", run.learned, [p[6] for p in paths])
        yield Equality(f"learn_unlearn on {name}, unlearned", run.unlearned, [p[9] for p in paths])
        fresh = _alone(pull, [(new_x, new_y, 3)], start, 2)
        yield Equality(f"learn_unlearn on {name}, retrained", run.retrained, [p[-1] for p in fresh])
        counts = [*run.steps.values(), *run.gradient_evaluations.values()]
        yield Equality(f"learn_unlearn on {name}, counts", counts, [6, 3, 9, 24, 12, 36])
        yield Equality("Plan.settings, positions", run.settings["batch_positions"], [[1]])
        values = [run.settings[k] for k in ("batch_size", "batches_per_epoch", "trials", "seed")]
        yield Equality("Plan.settings", values, [_B, 3, _TRIALS, _SEED])
    # From here on `loss`, `pull` and `fresh` are those of the quadratic, the last of the loop.
    short = learn_unlearn(
        loss,
        data,
        adjacent,
        learn_epochs=2,
        unlearn_epochs=1,
        retrain=True,
        initial=start,
        **settings,
    )
    yield Equality("learn_unlearn, retrained T", short.retrained, [p[6] for p in fresh])
    alone = retrain(loss, adjacent, retrain_epochs=2, initial=start, **settings)
    yield Equality("retrain", alone.retrained, [p[6] for p in fresh])
    responses = requests(
        loss,
        data,
        [adjacent, data],
        learn_epochs=1,
        unlearn_epochs=[1, 2],
        initial=start,
        **settings,
    )
    paths = _alone(_quadratic_pull, [(x, y, 1), (new_x, new_y, 1), (x, y, 2)], start, 0)
    yield Equality("requests", responses.requests, [[p[6] for p in paths], [p[-1] for p in paths]])
    yield Equality("requests, unlearned", responses.unlearned, [p[-1] for p in paths])
    mean, cov = responses.moments()
    last = np.array([p[-1] for p in paths])
    yield Equality(
        "Run.moments",
        [*mean, *cov.ravel()],
        [*(last.sum(axis=0) / _TRIALS), *np.cov(last.T).ravel()],
    )
    coupled = coupled_paths(
        loss,
        data,
        adjacent,
        learn_epochs=1,
        unlearn_epochs=1,
        second_initial=-start,
        keep_each=True,
        initial=start,
        **settings,
    )
    one: Array = np.array(_alone(_quadratic_pull, [(x, y, 1), (new_x, new_y, 1)], start, 0))
    two: Array = np.array(_alone(_quadratic_pull, [(new_x, new_y, 2)], -start, 0))
    gaps = np.sqrt(((one - two) ** 2).sum(axis=2))
    assert coupled.each is not None
    yield Equality("coupled_paths, each", coupled.each, gaps)
    yield Equality("coupled_paths, largest", coupled.largest, gaps.max(axis=0))
    yield Equality("coupled_paths, batches", coupled.batch, [0, 1, 2, 0, 1, 2])
    yield Equality("coupled_paths, where they differ", coupled.differs, [0, 1, 0, 0, 0, 0])
    yield Equality("coupled_paths, ends", [coupled.first, coupled.second], [one[:, -1], two[:, -1]])
