"""Two classes on a line: the gradients of Algorithm 1's objective, and a simulated run."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from simulators.data.dataset import Dataset
from simulators.streaming.deletions import given
from verify.safe.softmax import STEP, slope

NEVER = np.inf
TOY: dict[str, Any] = {
    "A": [1, 2, 3, 0.5],
    "leave_A": [NEVER, NEVER, 1, 2],
    "B": [-1, -2, 0, -0.5],
    "leave_B": [NEVER, 1, NEVER, NEVER],
    "w0": 1.2,
    "lam": 0.7,
}


def gradients(
    A: Any, leave_A: Any, B: Any, leave_B: Any, w0: float, lam: float, t: int, fresh: bool = True
) -> tuple[float, float]:
    """Gradients at w_0 of (14) and of (25), normalised, from the kept and the forgotten samples.

    With `fresh` false every forgotten sample has the factors of the round in which it left.
    """
    data = [(np.array(A, float), np.array(leave_A)), (np.array(B, float), np.array(leave_B))]
    kept_parts = [x[leave > t] for x, leave in data]
    slopes = [_slope_of_loss(w0, float(x), c) for c, part in enumerate(kept_parts) for x in part]
    removed: list[tuple[float, float]] = []
    for part, leave in data:
        mask = leave <= t
        removed += zip(part[mask], leave[mask], strict=True)

    forget_slopes = []
    for x, departure in removed:
        now_kept = kept_parts if fresh else [part[leave > departure] for part, leave in data]
        # q of eq (24) for every class: its count times its density, now over before.
        weights = []
        for now, (start, _) in zip(now_kept, data, strict=True):
            weights.append(len(now) * _density(x, now) / (len(start) * _density(x, start)))
        logits = np.array([w0 * x, 0.0])
        target = np.array(weights) * np.exp(logits)
        direction = np.array([x, 0.0])
        forget_slopes.append(slope(lam, logits, np.zeros(2), direction, target / target.sum()))
    return float(np.mean(slopes)), float(np.mean(forget_slopes))


def simulated(
    A: Any, leave_A: Any, B: Any, leave_B: Any, w0: float, lam: float, t: int, update: Any = "exact"
) -> float:
    """g_t from the step of a simulated run, whose logits (w x, v x) start from v = 0.

    Its gradient is (g_t, -g_t): longer by sqrt 2, and w moves against g_t.
    """
    from simulators.streaming.safe import safe
    from simulators.streaming.variants import AlgorithmVariant as Variant

    x = np.array([*A, *B], float)
    leaves = np.array([*leave_A, *leave_B])
    data = Dataset(x[:, None], np.repeat([0.0, 1.0], [len(A), len(B)]))
    requests = [np.flatnonzero(leaves == s).tolist() for s in range(1, t + 1)]
    model = {"w0": np.array([[w0, 0.0]]), "projection": np.ones((1, 1))}
    rules = {"regularisation": 0.0, "weight": lam, "gamma": 1.0}
    variant = Variant(update, standardise="none")
    run = safe(data, given(len(x), requests), variant=variant, **model, **rules)
    assert run.noiseless is not None
    displacement = float(run.noiseless[0, -1, 0, 0] - w0)
    return float(-np.sign(displacement) * run.gradient_norms[0, -1] / 2**0.5)


def _slope_of_loss(w0: float, x: float, c: int) -> float:
    """Derivative of -log f_c(x; w) at w_0, by a complex step."""
    score = np.exp(-(w0 + 1j * STEP) * x * (1 if c == 0 else -1))
    return float(np.log(1 + score).imag / STEP)


def _density(x: float, data: np.ndarray) -> float:
    """The normal density with the data's mean and unbiased variance."""
    var = float(np.cov(data))
    return float(np.exp(-((x - data.mean()) ** 2) / (2 * var)) / (2 * np.pi * var) ** 0.5)


def problems(rng: np.random.Generator, number: int) -> Iterator[dict[str, Any]]:
    """Small classes of which samples leave in three rounds, at least two of each stay."""
    for _ in range(number):
        inputs: dict[str, Any] = {"w0": float(rng.normal()), "lam": float(np.exp(rng.normal()))}
        for name, centre in (("A", 1.0), ("B", -1.0)):
            n = int(rng.integers(4, 10))
            leaves = np.where(rng.uniform(size=n) < 0.4, rng.integers(1, 4, n), NEVER)
            leaves[:2] = NEVER
            leaves[2] = 1
            x = np.round(rng.normal(centre, 1, n), 3)
            x[:2] = centre - 1, centre + 1  # what stays is never nearly constant
            inputs |= {name: x.tolist(), f"leave_{name}": leaves.tolist()}
        yield inputs | {"t": int(rng.integers(1, 4))}
