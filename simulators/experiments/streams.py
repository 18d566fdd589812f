"""Streams, steps and deletions of an online experiment, from its fields."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from accounting.deletions.schedule import DeletionSchedule
from accounting.problems.options import Rule
from simulators.data.synthetic import points
from simulators.domains import Ball, WholeSpace
from simulators.experiments.data import DIMENSION, about, held_out, load
from simulators.experiments.losses import make_loss
from simulators.online.deletions import deletions

if TYPE_CHECKING:
    from simulators.experiments.online import Online

MOST_ROUNDS = 10**7
MADE = ("quadratic", "worst-signs", "alternating", "hinges", "one-slope", "huber-well")
WITH_DELETIONS = ("alternating", "hinges", "one-slope")
ONLY_OF_DATA = (
    "data_folder",
    "target_column",
    "header",
    "classes",
    "dimension",
    "normalise",
    "test_share",
    "loss",
    "shuffle",
)
USED_BY = {
    "regularisation": ("quadratic", "worst-signs", "huber-well"),
    "radius": ("quadratic", "worst-signs", "one-slope"),
}
LEARNERS = {
    "inner_steps": ("active",),
    "first_steps": ("active", "newton"),
    "epsilon": ("passive", "active", "newton", "dp", "tree"),
}


def unused(given: Online) -> dict[str, str]:
    """Fields of an online experiment that the others leave without a use -> why."""
    found: dict[str, str] = {}
    for name, learners in LEARNERS.items():
        if given.learner not in learners:
            found[name] = f"with learner {given.learner}"
    if given.data in MADE:
        names = [name for name in ONLY_OF_DATA if (given.data, name) != ("quadratic", "dimension")]
        names += [name for name, streams in USED_BY.items() if given.data not in streams]
        found |= dict.fromkeys(names, f"with the stream {given.data}")
    count = [] if given.data in WITH_DELETIONS else ["k"]
    if given.schedule is not None:
        found |= dict.fromkeys(["deletions", "first", *count], "with a schedule")
    elif given.kind == "stream":
        found["first"] = f"with the deletions of the stream {given.data}"
    elif given.kind == "none":
        found |= dict.fromkeys(["first", *count], "with deletions none")
    return found


class Made:
    """A stream, its own deletions, w_1, what to say of it; rows to score it on, and held out."""

    def __init__(
        self,
        stream: Any,
        about: dict[str, Any],
        requests: Any = None,
        initial: Any = "zero",
        rows: Any = None,
        test: Any = None,
    ) -> None:
        self.stream, self.about, self.requests, self.initial = stream, about, requests, initial
        self.rows, self.test = rows, test


def stream_of(given: Online) -> Made:
    """The stream of an experiment. Raises ValueError for one that cannot be made."""
    domain = Ball(given.radius) if math.isfinite(given.radius) else WholeSpace()
    if given.data in MADE:
        return _made(given.data, given.rounds or given.made_rows, domain, given)
    data, stream, test = _from_data(given, domain)
    rows = None if given.loss == "quadratic" else data
    return Made(stream, about(data), rows=rows, test=test)


def _from_data(given: Online, domain: Any) -> Any:
    from simulators.online.quadratics import Quadratics
    from simulators.online.rows import Rows

    if given.test_share is not None and given.loss == "quadratic":
        raise ValueError("test_share must be given for a loss that predicts, got quadratic")
    data = load(given, given.loss, count="rounds")
    if given.shuffle:
        data = data.shuffled(given.seed)
    data, test = held_out(data, given.test_share)
    if given.rounds is not None:
        if given.rounds > len(data):
            raise ValueError(
                f"rounds must be in [1, {len(data)}], one row of {data.name} each, got "
                f"{given.rounds}"
            )
        data = data.first(given.rounds)
    if given.loss == "quadratic":
        return data, Quadratics(data.features, given.regularisation, domain), test
    loss = make_loss(given.loss, given.regularisation, None, data)
    return data, Rows.of(loss, data, domain), test


def _made(name: str, rounds: int, domain: Any, given: Online) -> Made:
    from simulators.online import adversarial
    from simulators.online.quadratics import Quadratics

    k, lam = given.k, given.regularisation
    about: dict[str, Any] = {"name": name}
    if name == "quadratic":
        data = points(rounds, given.dimension or DIMENSION, seed=given.seed)
        return Made(Quadratics(data.features, lam, domain), {**about, "record": list(data.record)})
    if name == "worst-signs":
        return Made(adversarial.worst_signs(rounds, 1.0, lam, domain=domain), about)
    if name == "huber-well":
        if not lam > 0:
            raise ValueError(f"regularisation must be > 0 with the stream {name}, got {lam:g}")
        return Made(adversarial.huber_well(rounds, lam), about)
    if name == "one-slope":
        found = adversarial.one_slope(rounds, given.radius, max(2, rounds // 2))
    elif name == "alternating":
        found = adversarial.alternating(max(2, (rounds - 1) // (2 * max(k, 1))), k)
    else:
        found = adversarial.alternating_hinges(k, block=max(2, rounds // (max(k, 1) + 2)))
    return Made(found.stream, about, found.requests, found.initial)


def steps_of(given: Any, stream: Any) -> Any:
    """The step sizes (T + 1,), one for all rounds, or the adaptive rule."""
    c, T = stream.constants, stream.rounds
    if given is None:
        if c.strong_convexity > 0:
            given = Rule("1/(mu*t)", lambda at: 1 / (at["mu"] * at["t"]))
        elif c.diameter < math.inf:
            given = Rule("D/(L*sqrt(t))", lambda at: at["D"] / (at["L"] * math.sqrt(at["t"])))
        else:
            given = Rule("1/beta", lambda at: 1 / at["beta"])
    if str(given).strip() == "adaptive":
        from simulators.online.steps import Adaptive

        if not c.diameter < math.inf:
            raise ValueError("radius must be finite for adaptive steps, got inf")
        return Adaptive(c.diameter)
    if not isinstance(given, Rule):
        return given
    names = {
        "mu": c.strong_convexity,
        "beta": c.smoothness,
        "L": c.lipschitz,
        "D": c.diameter,
        "T": float(T),
    }
    last = T if re.search(r"\bt\b", str(given)) else 1
    sizes = []
    for t in range(1, last + 1):
        try:
            value = given({**names, "t": float(t)})
        except ValueError as error:
            raise ValueError(
                f"step_size must be an expression in mu, beta, L, D, T, t, here with mu = "
                f"{c.strong_convexity:.6g}, D = {c.diameter:.6g}, L = {c.lipschitz:.6g}: {error}"
            ) from error
        if not 0.0 < value < math.inf:
            raise ValueError(f"step_size must be > 0 and finite, got {value} at t = {t}")
        sizes.append(value)
    return sizes if last == T else sizes[0]


def requests_of(given: Online, own: Any, stream: Any, steps: Any) -> Any:
    """The deletions, or None."""
    from simulators.online.noise import descent_on

    if given.schedule is not None:
        return DeletionSchedule(given.schedule["index"], given.schedule["time"])
    if given.kind == "stream":
        if own is None:
            raise ValueError(
                f"deletions must not be 'stream' for data {given.data!r}, which has none"
            )
        return own
    descent = descent_on(stream, steps) if given.kind == "adversarial" else None
    return deletions(
        given.kind, stream.rounds, given.k, seed=given.seed, first=given.first, descent=descent
    )
