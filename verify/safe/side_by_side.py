"""SAFE, certified tracking and retraining on one stream of deletions from real data.

Softmax regression with a ridge. All methods serve the same deletions; what they publish is compared
with w_t*, the minimiser over what is left. `epsilon` is what a method's noise certifies in round t
against "retrain, then the same noise", at one delta: data-independent with a public bound on the
rows' norms, and otherwise for the largest row at hand only.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import bounds
from accounting.publications.privacy import publication_noise
from simulators.runs.stream_curves import MethodCurve, method_curve
from simulators.runs.stream_methods import (
    Publications,
    safe_publications,
    tracking_publications,
)
from simulators.runs.stream_problem import StreamProblem


def compare(problem: StreamProblem, seed: int = 0) -> list[MethodCurve]:
    """Every method on the problem."""
    return [curve(problem, method, seed) for method in METHODS]


def curve(problem: StreamProblem, method: str, seed: int = 0) -> MethodCurve:
    """One method on the problem. Raises ValueError for an unknown one."""
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    return method_curve(problem, method, _METHODS[method](problem, seed))


def corrected_regret(problem: StreamProblem) -> np.ndarray:
    """The bound of safe.thm2ii.track on the regret of tracking up to round t (T,)."""
    s = problem.stream
    form = bounds.get("safe.thm2ii.track")["tight"]
    inputs = {
        "Ls": s.smoothness,
        "rho": s.contraction,
        "J": s.steps,
        "D0": s.initial,
        "d": problem.risk.size,
        "epsilon": problem.epsilon,
        "delta": problem.delta,
    }
    return np.array([float(form(v=s.path[:t], **inputs)) for t in range(1, problem.rounds + 1)])


def _safe(variant: str, noisy: bool) -> Callable[[StreamProblem, int], Publications]:
    return lambda problem, seed: safe_publications(problem, variant, noisy, seed)


def _retrain(noisy: bool) -> Callable[[StreamProblem, int], Publications]:
    """The minimisers, with the noise that tracking needs if `noisy`."""

    def publish(problem: StreamProblem, seed: int) -> Publications:
        sigma = np.zeros(problem.rounds)
        models = problem.optimal[1:]
        if noisy:
            errors = problem.stream.tracking_distances
            target = problem.epsilon, problem.delta
            sigma = publication_noise(errors, *target, releases=problem.releases)
            noise = np.random.default_rng([seed, 1]).standard_normal(models.shape)
            models = models + sigma[:, None, None, None] * noise
        # Newton's method: counted as one pass over what is left for every round.
        rows = problem.deletions.remaining[:, 1:].mean(axis=0)
        return Publications(models, sigma, np.zeros(problem.rounds), rows)

    return publish


def _keep(problem: StreamProblem, seed: int) -> Publications:
    """w_0 in every round: no step, so that the bound for one holds."""
    zero = np.zeros(problem.rounds)
    models = np.stack([problem.optimal[0]] * problem.rounds)
    return Publications(models, zero, problem.stream.step_distances, zero)


_METHODS: dict[str, Callable[[StreamProblem, int], Publications]] = {
    "SAFE as printed": _safe("printed", True),
    "SAFE as printed, no noise": _safe("printed", False),
    "SAFE corrected": _safe("corrected", True),
    "SAFE corrected, no noise": _safe("corrected", False),
    "track and publish": tracking_publications,
    "retraining, same noise": _retrain(True),
    "retraining": _retrain(False),
    "keep w_0": _keep,
}
METHODS = tuple(_METHODS)
