"""What a privacy problem's noise costs on rows held out, run as the problem says it is added."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from accounting.problems.assumptions import NoiseOn
from simulators.data.pairwise import PairwiseSum
from simulators.device.reporting import reporting_steps
from simulators.random.seeds import Purpose, key
from simulators.runs.data import reads_pieces
from simulators.runs.scores import averaged, majority, tested

if TYPE_CHECKING:
    from accounting.problems import Answer, Problem
    from simulators.runs.bounded import Bounded

Array = np.ndarray


def cost(task: Bounded, problem: Problem, answer: Answer) -> dict[str, Any] | None:
    """Accuracy or risk on the rows held out, with and without the answer's noise.

    Beside an accuracy stands `majority_class`, that of always naming the larger class, and its
    name.

    None without rows held out, without finite noise, where nobody can say where it goes, and of
    rows in pieces where the noise is on sampled sums or in the objective.
    """
    test = task.parts[1]
    place = _PLACES.get(problem.assumptions.noise_on)
    if test is None or place is None or not np.isfinite(answer.deviation).all():
        return None
    # These take any row at any step.
    if place in (_in_the_objective, _on_the_sums) and reads_pieces(task):
        return None
    quiet = place(task, problem, np.zeros_like(answer.deviation), 1)
    noisy = place(task, problem, answer.deviation, task.trials)
    # Steps that nobody here runs have no models.
    if not np.isfinite(noisy).all():
        return None
    before, after = _measured(task, quiet), _measured(task, noisy)
    measure = next(iter(after))
    share, name = majority_share(task) if measure == "accuracy" else (None, None)
    return {
        "measure": measure,
        "rows": len(test),
        "trials": task.trials,
        "without": before[measure],
        "with": after[measure],
        "majority_class": share,
        "majority_name": name,
        "standard_error": after["standard_error"],
    }


def majority_share(task: Bounded) -> tuple[float, str]:
    """Accuracy on the rows held out of always naming the larger class, and that class's name."""
    data, test = task.parts
    largest, share = majority(data, test)
    # Labels are -1 and +1, or 0, 1, ...
    order = data.distinct_targets().tolist()
    return share, task.class_names[order.index(largest)]


def _measured(task: Bounded, points: Array) -> dict[str, Any]:
    """On the rows held out, of which the risk is the mean loss where nothing is predicted."""
    import torch

    from simulators.device.placement import device_named

    test = task.parts[1]
    assert test is not None
    if task.wants != "none":
        return tested(points, test)
    there = torch.tensor(points, device=device_named(task.device))
    risk = PairwiseSum()
    for piece in test.pieces():
        risk.add(task.made.value(there, piece).sum(dim=1))
    return averaged("risk", (risk.total / len(test)).cpu().numpy())


def descend(task: Bounded, batch_size: int, steps: Array, noise: Array, trials: int) -> Array:
    """The last iterates (trials, *shape) from 0, with N(0, noise_t^2 I) after step t."""
    import torch

    from simulators.data.dataset import Dataset
    from simulators.device.placement import device_named, reader
    from simulators.engine.batches import ConsecutiveBatches
    from simulators.engine.staging import MOST_TOGETHER, batches_from, descend_, staged_batches
    from simulators.random.normals import Normals

    data, device = task.parts[0], device_named(task.device)
    shape = (*task.made.parameter_shape(data), trials)
    # `parts` has dropped the rows that do not fill a batch.
    in_memory = isinstance(data, Dataset)
    batches: Any = ConsecutiveBatches(len(data), batch_size)
    if in_memory:
        batches = np.arange(len(data)).reshape(-1, batch_size)
    staged = staged_batches(task.made, [data], batches, reader(device, torch.float64))[id(data)]
    state = torch.zeros(shape, dtype=torch.float64, device=device)
    together = batch_size if in_memory else min(batch_size, MOST_TOGETHER)
    scratch = task.made.scratch(together, state)
    normals = Normals(key(task.seed, 0, Purpose.NOISE), shape, device, torch.float64)
    now = batches_from(staged, 0, len(steps))
    for t in reporting_steps(range(len(steps))):
        eta, s = float(steps[t]), float(noise[t])
        descend_(task.made, state, next(now), eta, scratch)
        if s > 0:
            state.add_(normals.next(), alpha=s)
        task.domain.project_(state)
    return np.moveaxis(state.cpu().numpy(), -1, 0)


def _length(task: Bounded) -> int:
    return task.epochs * (len(task.parts[0]) // _size(task))


def _size(task: Bounded) -> int:
    return task.batch_size or len(task.parts[0])


def _at_steps(task: Bounded, problem: Problem, deviation: Array, trials: int) -> Array:
    steps = problem.step_sizes(_length(task))
    assert steps is not None
    noise = np.broadcast_to(deviation, steps.shape)
    return descend(task, _size(task), steps, noise, trials)


def _at_deletions(task: Bounded, problem: Problem, deviation: Array, trials: int) -> Array:
    """One round a row, noise before it; that of several deletions at once adds up."""
    rounds = len(task.parts[0])
    steps = problem.step_sizes(rounds)
    assert steps is not None
    variance = np.zeros(rounds)
    # Noise before round tau follows step tau - 1, at index tau - 2; at the latest the last step.
    at = np.minimum(np.asarray(problem.places["time"]) - 1, rounds) - 1
    # Deletions may share a round: their variances add up, where an indexed sum would keep one.
    np.add.at(variance, at, np.broadcast_to(deviation, at.shape) ** 2)
    return descend(task, 1, steps, np.sqrt(variance), trials)


def _at_the_model(task: Bounded, problem: Problem, deviation: Array, trials: int) -> Array:
    steps = problem.step_sizes(_length(task))
    assert steps is not None
    # One path serves all trials: nothing is random before the model is published.
    learned = descend(task, _size(task), steps, np.zeros(len(steps)), 1)
    random = np.random.default_rng(task.seed)
    noise = random.standard_normal((trials, *learned.shape[1:]))
    return np.asarray(learned + float(deviation.max()) * noise)


def _in_the_objective(task: Bounded, problem: Problem, deviation: Array, trials: int) -> Array:
    from simulators.losses.linear_model import LinearModel
    from simulators.trajectory.models import LinearScore
    from simulators.trajectory.newton import minimiser

    assert isinstance(task.made, LinearModel)
    model = LinearScore(task.made, task.parts[0], task.device)
    random = np.random.default_rng(task.seed)
    linear = float(deviation) * random.standard_normal((trials, model.parameters))
    how: dict[str, Any] = {"tolerance": 1e-8, "start": minimiser(model, tolerance=1e-8)}
    return np.stack([minimiser(model, linear=b, **how) for b in linear])


def _on_the_sums(task: Bounded, problem: Problem, deviation: Array, trials: int) -> Array:
    """After training and the unlearning steps; where they are others than these, NaN."""
    from accounting.problems import SampledDescent
    from simulators.runs.sampled_steps import covers, last_models

    assert isinstance(problem, SampledDescent)
    if not covers(problem):
        return np.full((trials, task.parts[0].dimension), np.nan)
    lengths = [problem.unlearning_steps]
    (models,) = last_models(task, problem, lengths, [float(deviation)], trials)
    return np.asarray(models)


_PLACES: dict[NoiseOn, Callable[[Bounded, Problem, Array, int], Array]] = {
    NoiseOn.STEP: _at_steps,
    NoiseOn.DELETION: _at_deletions,
    NoiseOn.MODEL: _at_the_model,
    NoiseOn.GRADIENT: _in_the_objective,
    NoiseOn.SUM: _on_the_sums,
}
