"""What SAFE and tracking publish on a stream of deletions, and with which noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accounting.publications.privacy import publication_noise
from accounting.publications.tracking import finite
from simulators.runs.stream_problem import StreamProblem


@dataclass(frozen=True, eq=False)
class Publications:
    """The published models of a method.

    models (T, trials, d, classes).
    sigma (T,): standard deviation of their noise, per coordinate.
    errors (T,): bounds on their distance from retraining, without the noise.
    gradients (T,): sample gradients evaluated in each round, training left out; a mean over trials.
    """

    models: np.ndarray
    sigma: np.ndarray
    errors: np.ndarray
    gradients: np.ndarray


def safe_publications(problem: StreamProblem, variant: str, noisy: bool, seed: int) -> Publications:
    """SAFE, Algorithm 1 of safe: "printed" or "corrected", each with its own noise if `noisy`."""
    from simulators.streaming.safe import safe

    gamma, errors = problem.stream.gamma, problem.stream.step_distances
    assert gamma is not None
    sigma = _safe_noise(problem, variant, errors) if noisy else np.zeros(problem.rounds)
    run = safe(
        problem.train,
        problem.deletions,
        regularisation=problem.stream.strong_convexity,
        weight=problem.weight,
        gamma=gamma,
        sigma=sigma,
        variant=variant,
        # A rare class may have all its rows among those held out.
        classes=problem.risk.loss.classes,
        w0=problem.optimal[0, 0],
        trials=problem.trials,
        seed=seed,
        first_trial=problem.first_trial,
    )
    models = run.noiseless if run.weights is None else run.weights
    assert models is not None
    gradients = run.retention_gradients + run.forgetting_gradients
    return Publications(np.moveaxis(models, 0, 1), sigma, errors, gradients.mean(axis=0))


def _safe_noise(problem: StreamProblem, variant: str, errors: np.ndarray) -> np.ndarray:
    """Of every round (T,): as printed, or the least that certifies the target at these errors."""
    if variant == "printed":
        radius = problem.stream.radius
        assert radius is not None
        each = printed_deviation(radius, problem.epsilon, problem.delta)
        return np.full(problem.rounds, each)
    return publication_noise(errors, problem.epsilon, problem.delta, releases=problem.releases)


def printed_deviation(radius: float, epsilon: float, delta: float) -> float:
    """sqrt(phi) of the noise that Algorithm 1 adds: phi = W sqrt(2 ln(1.25/delta))/epsilon.

    safe, Theorem 2, calls phi a variance; it is the same in every round.  Raises ValueError where
    it overflows.
    """
    with np.errstate(over="ignore"):
        classical = np.sqrt(2 * np.log(1.25 / delta)) / np.float64(epsilon)
        phi = radius * finite("epsilon", np.asarray(classical))
    return float(np.sqrt(finite("radius", np.asarray(phi))))


def tracking_publications(problem: StreamProblem, seed: int) -> Publications:
    """Certified tracking: J gradient steps a round, and the least noise for the target."""
    from simulators.streaming.track import Tracker, track_and_publish

    tracker = Tracker(
        problem.stream.steps, problem.epsilon, problem.delta, releases=problem.releases
    )
    run = track_and_publish(
        tracker, problem.risk, problem.deletions, seed=seed, first_trial=problem.first_trial
    )
    rows = problem.deletions.remaining[:, 1:].mean(axis=0)
    return Publications(
        models=np.moveaxis(run.published, 0, 1),
        sigma=run.sigma.max(axis=0),
        errors=problem.stream.tracking_distances,
        gradients=problem.stream.steps * rows,
    )
