"""What theorems on online learners assume of a run: steps, losses, requests, noise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from simulators.runs.streams import STREAMS


def hypotheses_of(experiment: Any, stream: Any, requests: Any, steps: Any) -> dict[str, bool]:
    """A condition in a word -> whether the run meets it."""
    return {
        **_of_losses(experiment, stream),
        **_of_steps(stream, steps),
        **_of_learner(experiment),
        "convention C": requests is None or requests.convention == "C",
        "losses are asked for in turn": in_turn(requests),
    }


def _of_losses(experiment: Any, stream: Any) -> dict[str, bool]:
    from simulators.online.quadratics import Quadratics

    c = stream.constants
    return {
        "strong convexity": c.strong_convexity > 0,
        "bounded": math.isfinite(c.diameter),
        "losses at least 0": experiment.data == "quadratic" or experiment.data not in STREAMS,
        "means": isinstance(stream, Quadratics),
    }


def _of_steps(stream: Any, steps: Any) -> dict[str, bool]:
    from simulators.online.steps import Adaptive

    c = stream.constants
    T = stream.rounds
    adaptive = isinstance(steps, Adaptive)
    eta = np.zeros(T) if adaptive else np.broadcast_to(steps, T)
    t = np.arange(1, T + 1)

    def follow(expected: Any) -> bool:
        return not adaptive and bool(np.allclose(eta, expected, rtol=1e-9, atol=0))

    convex = c.strong_convexity > 0
    bounded = math.isfinite(c.diameter)
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "steps 1/(mu t)": convex and follow(1 / (c.strong_convexity * t)),
            "steps D/(L sqrt t)": bounded and follow(c.diameter / (c.lipschitz * np.sqrt(t))),
            "step D/(L sqrt T)": bounded and follow(c.diameter / (c.lipschitz * math.sqrt(T))),
            "step 2/(beta + mu)": follow(2 / (c.smoothness + c.strong_convexity)),
            "steps at most 2/beta": not adaptive and bool((eta * c.smoothness <= 2).all()),
            "adaptive steps": adaptive,
        }


def _of_learner(experiment: Any) -> dict[str, bool]:
    learner = experiment.learner
    printed = experiment.printed
    budget = experiment.epsilon is not None
    passive = learner == "passive" and not printed
    active = learner == "active" and budget
    return {
        "passive": passive,
        "least noise": passive and budget,
        "active": active and not printed,
        "active as printed": active and printed,
        "no first phase": not experiment.first_steps,
        "newton": learner == "newton" and not printed,
        "restart": learner == "restart",
        "retraining": learner == "retrain",
        "noise on gradients": learner == "dp" and budget,
    }


def in_turn(requests: Any) -> bool:
    """tau_{i-1} < u_i < tau_i for every request."""
    if requests is None:
        return False
    u = list(map(int, requests.indices))
    tau = list(map(int, requests.times))
    blocks = zip([0, *tau[:-1]], u, tau, strict=True)
    return all(start < index < end for start, index, end in blocks)
