"""Tables 2 and 3 of hf and Figure 7: costs, baselines and repair, on softmax regression.

The paper's Table 3 and Figure 7 are of ResNet-18; what runs here is softmax regression with the
same protocol, and is labelled so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from bounds.hf.table_2 import MODELS, TABLE_2, TABLE_3, TABLE_3_COSTS, TimingRow
from verify.exhibits.cells import Cause
from verify.exhibits.data import Chosen
from verify.exhibits.rows import Found, Row, reproduction
from verify.hf.reproduced.tables import QUICK

COSTS: tuple[Cause, ...] = ("hardware", "data part", "unspecified B, T or seed")
OTHER: tuple[Cause, ...] = ("model", "hardware", "data part")
OURS = "ours"
LOGISTIC = "MNIST logistic"
COLUMNS = ("seconds", "times faster", "pre-computation, s", "GB", "accuracy", "its change")
FASHION = "needs Fashion-MNIST, which is not at hand"
STATISTICS = "1,000 statistics of p = 21,840 are 320,000 Hessian-vector products: hours here"
HESSIAN = "its Hessian is not positive definite, and takes 3.8 GB of doubles"


def unreached(method: str, model: str) -> str:
    """Why this line of Table 2 cannot be run here; "" where it can."""
    if model == LOGISTIC:
        return ""
    return FASHION if "FMNIST" in model else STATISTICS if method == "Ours" else HESSIAN


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What it returns, and its seconds."""
    begun = time.perf_counter()
    return work(), time.perf_counter() - begun


def storage(method: str) -> float:
    """GiB of the statistics, or of a Hessian, in single precision as the paper counts them."""
    n, d, _ = MODELS[LOGISTIC]
    return 4 * d * (n if method == "Ours" else d) / 2**30


def costs(method: str) -> Callable[[Chosen, int], Found]:
    """200 requests of one row each for softmax regression."""

    def run(chosen: Chosen, seed: int) -> Found:
        from simulators.trajectory.recollection import Recollection
        from verify.hf.reproduced.newton import statistics
        from verify.hf.reproduced.world import SoftmaxTraining

        world = SoftmaxTraining(chosen, seed, **(QUICK if chosen.quick else {}))
        gone = world.forget(0.2)
        retrained, each = timed(lambda: world.end(gone))
        why: dict[str, str] = {}
        before = 0.0
        if method == "Ours":
            store, before = timed(lambda: Recollection.learn(world.model, world.training))
            point, seconds = timed(lambda: store.forget(gone))
        else:
            kept = method == "NS"
            _, once = timed(lambda: statistics(world.model, world.learned, [gone[:1]], kept=kept))
            seconds = once * len(gone)
            move = statistics(world.model, world.learned, [gone], kept=kept)[0]
            point = world.learned + move
            why["pre-computation, s"] = "conjugate gradients form no Hessian"
        found = {
            "seconds": seconds,
            "times faster": len(gone) * each / seconds,
            "GB": storage(method),
            "accuracy": world.accuracy(point),
            "its change": world.accuracy(point) - world.accuracy(retrained),
        }
        if method == "Ours":
            found["pre-computation, s"] = before
        cells = {column: {OURS: value} for column, value in found.items()}
        return Found(cells, hashes=[world.model.data.sha256], why=why)

    return run


def table_2(chosen: Chosen) -> list[Row]:
    """NS, IJ and the paper's method; one model runs."""
    rows = []
    for line in TABLE_2:
        why = unreached(line.method, line.model)
        rows.append(
            Row(
                f"{line.method}, {line.model}",
                dict(zip(COLUMNS, _numbers(line), strict=True)),
                None if why else costs(line.method),
                COSTS,
                why,
            )
        )
    return rows


def _numbers(line: TimingRow) -> tuple[float, ...]:
    return tuple(line[2:])


SETS = ("D_f, %", "D_r, %", "D_t, %")


@cache
def unlearned(
    chosen: Chosen, seed: int
) -> tuple[Any, np.ndarray, dict[str, tuple[np.ndarray, float]]]:
    """The world of Table 3, what leaves, and method -> (model, seconds), the learned one too."""
    from simulators.trajectory.tuning import fine_tune, negative_gradient
    from verify.hf.reproduced.world import SoftmaxTraining

    n, count = (200, 10) if chosen.quick else (5000, 50)
    epochs = 2 if chosen.quick else 40
    world = SoftmaxTraining(
        chosen, seed, size=n, eta=0.001, epochs=epochs, decay=1.0, batch_size=256
    )
    gone = np.sort(np.random.default_rng([seed, 3]).permutation(n)[:count])
    statistic = world.vectors([gone]).vectors[0]
    each = np.tile(statistic / count, (count, 1))  # as many stored vectors
    model, w = world.model, world.learned
    tuned: dict[str, Callable[[], np.ndarray]] = {
        "FineTune": lambda: fine_tune(
            model, w, gone, epochs=10, step_size=0.001, batch_size=min(256, n - count), seed=seed
        ),
        "NegGrad": lambda: negative_gradient(
            model, w, gone, epochs=2, step_size=0.0001, batch_size=1, seed=seed
        ),
        "Retrain": lambda: world.end(gone),
        "Ours": lambda: w + each.sum(axis=0),
        "nothing done": lambda: w,
    }
    return world, gone, {name: timed(work) for name, work in tuned.items()}


