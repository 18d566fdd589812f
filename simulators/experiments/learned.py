"""An online learner on a stream with deletions: the run, and what is told of it unasked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simulators.experiment import Run
from simulators.experiments.data import moments, tested
from simulators.experiments.streams import requests_of, steps_of, stream_of

if TYPE_CHECKING:
    from simulators.experiments.online import Online

MOST_VALUES = 2 * 10**8  # numbers of one result
MOST_SUMS = 10**9
MOST_STEPS = 10**11  # gradients of all trials together


class Learned(Run):
    """The stream, its deletions, and the learner with and without what is deleted."""

    experiment: Online

    def __init__(self, experiment: Online) -> None:
        from simulators.online.learners import run
        from simulators.online.named import algorithm

        super().__init__(experiment)
        asked = experiment
        self.made = stream_of(asked)
        self.stream = self.made.stream
        self.steps = steps_of(asked.step_size, self.stream)
        self.requests = requests_of(asked, self.made.requests, self.stream, self.steps)
        _insist_on_an_end(asked, self.stream, self.requests)
        self.rule = algorithm(
            asked.learner,
            self.stream,
            self.requests,
            self.steps,
            sigma=asked.sigma,
            rho=asked.epsilon,
            second=asked.inner_steps,
            first=asked.first_steps,
            printed=asked.printed,
        )
        with np.errstate(all="ignore"):
            self.result: Any = run(
                self.stream,
                self.requests,
                **self.rule,
                initial=self.made.initial,
                trials=asked.trials,
                seed=asked.seed,
                device=asked.device,
                keep_losses=False,
            )

    def document(self) -> dict[str, Any]:
        asked, c, made = self.experiment, self.stream.constants, self.made
        regret, error = self.result.mean_regret()
        constant, constant_error = self.result.mean_regret(moving=False)
        parts = {"train": made.rows, "test": made.test}
        scored: dict[str, Any] = {
            part: {} if rows is None else {"rows": len(rows), **tested(self.result.final[0], rows)}
            for part, rows in parts.items()
        }
        settings = asked.settings
        return {
            "learner": asked.learner,
            "data": made.about,
            "rounds": self.stream.rounds,
            "dimension": self.stream.dimension,
            "constants": {
                "strong_convexity": c.strong_convexity,
                "smoothness": c.smoothness,
                "lipschitz": c.lipschitz,
                "diameter": c.diameter,
            },
            "regret": {"mean": regret, "standard_error": error},
            "constant_regret": {"mean": constant, "standard_error": constant_error},
            **scored,
            "noise": {
                "per_step": self.rule.get("step_noise", 0.0),
                "variance": self.result.noise_variance,
            },
            "published": _published(self.requests, self.rule, self.result),
            "gradient_evaluations": dict(self.result.gradient_evaluations),
            "settings": settings if asked.schedule else {**settings, "deletions": asked.kind},
        }


def _insist_on_an_end(given: Online, stream: Any, requests: Any) -> None:
    """ValueError for work, or results, that no machine takes."""
    k = 0 if requests is None else len(requests)
    trials = given.trials
    most = MOST_VALUES // (stream.dimension * 2 * (k + 1))
    if trials > most:
        raise ValueError(
            f"trials must be at most {most} for {k} deletions in {stream.dimension} dimensions, "
            f"got {trials}"
        )
    inner = 1
    if given.learner in ("active", "newton"):
        inner = given.inner_steps + given.first_steps + 2
    served = k if given.learner in ("active", "newton", "retrain") else 0
    gradients = stream.rounds * (1 + served * inner) * 2 * trials
    if gradients > MOST_STEPS:
        raise ValueError(
            f"trials times rounds times inner steps must be at most {MOST_STEPS:.0e}, got "
            f"{gradients:.3g} gradients"
        )
    if k * stream.rounds > MOST_SUMS:
        raise ValueError(
            f"k must be at most {MOST_SUMS // stream.rounds} deletions in {stream.rounds} rounds "
            f"(for each one, a comparator over all rounds), got {k}"
        )


def _published(requests: Any, settings: dict[str, Any], result: Any) -> list[dict[str, Any]]:
    """Moments over trials of what each request published, and of the run without the deleted."""
    if requests is None:
        return []
    sigmas = settings.get("sigmas", 0.0)
    known = isinstance(sigmas, int | float | np.ndarray)
    levels = np.broadcast_to(sigmas, len(requests)) if known else None
    distances = result.distances()
    found = []
    for i, (u, tau) in enumerate(zip(requests.indices, requests.times, strict=True)):
        entry: dict[str, Any] = {"index": int(u), "time": int(tau)}
        if levels is not None:
            entry["sigma"] = float(levels[i])
        entry["largest_distance"] = float(distances[:, i].max())
        for name, world in (("learned", 0), ("retrained", -1)):
            entry[name] = moments(result.published[world][:, i], "sigma and radius")
        found.append(entry)
    return found
