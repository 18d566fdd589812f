"""Runs of methods that unlearn on a path, against the same steps by hand."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from simulators.experiments.unlearning import HessianFree, LastSteps
from verify.oracles import Equality

GIVEN: dict[str, Any] = {
    "data": "synthetic",
    "rows": 12,
    "dimension": 3,
    "test_share": 0.0,
    "regularisation": 0.2,
    "step_size": 0.7,
    "batch_size": 4,
    "epochs": 2,
    "forget": "1,6",
}


def equalities() -> Iterator[Equality]:
    """Distances, errors of both recursions, of the last steps and of rewinding, and constants."""
    yield from _recollection()
    yield from _last_steps()


def _by_hand(run: Any, mean: bool) -> tuple[Any, Any, Any, Any]:
    """Both paths, the vectors A of both recursions from step 0 on, and gradients of rows."""
    x, y = run.world.data.features, run.world.data.targets
    gone = np.isin(np.arange(12), (1, 6))

    def pull(w: Any, i: int) -> Any:
        return -y[i] * x[i] / (1 + np.exp(y[i] * (x[i] @ w))) + 0.2 * w

    def bend(w: Any, i: int) -> Any:
        s = 1 / (1 + np.exp(-(x[i] @ w)))
        return s * (1 - s) * np.outer(x[i], x[i]) + 0.2 * np.eye(3)

    def step(w: Any, rows: Any, size: float) -> Any:
        return w - size * sum(pull(w, i) for i in rows)

    learned, retrained = [np.zeros(3)], [np.zeros(3)]
    vectors = {"batch": [np.zeros(3)], "kept": [np.zeros(3)]}
    for t, rows in enumerate(run.world.training.batches):
        eta, w = run.world.training.steps[t], learned[-1]
        left, taken = rows[~gone[rows]], rows[gone[rows]]
        for name, found in vectors.items():
            bends = sum(bend(w, i) for i in (rows if name == "batch" else left))
            moved = sum((pull(w, i) for i in taken), np.zeros(3))
            found.append(found[-1] - eta / len(rows) * (bends @ found[-1] - moved))
        learned.append(step(w, rows, eta / len(rows)))
        retrained.append(step(retrained[-1], left, eta / len(left if mean else rows)))
    return np.array(learned), np.array(retrained), vectors, pull


def _recollection() -> Iterator[Equality]:
    run: Any = HessianFree(**GIVEN, decay=0.9, statistics="set").run()
    w, v, vectors, pull = _by_hand(run, mean=False)
    k, gone = run.constants, (1, 6)
    yield Equality("path distance", run["path_distance"].values, np.linalg.norm(v[-1] - w[-1]))
    for name in ("batch", "kept"):
        found, A = run[f"{name}_error"], np.array(vectors[name])
        left = np.linalg.norm(v[-1] - w[-1] - A[-1])
        yield Equality(f"error, {name}", found.values, left, 1e-8)
        yield Equality(f"norms, {name}", found.at["norms"], np.linalg.norm(A[:-1], axis=1), 1e-9)
    sizes = [[np.linalg.norm(pull(p, i)) for i in range(12)] for p in [*w[:-1], *v[:-1]]]
    C = np.array(sizes)[:, gone].max()
    rest = np.delete(np.array(sizes), gone, axis=1).max()
    yield Equality("C, kept C", [k["C"], k["kept_C"]], [C, rest], 1e-9)
    data = max(np.linalg.norm(pull(p, i) - 0.2 * p) for p in w[:-1] for i in range(12))
    yield Equality("Gm", k["Gm"], data, 1e-9)
    yield Equality("lam, M", [k["lam"], k["M"]], [0.2, 0.45], 1e-9)
    yield Equality("schedule", [k["T"], k["m"], k["B"], sum(k["missing"])], [6, 2, 3, 4])
    yield Equality("steps", k["steps"], 0.7 * 0.9 ** np.arange(6), 1e-9)
    farthest: Any = HessianFree(
        **{**GIVEN, "forget": "aligned"}, ratio=0.25, statistics="set"
    ).run()
    x, y = farthest.world.data.features, farthest.world.data.targets
    pulls = -y[:, None] * x / 2
    turn = np.linalg.eigh(pulls.T @ pulls)[1][:, -1]
    along = pulls @ turn * np.sign((pulls @ turn).sum())
    yield Equality("aligned rows", farthest.world.forget, np.sort(np.argsort(-along)[:3]))
    told = run.document()
    yield Equality("difference", told["difference"]["norm"], np.linalg.norm(v[-1] - w[-1]))


def _last_steps() -> Iterator[Equality]:
    run: Any = LastSteps(**GIVEN, k=3).run()
    w, v, _, _ = _by_hand(run, mean=True)
    apart = np.linalg.norm(v - w, axis=1)
    found = run["short_error"]
    yield Equality("distances", found.at["distances"], apart[[5, 4, 3]], 1e-9)
    again = run["rewound_error"]
    yield Equality("distance at the start", again.at["distance"], apart[3], 1e-9)
    yield Equality("path distance, mean", run["path_distance"].values, apart[-1], 1e-9)
    whole: Any = LastSteps(**GIVEN, k=6).run()
    yield Equality("rewound by all", 1 + whole["rewound_error"].values, 1.0)
    told = run.document()
    yield Equality("left by Mini", told["difference"]["left"], found.values, 1e-9)
