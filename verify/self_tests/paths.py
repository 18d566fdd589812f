"""Training and the recursion of its differences: gradients and Hessians by hand, line by line."""

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from simulators.data.dataset import Dataset
from simulators.losses.logistic import Logistic
from simulators.losses.softmax import Softmax as Loss
from simulators.trajectory.generic import FunctionModel
from simulators.trajectory.model import Model
from simulators.trajectory.models import LinearScore, SoftmaxScore
from simulators.trajectory.recursion import Recursion, differences
from simulators.trajectory.training import Training, batches_of, geometric_steps, kept_weights
from verify.self_tests import Equality

LAMBDA, CLASSES = 0.1, 3
SETS = ((3,), (0, 5), (1, 2, 3, 4), (6, 0))
Array = NDArray[np.float64]


def equalities() -> Iterator[Equality]:
    """Models at a point, training, recursions."""
    for hand in (LogisticRows(), LogisticRows(clip=0.6), SoftmaxRows()):
        yield from _tangents(hand, hand.model())
        yield from _tangents(hand, hand.generic())
    yield from _training()
    yield from _recursions()


class LogisticRows:
    """log(1 + e^(-y<x, w>)) + (lambda/2)|w|^2, its gradients and Hessians sample by sample."""

    def __init__(self, clip: float | None = None) -> None:
        random = np.random.default_rng(2)
        self.x = random.normal(size=(7, 3))
        self.y = np.array([1.0, -1.0, -1.0, 1.0, -1.0, 1.0, 1.0])
        self.clip, self.size, self.parameters = clip, 7, 3

    def value(self, i: int, w: Array) -> float:
        odds = math.exp(-self.y[i] * float(self.x[i] @ w))
        return math.log1p(odds) + LAMBDA / 2 * float(w @ w)

    def _slope(self, i: int, w: Array) -> tuple[float, float, bool]:
        odds = math.exp(-self.y[i] * float(self.x[i] @ w))
        slope, cap = odds / (1 + odds), math.inf
        if self.clip is not None:
            # The slope at which the gradient's norm meets the clip; beyond it the Hessian of the
            # pull is 0.
            cap = self.clip / float(np.sqrt(self.x[i] @ self.x[i]))
        return min(slope, cap), odds / (1 + odds) ** 2, slope > cap

    def gradient(self, i: int, w: Array) -> Array:
        return np.asarray(-self._slope(i, w)[0] * self.y[i] * self.x[i] + LAMBDA * w)

    def hessian(self, i: int, w: Array) -> Array:
        _, bend, flat = self._slope(i, w)
        return (0.0 if flat else bend) * np.outer(self.x[i], self.x[i]) + LAMBDA * np.eye(3)

    def model(self) -> Model:
        return LinearScore(Logistic(LAMBDA, self.clip), Dataset(self.x, self.y))

    def generic(self) -> Model:
        if self.clip is not None:
            return self.model()

        def loss(w: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return torch.log1p(torch.exp(-y * (x @ w))) + LAMBDA / 2 * (w @ w)

        return FunctionModel(loss, self.x, self.y, 3, chunk=2)


class SoftmaxRows(LogisticRows):
    """Multinomial logistic regression; w lists the classes' weights one by one."""

    def __init__(self) -> None:
        super().__init__()
        self.x, self.parameters = self.x[:, :2], 2 * CLASSES
        self.y = np.array([0.0, 2.0, 1.0, 1.0, 0.0, 2.0, 2.0])

    def _odds(self, i: int, w: Array) -> tuple[Array, Array]:
        odds = np.exp(w.reshape(CLASSES, 2) @ self.x[i])
        return odds / odds.sum(), np.eye(CLASSES)[int(self.y[i])]

    def value(self, i: int, w: Array) -> float:
        shares, hot = self._odds(i, w)
        return -math.log(float(shares @ hot)) + LAMBDA / 2 * float(w @ w)

    def gradient(self, i: int, w: Array) -> Array:
        shares, hot = self._odds(i, w)
        # Weights class by class: gradients and Hessians are Kronecker products with the row.
        return np.kron(shares - hot, self.x[i]) + LAMBDA * w

    def hessian(self, i: int, w: Array) -> Array:
        shares, _ = self._odds(i, w)
        bend = np.diag(shares) - np.outer(shares, shares)
        return np.kron(bend, np.outer(self.x[i], self.x[i])) + LAMBDA * np.eye(2 * CLASSES)

    def model(self) -> Model:
        return SoftmaxScore(Loss(CLASSES, LAMBDA), Dataset(self.x, self.y))

    def generic(self) -> Model:
        return self.model()


def _tangents(hand: LogisticRows, model: Model) -> Iterator[Equality]:
    """Values, gradients and Hessian products of a model at a point, by whole matrices."""
    random = np.random.default_rng(4)
    p, rows = hand.parameters, np.array([4, 0, 6, 2])
    w = 0.5 * random.normal(size=p)
    V = random.normal(size=(3, p))
    name = type(model).__name__
    g = np.array([hand.gradient(i, w) for i in rows])
    H = np.array([hand.hessian(i, w) for i in rows])
    here = torch.tensor(w)
    weights = np.array([0.3, -1.0, 2.0, 0.7])
    if hand.clip is None:
        values = [hand.value(i, w) for i in rows]
        yield Equality(f"{name}.values", model.values(here, rows), values)
    yield Equality(f"{name}'s sizes", [model.size, model.parameters], [hand.size, p])
    yield Equality("Model.everything", model.everything(), np.arange(hand.size))
    at = model.tangent(here, rows)
    lines = torch.tensor(V)
    yield Equality(f"{name}, gradient", at.gradient(torch.tensor(weights)), weights @ g)
    yield Equality(f"{name}, norms", at.norms(), np.sqrt((g**2).sum(axis=1)))
    yield Equality(f"{name}, inner", at.inner(lines), g @ V.T)
    yield Equality(f"{name}, apply", at.apply(lines), V @ H.sum(axis=0))
    yield Equality(f"{name}, hessian", at.hessian(), H.sum(axis=0))
    columns = torch.tensor([3, 1, 1])
    expected = [H[c] @ v for c, v in zip((3, 1, 1), V, strict=True)]
    yield Equality(f"{name}, products", at.products(lines, columns), expected)
    line_state = lines.clone()
    at.add_gradients_(
        line_state, torch.tensor([0, 2, 2]), columns, torch.tensor([0.5, -1.0, 2.0]).double()
    )
    expected = V + np.array([0.5 * g[3], 0 * g[0], g[1]])
    yield Equality(f"{name}, add_gradients_", line_state, expected)
    swept = lines.clone()
    yield Equality(f"{name}, sweep_", at.sweep_(swept, 0.3), g @ V.T)
    yield Equality(f"{name}, sweep_, the lines", swept, V - 0.3 * V @ H.sum(axis=0))
    removed_pairs = [(0, 1), (0, 2), (2, 3)]
    hits = torch.tensor([0, 0, 2]), torch.tensor([1, 2, 3])
    for rate, deletions in (
        (0.3, None),
        ([0.1, 0.2, 0.4], None),
        (0.3, hits),
        ([0.1, 0.2, 0.4], hits),
    ):
        line_state = lines.clone()
        each = torch.tensor(rate, dtype=torch.float64) if isinstance(rate, list) else rate
        at.contract_(line_state, each, deletions)
        expected = []
        for line, v in enumerate(V):
            out = {c for at_line, c in removed_pairs if at_line == line and deletions is not None}
            kept_hessian = sum(H[c] for c in range(4) if c not in out)
            expected.append(v - (rate[line] if isinstance(rate, list) else rate) * kept_hessian @ v)
        yield Equality(f"{name}, contract_", line_state, expected)
    yield Equality("Model.lengths", model.lengths(lines), np.sqrt((V**2).sum(axis=1)))


BATCHES = ((4, 0, 6), (2, 5, 1), (3, 0), (1, 2, 3, 4), (6, 5, 4), (0, 3, 2))
STEPS = np.array([0.5, 0.3, 0.6, 0.4, 0.2, 0.7])


def training(clip: float | None = None, rule: str = "min", parameters: int = 3) -> Training:
    """The run that every trajectory below follows."""
    start = np.linspace(0.4, -0.3, parameters)
    return Training(tuple(np.array(b) for b in BATCHES), STEPS, start, clip, rule)


def path(
    hand: LogisticRows,
    forget: Sequence[int] = (),
    scaling: str = "linear",
    clip: float | None = None,
    rule: str = "min",
) -> tuple[list[Array], bool]:
    """The iterates, one gradient at a time, and whether the clip changed a step."""
    w, active = np.linspace(0.4, -0.3, hand.parameters), False
    points = [w]
    for rows, eta in zip(BATCHES, STEPS, strict=True):
        kept_rows = [i for i in rows if i not in forget]
        total = sum((hand.gradient(i, w) for i in kept_rows), np.zeros(hand.parameters))
        # Linear scaling keeps the batch size; mean scaling divides by the rows that are left.
        move = total / (len(rows) if scaling == "linear" else max(len(kept_rows), 1))
        size = math.sqrt(float(move @ move))
        # Rule "min" shortens long steps to the clip, "max" lengthens short ones to it.
        if clip is not None and size > 0 and (size > clip) == (rule == "min") and size != clip:
            move, active = move * clip / size, True
        w = w - eta * move
        points.append(w)
    return points, active


def _training() -> Iterator[Equality]:
    """Trajectories with and without forgotten samples, clipped or not, step by step."""
    for hand in (LogisticRows(), SoftmaxRows()):
        model = hand.model()
        for forget, scaling in itertools.product(((), *SETS), ("linear", "mean")):
            for clip, rule in ((None, "min"), (0.2, "min"), (0.2, "max"), (50.0, "min")):
                run = training(clip, rule, hand.parameters).run(model, forget, scaling)
                points, active = path(hand, forget, scaling, clip, rule)
                yield Equality(f"Training.run, {scaling}, clip {clip}, {rule}", run.points, points)
                yield Equality("Trajectory.clip_active", run.clip_active, active)
            largest = [
                max(np.linalg.norm(hand.gradient(i, w)) for i in rows)
                for rows, w in zip(BATCHES, points, strict=False)
            ]
            yield Equality("Trajectory.largest_gradients", run.largest_gradients, largest)
            yield Equality("Trajectory.last", run.last, points[-1])
    yield Equality("Training.length", training().length, 6)
    part = training().part(2, 4, np.ones(3))
    yield Equality(
        "Training.part", [*part.steps, *part.start, *part.batches[0]], [0.6, 0.4, 1, 1, 1, 3, 0]
    )
    deletion_mask = np.array([False, True, False, True])
    rows = np.array([3, 0, 2])
    yield Equality(
        "kept_weights, linear", kept_weights(rows, deletion_mask, "linear"), [0, 1 / 3, 1 / 3]
    )
    yield Equality("kept_weights, mean", kept_weights(rows, deletion_mask, "mean"), [0, 0.5, 0.5])
    yield Equality(
        "kept_weights, none", kept_weights(np.array([1, 3]), deletion_mask, "mean"), [0, 0]
    )
    plain = batches_of(7, 3, 2, shuffle=False)
    yield Equality("batches_of", np.concatenate(plain), [0, 1, 2, 3, 4, 5, 6] * 2)
    yield Equality("batches_of, sizes", [len(b) for b in plain], [3, 3, 1] * 2)
    mixed = np.concatenate(batches_of(7, 3, 2, seed=5))
    yield Equality(
        "batches_of, shuffled", [*np.sort(mixed[:7]), *np.sort(mixed[7:])], [*range(7)] * 2
    )
    steps = geometric_steps(0.3, 0.9, 4)
    yield Equality("geometric_steps", steps, [0.3, 0.27, 0.243, 0.2187])


def difference(
    hand: LogisticRows,
    forget: Sequence[int],
    hessian: str,
    scaling: str,
    last: int | None,
    order: str,
    first: Array | None = None,
) -> list[Array]:
    """A_0..A_T of one line, by whole matrices."""
    points = path(hand)[0]
    p = hand.parameters
    A = np.zeros(p) if first is None else first
    offsets = [A]
    for t, (rows, eta) in enumerate(zip(BATCHES, STEPS, strict=True)):
        w = points[t]
        # With `last` only the last steps count: A stays at its start before them.
        if last is not None and t < len(BATCHES) - last:
            offsets.append(A)
            continue
        b, lost = len(rows), [i for i in rows if i in forget]
        kept_rows = [i for i in rows if i not in forget]
        over = kept_rows if hessian == "kept" else rows
        H = sum((hand.hessian(i, w) for i in over), np.zeros((p, p)))
        mean = sum((hand.gradient(i, w) for i in rows), np.zeros(p)) / b
        lost_gradient = sum((hand.gradient(i, w) for i in lost), np.zeros(p))
        if scaling == "linear":
            H, G = H / b, eta / b * lost_gradient
        elif hessian == "batch":
            H, G = H / b, eta / b * (lost_gradient - len(lost) * mean)
        elif kept_rows:  # the step on all less the step on those kept
            H = H / len(kept_rows)
            G = eta * (mean - (b * mean - lost_gradient) / len(kept_rows))
        else:
            G = eta * mean
        # "early" adds the difference after contracting, "late" before.
        back = np.eye(p) - eta * H
        A = back @ A + G if order == "early" else back @ (A + G)
        offsets.append(A)
    return offsets


def _recursions() -> Iterator[Equality]:
    """Lines of differences by every rule, against the recursion with whole matrices."""
    for hand in (LogisticRows(), SoftmaxRows()):
        model = hand.model()
        run = training(parameters=hand.parameters)
        firsts = np.random.default_rng(1).normal(size=(4, hand.parameters))
        for choice in itertools.product(
            ("kept", "batch"), ("linear", "mean"), (None, 2), ("early", "late")
        ):
            deviation = differences(model, run, SETS, Recursion(*choice), record_norms=True)
            lines = [difference(hand, s, *choice) for s in SETS]
            yield Equality(f"differences, {choice}", deviation.vectors, [a[-1] for a in lines])
            begin = 0 if choice[2] is None else 4
            sizes = [
                [np.linalg.norm(a) if t >= begin else 0.0 for t, a in enumerate(line)]
                for line in lines
            ]
            yield Equality(f"differences, norms, {choice}", deviation.norms, sizes)
            yield Equality("differences, w_T", deviation.learned, path(hand)[0][-1])
        # Memory for few lines only: they are cut in blocks, and must come out the same.
        started = differences(model, run, SETS, initial=firsts, memory=400.0)
        expected = [
            difference(hand, s, "kept", "linear", None, "early", a)[-1]
            for s, a in zip(SETS, firsts, strict=True)
        ]
        yield Equality("differences from given lines", started.vectors, expected)
        each = differences(model, run, "each").vectors
        expected = [difference(hand, (i,), "kept", "linear", None, "early")[-1] for i in range(7)]
        yield Equality("differences of each sample", each, expected)
    clipped = differences(LogisticRows().model(), training(0.2), SETS)
    yield Equality("differences, clip_active", clipped.clip_active, True)
    clipped = differences(LogisticRows().model(), training(50.0), SETS)
    yield Equality("differences, clip not active", clipped.clip_active, False)