def baseline(method: str) -> Callable[[Chosen, int], Found]:
    """Accuracies on what is forgotten, kept and held out; distance to retraining; seconds."""

    def run(chosen: Chosen, seed: int) -> Found:
        world, gone, points = unlearned(chosen, seed)
        point, seconds = points[method]
        kept = np.setdiff1d(np.arange(world.size), gone)
        values = {
            SETS[0]: world.right(point, gone),
            SETS[1]: world.right(point, kept),
            SETS[2]: world.accuracy(point),
            "distance": float(np.linalg.norm(point - points["Retrain"][0])),
            "seconds": seconds,
        }
        cells = {column: {OURS: value} for column, value in values.items()}
        return Found(cells, hashes=[world.model.data.sha256])

    return run


def table_3(chosen: Chosen) -> list[Row]:
    """FineTune, NegGrad, retraining and the paper's method; the learned model too."""
    rows = []
    for method, cells in TABLE_3.items():
        printed: Mapping[str, float | None] = {
            **{name: cell[0] for name, cell in zip(SETS, cells, strict=True)},
            **dict(zip(("distance", "seconds"), TABLE_3_COSTS[method], strict=True)),
        }
        rows.append(Row(method, printed, baseline(method), OTHER))
    nothing = dict.fromkeys((*SETS, "distance"))
    return [*rows, Row("nothing done", nothing, baseline("nothing done"), OTHER)]


STAGES = ("learned", *(f"{word} {i}" for i in (1, 2, 3) for word in ("unlearned", "repaired")))


@cache
def repairs(chosen: Chosen, seed: int) -> tuple[str, dict[str, tuple[float, float]]]:
    """Stage -> accuracy, and distance to a model that never saw what is forgotten.

    Statistics of the three sets are carried through the repairs of two epochs each.
    """
    from simulators.trajectory.recursion import Recursion, differences
    from simulators.trajectory.training import batches_of
    from verify.hf.reproduced.world import SoftmaxTraining

    size, epochs = (200, 2) if chosen.quick else (1000, 10)
    world = SoftmaxTraining(chosen, seed, size=size, epochs=epochs, eta=0.1, batch_size=64)
    order = np.random.default_rng([seed, 7]).permutation(size)
    sets = [np.sort(part) for part in np.array_split(order[: 3 * (size // 5)], 3)]
    vectors = world.vectors(sets).vectors
    gone = np.empty(0, dtype=int)
    model, training, point = world.model, world.training, world.learned
    never = {i: world.end(np.concatenate(sets[: i + 1])) for i in range(3)}
    found = {"learned": (world.accuracy(point), 0.0)}
    for i, own in enumerate(sets):
        gone = np.concatenate([gone, own])
        point = point + vectors[i]
        apart = float(np.linalg.norm(point - never[i]))
        found[f"unlearned {i + 1}"] = (world.accuracy(point), apart)
        kept = np.setdiff1d(np.arange(size), gone)
        batches = [kept[b] for b in batches_of(len(kept), min(64, len(kept)), 2, seed=seed + i)]
        steps = np.full(len(batches), float(training.steps[-1]))
        repair = replace(training, batches=tuple(batches), steps=steps, start=point)
        done = differences(model, repair, sets, Recursion("kept"), initial=vectors.copy())
        vectors, point = done.vectors, done.learned
        # Those who never had later sets go through the same repair without them.
        for j in range(i, 3):
            left = np.concatenate(sets[: j + 1])
            again = replace(repair, start=never[j])
            never[j] = again.run(model, left).last
        apart = float(np.linalg.norm(point - never[i]))
        found[f"repaired {i + 1}"] = (world.accuracy(point), apart)
    return world.model.data.sha256, found


def stage(name: str) -> Callable[[Chosen, int], Found]:
    """One stage of unlearning and repair."""

    def run(chosen: Chosen, seed: int) -> Found:
        sha, found = repairs(chosen, seed)
        accuracy, apart = found[name]
        return Found({"accuracy, %": {OURS: accuracy}, "distance": {OURS: apart}}, hashes=[sha])

    return run


def figure_7(chosen: Chosen) -> list[Row]:
    """Learning, then unlearning a fifth and repairing, three times."""
    drawn = dict.fromkeys(("accuracy, %", "distance"))
    return [Row(name, drawn, stage(name), OTHER) for name in STAGES]


TABLE_2_EXHIBIT = reproduction(
    "Table 2: costs of 20 % forgotten one at a time",
    "seconds, GiB in single precision, percent",
    table_2,
    note="NS and IJ solve by conjugate gradients, which form no Hessian: seconds are 200 times "
    "those of one request, the model is that of the whole set.",
)
TABLE_3_EXHIBIT = reproduction(
    "Table 3: baselines, softmax regression in the place of ResNet-18",
    "accuracies in percent, distance to the retrained model, seconds",
    table_3,
    note="An analogue: 5,000 images, b = 256, 40 epochs of eta = .001, 50 forgotten, as in B.2. "
    "Accuracies hardly move; 'nothing done' shows how far retraining goes.",
)
FIGURE_7 = reproduction(
    "Figure 7: unlearning and repair, softmax regression in the place of ResNet-18",
    "accuracy in percent, distance to a model that never saw what is forgotten",
    figure_7,
    log=False,
)
