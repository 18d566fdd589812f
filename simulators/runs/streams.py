"""Streams, steps and deletions of an online experiment, from its fields.

`experiment` is an `Online` everywhere; its module imports this one.
"""

from __future__ import annotations

import math
import re
from typing import Any

from accounting.deletions.schedule import DeletionSchedule
from accounting.problems.options import Rule
from simulators.data.synthetic import points
from simulators.domains import Ball, WholeSpace
from simulators.online.deletions import deletions
from simulators.runs.data import DIMENSION, about, held_out, load
from simulators.runs.losses import make_loss

MOST_ROUNDS = 10**7
STREAMS = ("quadratic", "worst-signs", "alternating", "hinges", "one-slope", "huber-well")
WITH_DELETIONS = ("alternating", "hinges", "one-slope")


class DescribedStream:
    """A stream of losses with what a run says of it and scores its models on.

    Attributes:
        stream: f_1..f_T.
        about: the document's section on its data.
        requests: the deletions that the stream brings with it, or None.
        initial: w_1, (d,), or its name.
        rows, test: data of the losses and data held out, where the losses predict.
        sha256: of the data; empty of a stream that settings alone make.
    """

    def __init__(
        self,
        stream: Any,
        about: dict[str, Any],
        requests: Any = None,
        initial: Any = "zero",
        rows: Any = None,
        test: Any = None,
        sha256: str = "",
    ) -> None:
        self.stream, self.about, self.requests, self.initial = stream, about, requests, initial
        self.rows, self.test, self.sha256 = rows, test, sha256


def stream_of(experiment: Any) -> DescribedStream:
    """The stream of an experiment. Raises ValueError for one that cannot be built."""
    radius = experiment.radius
    domain = Ball(radius) if math.isfinite(radius) else WholeSpace()
    if experiment.data in STREAMS:
        return _synthetic(experiment, domain)
    return _of_rows(experiment, domain)


def _of_rows(experiment: Any, domain: Any) -> DescribedStream:
    """A loss a row of the data."""
    from simulators.online.quadratics import Quadratics
    from simulators.online.rows import Rows

    means = experiment.loss == "quadratic"
    if experiment.test_share is not None and means:
        raise ValueError("test_share must be given for a loss that predicts, got quadratic")
    data = load(experiment, experiment.loss, count="rounds")
    if experiment.shuffle:
        data = data.shuffled(experiment.seed)
    data, test = held_out(data, experiment.test_share)
    rounds = experiment.rounds
    if rounds is not None:
        if rounds > len(data):
            raise ValueError(
                f"rounds must be in [1, {len(data)}], one row of {data.name} each, got {rounds}"
            )
        data = data.first(rounds)
    if means:  # which predict nothing, so that no rows are scored
        stream: Any = Quadratics(data.features, experiment.regularisation, domain)
        return DescribedStream(stream, about(data), test=test, sha256=data.sha256)
    loss = make_loss(experiment.loss, experiment.regularisation, None, data)
    stream = Rows.of(loss, data, domain)
    return DescribedStream(stream, about(data), rows=data, test=test, sha256=data.sha256)


def _synthetic(experiment: Any, domain: Any) -> DescribedStream:
    """A stream by name, of so many rounds; those with deletions choose the nearest number."""
    from simulators.online import adversarial
    from simulators.online.quadratics import Quadratics

    name = experiment.data
    rounds = experiment.rounds or experiment.made_rows
    k, lam = experiment.k, experiment.regularisation
    about: dict[str, Any] = {"name": name}
    if name == "quadratic":
        data = points(rounds, experiment.dimension or DIMENSION, seed=experiment.seed)
        about["record"] = list(data.record)
        return DescribedStream(Quadratics(data.features, lam, domain), about)
    if name == "worst-signs":
        signs = adversarial.worst_signs(rounds, 1.0, lam, domain=domain)
        return DescribedStream(signs, about)
    if name == "huber-well":
        if not lam > 0:
            raise ValueError(f"regularisation must be > 0 with the stream {name}, got {lam:g}")
        return DescribedStream(adversarial.huber_well(rounds, lam), about)
    if name == "one-slope":
        game = adversarial.one_slope(rounds, experiment.radius, max(2, rounds // 2))
    elif name == "alternating":
        # n + 2n (k - 1) + n losses and a last one: 2nk + 1 rounds.
        block = (rounds - 1) // (2 * max(k, 1))
        game = adversarial.alternating(max(2, block), k)
    else:
        block = rounds // (max(k, 1) + 2)
        game = adversarial.alternating_hinges(k, block=max(2, block))
    return DescribedStream(game.stream, about, game.requests, game.initial)


def steps_of(step_size: Any, stream: Any) -> Any:
    """The step sizes (T + 1,), one for all rounds, or the adaptive rule."""
    rule = _usual_steps(stream) if step_size is None else step_size
    if str(rule).strip() == "adaptive":
        from simulators.online.steps import Adaptive

        diameter = stream.constants.diameter
        if not diameter < math.inf:
            raise ValueError("radius must be finite for adaptive steps, got inf")
        return Adaptive(diameter)
    if not isinstance(rule, Rule):
        return rule
    c = stream.constants
    symbols = {
        "mu": c.strong_convexity,
        "beta": c.smoothness,
        "L": c.lipschitz,
        "D": c.diameter,
        "T": float(stream.rounds),
    }
    # Without t the rule gives one number, and need not be asked T times.
    changing = re.search(r"\bt\b", str(rule)) is not None
    last = stream.rounds if changing else 1
    sizes = [_step_size(rule, symbols, t) for t in range(1, last + 1)]
    return sizes if last == stream.rounds else sizes[0]


def _usual_steps(stream: Any) -> Rule:
    """1/(mu t) of strongly convex losses, D/(L sqrt t) on bounded domains, else 1/beta."""
    c = stream.constants
    if c.strong_convexity > 0:
        return Rule("1/(mu*t)", lambda at: 1 / (at["mu"] * at["t"]))
    if c.diameter < math.inf:
        return Rule("D/(L*sqrt(t))", lambda at: at["D"] / (at["L"] * math.sqrt(at["t"])))
    return Rule("1/beta", lambda at: 1 / at["beta"])


def _step_size(rule: Rule, symbols: dict[str, float], t: int) -> float:
    """eta_t. Raises ValueError for what is no step size."""
    try:
        eta: float = rule({**symbols, "t": float(t)})
    except ValueError as error:
        mu, D, L = (symbols[name] for name in ("mu", "D", "L"))
        raise ValueError(
            f"step_size must be an expression in mu, beta, L, D, T, t, here with mu = {mu:.6g}, "
            f"D = {D:.6g}, L = {L:.6g}: {error}"
        ) from error
    if not 0.0 < eta < math.inf:
        raise ValueError(f"step_size must be > 0 and finite, got {eta} at t = {t}")
    return eta


def requests_of(experiment: Any, own: Any, stream: Any, steps: Any) -> Any:
    """The deletions, or None; own: those that the stream brings with it."""
    from simulators.online.noise import descent_on

    schedule = experiment.schedule
    if schedule is not None:
        return DeletionSchedule(schedule["index"], schedule["time"])
    kind = experiment.kind
    if kind == "stream":
        if own is None:
            raise ValueError(
                f"deletions must not be 'stream' for data {experiment.data!r}, which has none"
            )
        return own
    return deletions(
        kind,
        stream.rounds,
        experiment.k,
        seed=experiment.seed,
        first=experiment.first,
        descent=descent_on(stream, steps) if kind == "adversarial" else None,
    )
