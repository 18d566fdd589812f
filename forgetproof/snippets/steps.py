"""Lines of a descent: the start, the lengths of the steps, the projection."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from accounting.problems import Problem
    from simulators.runs.bounded import Bounded


def start(task: Bounded) -> str:
    """The first model, 0."""
    shape = task.made.parameter_shape(task.parts[0])
    return f"w = np.zeros({shape[0] if len(shape) == 1 else shape})"


def step_sizes(steps: NDArray[np.float64], first: int = 0) -> tuple[str, list[str]]:
    """eta of step t = first, first + 1, ... as code, and the lines before the loop for it."""
    eta = float(steps[0])
    if (steps == eta).all():
        return repr(eta), []
    count = np.arange(len(steps))
    place = "t" if first == 0 else f"(t - {first})"
    number = "t" if first == 1 else f"(t + {1 - first})"
    # The last of n steps has been shrunk n - 1 times where each shrinks by the same factor.
    factor = float(steps[-1] / eta) ** (1 / (len(steps) - 1))
    shapes = {
        f"{eta!r} * {factor!r} ** {place}": eta * factor**count,
        f"{eta!r} / {number}": eta / (count + 1),
        f"{eta!r} / {number} ** 0.5": eta / np.sqrt(count + 1),
    }
    for code, values in shapes.items():
        if np.allclose(values, steps, rtol=1e-9, atol=0.0):
            return code, []
    return f"eta[{place.strip('()')}]", [f"eta = {steps.tolist()!r}"]


def projection(task: Bounded, indent: str) -> list[str]:
    """Back into the ball, where there is one."""
    if math.isinf(task.radius):
        return []
    return [f"{indent}w = w * min(1, {task.radius!r} / max(np.linalg.norm(w), 1e-300))"]


def descent(task: Bounded, problem: Problem, noise: str) -> list[str]:
    """The training, `noise` added to every step."""
    data = task.parts[0]
    size = task.batch_size or len(data)
    batches = len(data) // size
    steps = problem.step_sizes(task.epochs * batches)
    assert steps is not None
    eta, table = step_sizes(steps)
    rows = f"{size} * (t % {batches}) + np.arange({size})" if batches > 1 else "np.arange(len(X))"
    same = ", the same batches in each" if batches > 1 else ""
    return [
        start(task),
        *table,
        f"for t in range({len(steps)}):  # {task.epochs} epochs{same}",
        f"    rows = {rows}",
        f"    w = w - {eta} * gradient(w, rows){noise}",
        *projection(task, "    "),
    ]
