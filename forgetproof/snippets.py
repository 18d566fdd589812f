"""Python to paste: the rows as they must be, the steps, and the noise where it belongs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from accounting.problems import Answer, NoiseOn, Problem
from accounting.problems.answer import shown

if TYPE_CHECKING:
    from simulators.runs.bounded import Bounded

_SLOPES = {"logistic": "-y[rows] / (1 + np.exp(y[rows] * z))", "ridge": "z - y[rows]"}


def snippet(task: Bounded, problem: Problem, answer: Answer) -> str | None:
    """Code with X and y (n, d) and (n,); None where the noise is on nothing that it knows."""
    write = _WRITTEN.get(problem.assumptions.noise_on)
    if write is None:
        return None
    lines = [
        "import numpy as np",
        "",
        "rng = np.random.default_rng()  # fresh for every release, and secret",
        *_rows(task),
        *write(task, problem, answer),
    ]
    return "\n".join(lines) + "\n"


def _rows(task: Bounded) -> list[str]:
    bounds = {name: value for name, (value, _) in task.bounds.items()}
    columns = _columns(task)
    norm = repr(bounds["row_norm"])
    # A row of zeros has no direction; dividing by 1e-300 leaves it 0.
    lengths = "lengths = np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)"
    # Scaled rows have length 1; the others are only shortened where they are too long.
    if task.scaled:
        return [*columns, lengths, "X = X / lengths"]
    lines = [*columns, lengths, f"X = X * np.minimum(1, {norm} / lengths)"]
    if "target_bound" in bounds:
        lines.append(f"y = np.clip(y, -{bounds['target_bound']!r}, {bounds['target_bound']!r})")
    return lines


def _columns(task: Bounded) -> list[str]:
    """The columns on one scale, and the intercept, as the noise was calibrated."""
    lines = []
    if task.ranges:
        index = list(task.ranges)
        low, high = zip(*task.ranges.values(), strict=True)
        lines = [
            f"columns, low, high = {index}, np.array({list(low)}), np.array({list(high)})",
            "X = np.array(X, dtype=float)",
            "X[:, columns] = 2 * (X[:, columns].clip(low, high) - low) / (high - low) - 1",
        ]
    if task.intercept:
        lines.append("X = np.column_stack([X, np.ones(len(X))])")
    return lines


def _gradient(task: Bounded) -> list[str]:
    """The mean gradient over some rows, the ridge included."""
    slope = _SLOPES.get(str(task.loss))
    if slope is None:
        return [
            "# gradient(w, rows): the mean gradient of the loss over these rows, ridge included"
        ]
    return [
        "",
        "def gradient(w, rows):",
        "    z = X[rows] @ w",
        f"    return X[rows].T @ ({slope}) / len(z) + {task.learner.regularisation!r} * w",
        "",
    ]


def _start(task: Bounded) -> str:
    shape = task.made.parameter_shape(task.parts[0])
    return f"w = np.zeros({shape[0] if len(shape) == 1 else shape})"


def _step_sizes(steps: NDArray[np.float64]) -> tuple[str, list[str]]:
    """eta of step t as code, and the lines before the loop that it needs."""
    first = float(steps[0])
    if (steps == first).all():
        return repr(first), []
    # The last of n steps has been shrunk n - 1 times where each shrinks by the same factor.
    factor = float(steps[-1] / first) ** (1 / (len(steps) - 1))
    if np.allclose(first * factor ** np.arange(len(steps)), steps, rtol=1e-9, atol=0.0):
        return f"{first!r} * {factor!r} ** t", []
    return "eta[t]", [f"eta = {steps.tolist()!r}"]


def _descent(task: Bounded, problem: Problem, noise: str) -> list[str]:
    data = task.parts[0]
    size = task.batch_size or len(data)
    batches = len(data) // size
    steps = problem.step_sizes(task.epochs * batches)
    assert steps is not None
    eta, table = _step_sizes(steps)
    rows = f"{size} * (t % {batches}) + np.arange({size})" if batches > 1 else "slice(None)"
    same = ", the same batches in each" if batches > 1 else ""
    return [
        _start(task),
        *table,
        f"for t in range({len(steps)}):  # {task.epochs} epochs{same}",
        f"    rows = {rows}",
        f"    w = w - {eta} * gradient(w, rows){noise}",
        *_projection(task, "    "),
    ]


def _projection(task: Bounded, indent: str) -> list[str]:
    if math.isinf(task.radius):
        return []
    return [f"{indent}w = w * min(1, {task.radius!r} / max(np.linalg.norm(w), 1e-300))"]


def _up(value: float) -> str:
    # Rounded up in the twelfth digit: noise is never less than what was computed.
    return shown(value, 12)


def _on_steps(task: Bounded, problem: Problem, answer: Answer) -> list[str]:
    s = _up(float(answer.deviation.max()))
    lines = _descent(task, problem, f" + {s} * rng.standard_normal(w.shape)")
    planned = answer.details.get("epochs") or [getattr(problem, "unlearn_epochs", 1)]
    again = f"# to unlearn: {planned[-1]} epoch(s) of these steps on the new rows"
    return [*_gradient(task), *lines, again + ", from this w"]


def _on_the_model(task: Bounded, problem: Problem, answer: Answer) -> list[str]:
    s, several = _up(float(answer.deviation.max())), answer.deviation.ndim > 0
    return [
        *_gradient(task),
        *_descent(task, problem, ""),
        "# after the request: what the algorithm makes of w, which stays secret, then",
        f"released = w + {s} * rng.standard_normal(w.shape)" + "  # for every round" * several,
    ]


def _on_deletions(task: Bounded, problem: Problem, answer: Answer) -> list[str]:
    noise = zip(problem.places["time"], answer.deviation, strict=True)
    pairs = ", ".join(f"({int(t)}, {_up(float(s))})" for t, s in noise)
    project = _projection(task, "    ")
    step = ["    w = w - eta(t) * gradient(w, [t - 1])", *project]
    added = [
        "    for s in [s for time, s in noise if time == t]:",
        "        w = w + s * rng.standard_normal(w.shape)",
        *(f"    {line}" for line in project),
    ]
    # Convention A: the noise comes after the step of its round, otherwise before.
    after = getattr(problem, "convention", None) == "A"
    return [
        *_gradient(task),
        f"noise = [{pairs}]  # time of a deletion, standard deviation",
        f"# eta(t): {problem.facts['step_size']}",
        _start(task),
        f"for t in range(1, {len(task.parts[0])} + 1):",
        *(step + added if after else added + step),
    ]


def _in_the_objective(task: Bounded, problem: Problem, answer: Answer) -> list[str]:
    lam = task.learner.regularisation
    return [
        f"b = {_up(float(answer.deviation))} * rng.standard_normal({task.learner.parameters})",
        "# train: w = argmin sum_i loss(w; row i) + "
        f"{lam!r} * len(X) / 2 * w @ w + b @ w, with b kept secret",
    ]


_WRITTEN: dict[NoiseOn, Callable[[Bounded, Problem, Answer], list[str]]] = {
    NoiseOn.STEP: _on_steps,
    NoiseOn.MODEL: _on_the_model,
    NoiseOn.DELETION: _on_deletions,
    NoiseOn.GRADIENT: _in_the_objective,
}
