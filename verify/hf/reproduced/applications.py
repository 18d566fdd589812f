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
from verify.hf.reproduced.tables import QUICK
from verify.showcases.cells import Cause
from verify.showcases.data import Chosen
from verify.showcases.rows import Found, Row, reproduction

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
        from verify.hf.reproduced.setting import SoftmaxTraining

        experiment = SoftmaxTraining(chosen, seed, **(QUICK if chosen.quick else {}))
        deletions = experiment.forget(0.2)
        retrained, each = timed(lambda: experiment.end(deletions))
        why: dict[str, str] = {}
        before = 0.0
        if method == "Ours":
            store, before = timed(lambda: Recollection.learn(experiment.model, experiment.training))
            point, seconds = timed(lambda: store.forget(deletions))
        else:
            use_kept = method == "NS"
            _, once = timed(
                lambda: statistics(
                    experiment.model, experiment.learned, [deletions[:1]], kept=use_kept
                )
            )
            seconds = once * len(deletions)
            move = statistics(experiment.model, experiment.learned, [deletions], kept=use_kept)[0]
            point = experiment.learned + move
            why["pre-computation, s"] = "conjugate gradients form no Hessian"
        values = {
            "seconds": seconds,
            "times faster": len(deletions) * each / seconds,
            "GB": storage(method),
            "accuracy": experiment.accuracy(point),
            "its change": experiment.accuracy(point) - experiment.accuracy(retrained),
        }
        if method == "Ours":
            values["pre-computation, s"] = before
        cells = {column: {OURS: value} for column, value in values.items()}
        return Found(cells, hashes=[experiment.model.data.sha256], why=why)

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
    """The problem of Table 3, what leaves, and method -> (model, seconds), the learned one too."""
    from simulators.trajectory.tuning import fine_tune, negative_gradient
    from verify.hf.reproduced.setting import SoftmaxTraining

    n, count = (200, 10) if chosen.quick else (5000, 50)
    epochs = 2 if chosen.quick else 40
    experiment = SoftmaxTraining(
        chosen, seed, size=n, eta=0.001, epochs=epochs, decay=1.0, batch_size=256
    )
    deletions = np.sort(np.random.default_rng([seed, 3]).permutation(n)[:count])
    statistic = experiment.vectors([deletions]).vectors[0]
    each = np.tile(statistic / count, (count, 1))  # as many stored vectors
    model, w = experiment.model, experiment.learned
    tuned: dict[str, Callable[[], np.ndarray]] = {
        "FineTune": lambda: fine_tune(
            model,
            w,
            deletions,
            epochs=10,
            step_size=0.001,
            batch_size=min(256, n - count),
            seed=seed,
        ),
        "NegGrad": lambda: negative_gradient(
            model, w, deletions, epochs=2, step_size=0.0001, batch_size=1, seed=seed
        ),
        "Retrain": lambda: experiment.end(deletions),
        "Ours": lambda: w + each.sum(axis=0),
        "nothing done": lambda: w,
    }
    return experiment, deletions, {name: timed(work) for name, work in tuned.items()}


def baseline(method: str) -> Callable[[Chosen, int], Found]:
    """Accuracies on what is forgotten, kept and held out; distance to retraining; seconds."""

    def run(chosen: Chosen, seed: int) -> Found:
        experiment, deletions, points = unlearned(chosen, seed)
        point, seconds = points[method]
        kept_rows = np.setdiff1d(np.arange(experiment.size), deletions)
        values = {
            SETS[0]: experiment.right(point, deletions),
            SETS[1]: experiment.right(point, kept_rows),
            SETS[2]: experiment.accuracy(point),
            "distance": float(np.linalg.norm(point - points["Retrain"][0])),
            "seconds": seconds,
        }
        cells = {column: {OURS: value} for column, value in values.items()}
        return Found(cells, hashes=[experiment.model.data.sha256])

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
    from verify.hf.reproduced.setting import SoftmaxTraining

    size, epochs = (200, 2) if chosen.quick else (1000, 10)
    experiment = SoftmaxTraining(chosen, seed, size=size, epochs=epochs, eta=0.1, batch_size=64)
    order = np.random.default_rng([seed, 7]).permutation(size)
    sets = [np.sort(part) for part in np.array_split(order[: 3 * (size // 5)], 3)]
    vectors = experiment.vectors(sets).vectors
    deletions = np.empty(0, dtype=int)
    model, training, point = experiment.model, experiment.training, experiment.learned
    never = {i: experiment.end(np.concatenate(sets[: i + 1])) for i in range(3)}
    stages = {"learned": (experiment.accuracy(point), 0.0)}
    for i, own in enumerate(sets):
        deletions = np.concatenate([deletions, own])
        point = point + vectors[i]
        apart = float(np.linalg.norm(point - never[i]))
        stages[f"unlearned {i + 1}"] = (experiment.accuracy(point), apart)
        kept_rows = np.setdiff1d(np.arange(size), deletions)
        batches = [
            kept_rows[b]
            for b in batches_of(len(kept_rows), min(64, len(kept_rows)), 2, seed=seed + i)
        ]
        steps = np.full(len(batches), float(training.steps[-1]))
        repair = replace(training, batches=tuple(batches), steps=steps, start=point)
        rerun = differences(model, repair, sets, Recursion("kept"), initial=vectors.copy())
        vectors, point = rerun.vectors, rerun.learned
        # Those who never had later sets go through the same repair without them.
        for j in range(i, 3):
            exclusions = np.concatenate(sets[: j + 1])
            again = replace(repair, start=never[j])
            never[j] = again.run(model, exclusions).last
        apart = float(np.linalg.norm(point - never[i]))
        stages[f"repaired {i + 1}"] = (experiment.accuracy(point), apart)
    return experiment.model.data.sha256, stages


def stage(name: str) -> Callable[[Chosen, int], Found]:
    """One stage of unlearning and repair."""

    def run(chosen: Chosen, seed: int) -> Found:
        sha, stages = repairs(chosen, seed)
        accuracy, apart = stages[name]
        return Found({"accuracy, %": {OURS: accuracy}, "distance": {OURS: apart}}, hashes=[sha])

    return run


def figure_7(chosen: Chosen) -> list[Row]:
    """Learning, then unlearning a fifth and repairing, three times."""
    columns = dict.fromkeys(("accuracy, %", "distance"))
    return [Row(name, columns, stage(name), OTHER) for name in STAGES]


TABLE_2_SHOWCASE = reproduction(
    "Table 2: costs of 20 % forgotten one at a time",
    "seconds, GiB in single precision, percent",
    table_2,
    note="NS and IJ solve by conjugate gradients, which form no Hessian: seconds are 200 times "
    "those of one request, the model is that of the whole set.",
)
TABLE_3_SHOWCASE = reproduction(
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
