"""Runs of methods that unlearn on a path, against the same steps by hand."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from simulators.runs.unlearning import HessianFree
from verify.hf.views.paths import TrajectoryDistances
from verify.self_tests import Equality

LAM, ROWS = 0.2, 12
FORGOTTEN = (1, 6)
REMAINING = [i for i in range(ROWS) if i not in FORGOTTEN]
SETTINGS: dict[str, Any] = {
    "data": "synthetic",
    "rows": ROWS,
    "dimension": 3,
    "test_share": 0.0,
    "regularisation": LAM,
    "step_size": 0.7,
    "batch_size": 4,
    "epochs": 2,
    "forget": "1,6",
}
WHOLE_BATCHES: dict[str, Any] = {
    **{name: setting for name, setting in SETTINGS.items() if name != "batch_size"},
    "epochs": 3,
}


def norm(vector: Any) -> float:
    """|vector|."""
    return float(np.linalg.norm(vector))


def equality(run: Any, name: str, expected: Any, tolerance: float = 1e-8) -> Equality:
    """An observable of a run, beside its values by another route."""
    return Equality(name, run[name].values, expected, tolerance)


class PathsByHand:
    """Both paths of logistic rows, one gradient at a time.

    learned, retrained: w_0..w_T and v_0..v_T.  mean: retraining divides by what stays of a batch.
    """

    def __init__(self, run: Any, mean: bool = False) -> None:
        self.x, self.y = run.task.data.features, run.task.data.targets
        self.batches, self.rates = run.task.training.batches, run.task.training.steps
        self.learned, self.retrained = [np.zeros(3)], [np.zeros(3)]
        for rows, remaining, rate in self.steps():
            w, v = self.learned[-1], self.retrained[-1]
            share = 1.0 if mean else len(remaining) / len(rows)
            self.learned.append(w - rate * self.gradient(w, rows))
            self.retrained.append(v - rate * share * self.gradient(v, remaining))

    def steps(self, removed: Iterable[int] = FORGOTTEN) -> Iterator[tuple[Any, list[int], float]]:
        """Of every step: its rows, those of them that stay, and its size."""
        for rows, rate in zip(self.batches, self.rates, strict=True):
            yield rows, [i for i in rows if i not in removed], float(rate)

    def gradient(self, w: Any, rows: Any) -> Any:
        """The mean gradient of rows (3,)."""
        x, y = self.x[list(rows)], self.y[list(rows)]
        return -(y / (1 + np.exp(y * (x @ w)))) @ x / len(x) + LAM * w

    def hessian(self, w: Any, rows: Any) -> Any:
        """Their mean Hessian (3, 3)."""
        x = self.x[list(rows)]
        s = 1 / (1 + np.exp(-(x @ w)))
        return (x.T * (s * (1 - s))) @ x / len(x) + LAM * np.eye(3)

    def remainder(self, t: int, rows: Any) -> float:
        """|g(v_t) - g(w_t) - H(w_t)(v_t - w_t)| of the means over rows."""
        w, v = self.learned[t], self.retrained[t]
        bend = self.hessian(w, rows) @ (v - w)
        return norm(self.gradient(v, rows) - self.gradient(w, rows) - bend)

    def recursion(
        self, hessian: str, removed: Iterable[int] = FORGOTTEN
    ) -> tuple[Any, list[float]]:
        """A_T of a set (3,), and |A_t| for t < T; Hessians of the "batch" or of what is "kept"."""
        A, norms = np.zeros(3), []
        for w, (rows, remaining, rate) in zip(self.learned, self.steps(removed), strict=False):
            norms.append(norm(A))
            part = rows if hessian == "batch" else remaining
            lost = [i for i in rows if i in removed]
            A = A - rate * len(part) / len(rows) * self.hessian(w, part) @ A
            A = A + (rate * len(lost) / len(rows) * self.gradient(w, lost) if lost else 0.0)
        return A, norms

    def risk(self, w: Any) -> float:
        """The mean loss of all rows."""
        return float(np.log1p(np.exp(-self.y * (self.x @ w))).mean() + LAM / 2 * w @ w)

    def minimiser(self, rows: Any) -> Any:
        """Over rows, by plain descent (3,)."""
        w = np.zeros(3)
        for _ in range(600):
            w = w - self.gradient(w, rows) / 0.45
        return w


def smoothness(run: Any) -> float:
    """M of the rows: a quarter of the longest square, and the ridge."""
    longest = float(np.linalg.norm(run.task.data.features, axis=1).max())
    return 0.25 * longest**2 + LAM


def equalities() -> Iterator[Equality]:
    """Distances of the paths, constants of the rows and of the schedule, and aligned rows."""
    run: Any = HessianFree(**SETTINGS, decay=0.9, statistics="set").run()
    run.view(TrajectoryDistances)
    hand = PathsByHand(run)
    distances = [norm(v - w) for w, v in zip(hand.learned, hand.retrained, strict=True)]
    yield equality(run, "path_distance", distances[-1])
    yield equality(run, "step_growth", np.maximum(np.diff(distances), 0))
    yield Equality("difference", run.document()["difference"]["norm"], distances[-1])
    yield from _gradient_bounds(run, hand)
    yield from _schedule(run)
    yield _aligned_rows()


def _gradient_bounds(run: Any, hand: PathsByHand) -> Iterator[Equality]:
    """The largest gradients of single rows on the way."""
    constants = run.constants
    points = [*hand.learned[:-1], *hand.retrained[:-1]]
    norms = np.array([[norm(hand.gradient(w, [i])) for i in range(ROWS)] for w in points])
    expected = [norms[:, FORGOTTEN].max(), norms[:, REMAINING].max()]
    yield Equality("C, kept C", [constants["C"], constants["kept_C"]], expected, 1e-9)
    terms = [hand.gradient(w, [i]) - LAM * w for w in hand.learned[:-1] for i in range(ROWS)]
    yield Equality("Gm", constants["Gm"], max(map(norm, terms)), 1e-9)


def _schedule(run: Any) -> Iterator[Equality]:
    """Steps 0.7 0.9^t on batches of 4 of 12 rows, for two epochs."""
    constants = run.constants
    steps = 0.7 * 0.9 ** np.arange(6)
    M = smoothness(run)
    yield Equality("lam, M", [constants["lam"], constants["M"]], [LAM, M], 1e-9)
    counts = [constants["T"], constants["m"], constants["B"], sum(constants["missing"])]
    yield Equality("schedule", counts, [6, 2, 3, 4])
    yield Equality("steps", constants["steps"], steps, 1e-9)
    rho = np.abs(1 - np.outer([LAM, M], steps)).max(axis=0)
    yield Equality("rho", [constants["rho_0"], constants["rho_max"]], [rho[0], rho.max()])
    expected = 0.1 * max(1.0, rho.max()) ** 2 / (0.7 * 4)
    yield Equality("K", constants["K_one"], expected)


def _aligned_rows() -> Equality:
    """The three rows whose gradients at 0 pull farthest along their first principal direction."""
    settings = {**SETTINGS, "forget": "aligned", "ratio": 0.25, "statistics": "set"}
    task = HessianFree(**settings).run().task  # type: ignore[attr-defined]
    gradients = -task.data.targets[:, None] * task.data.features / 2
    direction = np.linalg.eigh(gradients.T @ gradients)[1][:, -1]
    along = gradients @ direction * np.sign((gradients @ direction).sum())
    return Equality("aligned rows", task.forget, np.sort(np.argsort(-along)[:3]))
