"""Descent to Delete (sglu, Algorithms 2 and 3): projected gradient descent, noise at publication.

Learning takes T full-gradient steps, each request I further steps on the new data; what is
published is the iterate plus N(0, sigma^2 I) (not projected: the noise is added last).  With
internal state the next request continues from the noiseless iterate (Thm L.1); without it, from
the published one, projected onto the domain (Thm L.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators import domains
from simulators.data.dataset import Dataset
from simulators.device.memory import HOST, Part, insist
from simulators.engine.plan import Plan
from simulators.engine.result import RunResult
from simulators.losses.base import Loss
from simulators.random.seeds import Purpose, generator

PUBLISHED = 4096
"""Trials per block of publication noise: fixed, so that it does not depend on their number."""


@typed
def descent_to_delete(
    loss: Loss,
    data: Dataset,
    updates: Sequence[Dataset],
    *,
    sigma: float,
    learn_steps: int,
    unlearn_steps: int | Sequence[int],
    internal_state: bool,
    trials: int,
    seed: int,
    claim: int = 0,
    domain: domains.Domain | None = None,
    step_size: float | None = None,
    retrain: bool = False,
    initial: object = "zero",
    **machine: Any,
) -> RunResult:
    """Learn with T steps, serve each request with I steps, publish with noise N(0, sigma^2 I).

    updates: the data set after each request.  unlearn_steps: I, or one number per request.
    internal_state: True is Algorithm 2 (the noiseless iterate is kept secret and reused), False
    Algorithm 3.  step_size None: 2/(L + m) of the loss's constants on all the data, for which a
    step contracts by (L - m)/(L + m).  initial: one point for all trials.
    retrain: also T steps from scratch on the last data, published with fresh noise.
    machine: first_trial, device, dtype, block, memory, threads, progress (see `plan.RunSettings`).

    Returns a Run with learned, requests, unlearned (the last request), retrained; gradient
    evaluations are n per step.  Raises ValueError for bad input, naming the parameter.
    """
    if not isinstance(internal_state, bool):
        raise ValueError(f"internal_state must be True or False, got {internal_state!r}")
    if not len(updates):
        raise ValueError("updates must hold at least one data set, got none")
    learn = validation.count("learn_steps", learn_steps, low=0)
    # One number stands for every request.
    billed = np.atleast_1d(validation.integer("unlearn_steps", unlearn_steps, low=0))
    if billed.shape not in ((1,), (len(updates),)):
        raise ValueError(f"unlearn_steps must have one entry per request, got {billed.tolist()}")
    step_counts = np.broadcast_to(billed, (len(updates),)).tolist()
    if step_size is None:
        constants = loss.constants(data, *updates, domain=domain)
        total = constants.smoothness + constants.strong_convexity
        if not total > 0.0:
            raise ValueError("step_size must be given for a loss without curvature, got None")
        step_size = 2.0 / total
    plan = Plan.of(
        loss,
        [data, *updates],
        sigma=sigma,
        step_size=step_size,
        batch_size=len(data),
        trials=trials,
        seed=seed,
        claim=claim,
        domain=domain,
        initial=initial,
        **machine,
    )
    if callable(plan.initial) or plan.initial.shape != loss.parameter_shape(data):
        raise ValueError("initial must be one point for all trials")
    models = (4 + len(updates)) * plan.initial.size  # three of them while noise is drawn
    insist(HOST, kept=[Part("trials", plan.trials, 8 * plan.trials * models)])
    noise = _Publication(plan)
    # Without noise, from one point, one path serves all trials: (1, *shape).
    secret = plan.deterministic(data, learn, plan.initial)
    published = [noise.add(secret.snapshots[0])]
    traces = [secret]
    for update, steps in zip(updates, step_counts, strict=True):
        # Algorithm 2 goes on from the one noiseless iterate, Algorithm 3 from what each trial
        # published.
        start = traces[-1].snapshots[0][0] if internal_state else published[-1]
        traces.append(plan.deterministic(update, steps, start))
        published.append(noise.add(traces[-1].snapshots[0]))
    names = ["learn"] + [f"request {number}" for number in range(1, len(updates) + 1)]
    retrained = None
    if retrain:
        traces.append(plan.deterministic(updates[-1], learn, plan.initial))
        retrained = noise.add(traces[-1].snapshots[0])
        names.append("retrain")
    return RunResult(
        learned=published[0],
        unlearned=published[len(updates)],
        retrained=retrained,
        requests=tuple(published[1:]),
        gradient_evaluations=_by_phase(names, [t.gradient_evaluations for t in traces]),
        steps=_by_phase(names, [t.steps for t in traces]),
        settings=plan.settings(
            algorithm="d2d",
            internal_state=internal_state,
            learn_steps=learn,
            unlearn_steps=step_counts,
        ),
    )


def _by_phase(names: list[str], values: list[list[int]]) -> dict[str, int]:
    return {name: value[0] for name, value in zip(names, values, strict=True)}


class _Publication:
    """Noise N(0, sigma^2 I) per trial, from one stream per block of trials."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        if plan.first_trial % PUBLISHED:
            raise ValueError(
                f"first_trial must be a multiple of {PUBLISHED}, got {plan.first_trial}"
            )
        start, count = plan.first_trial // PUBLISHED, -(-plan.trials // PUBLISHED)
        self.streams = [
            generator(plan.seed, plan.claim, block, Purpose.PUBLICATION)
            for block in range(start, start + count)
        ]

    def add(self, secret: np.ndarray) -> np.ndarray:
        """Iterates (1 or trials, *shape) plus noise: (trials, *shape)."""
        # A stream goes on at every call, so that each publication has fresh noise; blocks are drawn
        # whole, so that a trial's does not depend on how many there are.
        samples = [
            stream.standard_normal((PUBLISHED, *secret.shape[1:])) for stream in self.streams
        ]
        noise = np.concatenate(samples)[: self.plan.trials]
        # One iterate is spread over the trials by broadcasting.
        return (secret + self.plan.sigma * noise).astype(secret.dtype)
