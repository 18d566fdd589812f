"""The settings of an online run, checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from accounting.deletions.schedule import DeletionSchedule
from accounting.numerics import validation
from simulators.engine.initial import Initial, checked_initial
from simulators.online.requests import Passive, Unlearner
from simulators.online.steps import Adaptive, LeastAdaptiveNoise, Steps, schedule
from simulators.online.streams import Stream


@dataclass(frozen=True, eq=False)
class Setup:
    """A checked run: see `learners.run` for what the settings mean."""

    stream: Stream
    indices: tuple[int, ...]
    times: tuple[int, ...]
    causal: bool
    steps: np.ndarray | Adaptive
    sigmas: np.ndarray | LeastAdaptiveNoise
    unlearner: Unlearner
    runs: tuple[int, ...]
    noise_last: bool
    step_noise: float
    sums: str
    initial: Initial
    seed: int
    claim: int

    @cached_property
    def random(self) -> bool:
        """Whether trials differ."""
        noisy = isinstance(self.sigmas, LeastAdaptiveNoise) or bool(np.any(self.sigmas))
        random_start = callable(self.initial) or self.initial.ndim > 1
        return random_start or self.step_noise > 0 or (noisy and bool(self.times))


def checked(
    stream: Stream,
    requests: DeletionSchedule | None,
    steps: Steps,
    sigmas: ArrayLike | LeastAdaptiveNoise,
    unlearner: Unlearner | None,
    runs: Iterable[int] | None,
    projection: str,
    step_noise: float,
    sums: str,
    initial: object,
    trials: int,
    seed: int,
    claim: int,
) -> tuple[Setup, int]:
    """Everything checked, and the number of trials."""
    number = validation.count("trials", trials, low=1)
    convention, u, tau = "C", np.array([], dtype=int), np.array([], dtype=int)
    if requests is not None:
        if not isinstance(requests, DeletionSchedule):
            raise ValueError(f"requests must be a DeletionSchedule or None, got {requests!r}")
        convention, u, tau = requests.convention, requests.indices, requests.times
        # Convention A serves within a round; the others before one, so that T + 1 follows the last.
        latest = stream.rounds + (convention != "A")
        validation.integer("times", tau, low=1, high=latest)
        validation.integer("indices", u, low=1, high=stream.rounds)
    k = len(u)
    noise: np.ndarray | LeastAdaptiveNoise
    if isinstance(sigmas, LeastAdaptiveNoise):
        noise = sigmas
    else:
        noise = validation.real("sigmas", sigmas, low=0.0, high_open=True)
        if noise.shape not in ((), (k,)):
            raise ValueError(f"sigmas must be a number or {k} numbers, got shape {noise.shape}")
        noise = np.broadcast_to(noise, k)
    counts = (0, k) if runs is None else tuple(runs)
    if runs is None and k == 0:
        counts = (0,)
    if not counts:
        raise ValueError("runs must hold at least one number, got none")
    chosen = tuple(validation.count("runs", m, low=0, high=k) for m in counts)
    first = Passive() if unlearner is None else unlearner
    if not isinstance(first, Unlearner):
        raise ValueError(f"unlearner must be an Unlearner or None, got {first!r}")
    eta = schedule(steps, stream.rounds, convention)
    if isinstance(noise, LeastAdaptiveNoise) and isinstance(eta, np.ndarray):
        raise ValueError("sigmas must be numbers unless the steps are Adaptive")
    return Setup(
        stream=stream,
        indices=tuple(int(x) for x in u),
        times=tuple(int(x) for x in tau),
        causal=convention != "A",
        steps=eta,
        sigmas=noise,
        unlearner=first,
        runs=chosen,
        noise_last=validation.choice("projection", projection, ("after", "before")) == "after",
        step_noise=validation.scalar("step_noise", step_noise, low=0.0, high_open=True),
        sums=validation.choice("sums", sums, ("none", "lazy", "mean")),
        initial=checked_initial(initial, (stream.dimension,), number),
        seed=validation.count("seed", seed, low=0),
        claim=validation.count("claim", claim, low=0),
    ), number
