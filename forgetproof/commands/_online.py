"""Streams, steps, and deletions as `simulate online` takes them from the command line."""

from __future__ import annotations

import math
import re
from typing import Any

import click

from forgetproof.commands._data import dimension_of
from forgetproof.options import refuse_unused

MADE = ("quadratic", "worst-signs", "alternating", "hinges", "one-slope", "huber-well")
MOST_ROUNDS = 10**7
ONLY_OF_DATA = ("data_folder", "target_column", "header", "classes", "dimension", "normalise",
                "test_share", "loss", "shuffle")  # fmt: skip
USED_BY = {
    "regularisation": ("quadratic", "worst-signs", "huber-well"),
    "radius": ("quadratic", "worst-signs", "one-slope"),
}


class Made:
    """A stream, its own deletions, w_1, what to say of it, and rows held out."""

    def __init__(
        self,
        stream: Any,
        about: dict[str, Any],
        requests: Any = None,
        initial: Any = "zero",
        test: Any = None,
    ) -> None:
        self.stream, self.about, self.requests, self.initial = stream, about, requests, initial
        self.test = test


def stream_of(options: dict[str, Any]) -> Made:
    """The stream that the options name. Raises ValueError for one that cannot be made."""
    from accounting import validation
    from simulators.domains import Ball, WholeSpace

    name, rounds = options["data"], options["rounds"]
    if rounds is not None:
        rounds = validation.count("rounds", rounds, low=1, high=MOST_ROUNDS)
    validation.scalar("radius", options["radius"], low=0.0, low_open=True)
    bounded = math.isfinite(options["radius"])
    domain = Ball(options["radius"]) if bounded else WholeSpace()
    if name in MADE:
        return _made(name, rounds or 1000, domain, options)
    data, stream, test = _from_data(name, rounds, domain, options)
    about = {"name": data.name, "n": len(data), "dimension": data.dimension,
             "sha256": data.sha256, "record": list(data.record)}  # fmt: skip
    return Made(stream, about, test=test)


def _from_data(name: str, rounds: int | None, domain: Any, options: dict[str, Any]) -> Any:
    from forgetproof.commands._data import held_out, load
    from forgetproof.commands._losses import make_loss
    from simulators.online.quadratics import Quadratics
    from simulators.online.rows import Rows

    if options["test_share"] is not None and options["loss"] == "quadratic":
        raise ValueError("test_share must be given for a loss that predicts, got quadratic")
    data = load(options, options["loss"], made_rows=1000, count="rounds")
    if options["shuffle"]:
        data = data.shuffled(options["seed"])
    data, test = held_out(data, options)
    if rounds is not None:
        if rounds > len(data):
            raise ValueError(
                f"rounds must be in [1, {len(data)}], one row of {data.name} each, got {rounds}"
            )
        data = data.first(rounds)
    lam = options["regularisation"]
    if options["loss"] == "quadratic":
        return data, Quadratics(data.features, lam, domain), test
    return data, Rows.of(make_loss(options["loss"], lam, None, data), data, domain), test


def _made(name: str, rounds: int, domain: Any, options: dict[str, Any]) -> Made:
    from simulators.data.synthetic import points
    from simulators.online import adversarial
    from simulators.online.quadratics import Quadratics

    k, lam = options["k"], options["regularisation"]
    refuse_unused(
        [option for option in ONLY_OF_DATA if (name, option) != ("quadratic", "dimension")]
        + [option for option, streams in USED_BY.items() if name not in streams],
        f"with the stream {name}",
    )
    about: dict[str, Any] = {"name": name}
    if name == "quadratic":
        data = points(rounds, dimension_of(options), seed=options["seed"])
        return Made(Quadratics(data.features, lam, domain), {**about, "record": list(data.record)})
    if name == "worst-signs":
        return Made(adversarial.worst_signs(rounds, 1.0, lam, domain=domain), about)
    if name == "huber-well":
        return Made(adversarial.huber_well(rounds, lam), about)
    if name == "one-slope":
        found = adversarial.one_slope(rounds, options["radius"], max(2, rounds // 2))
    elif name == "alternating":
        found = adversarial.alternating(max(2, (rounds - 1) // (2 * max(k, 1))), k)
    else:
        found = adversarial.alternating_hinges(k, block=max(2, rounds // (max(k, 1) + 2)))
    return Made(found.stream, about, found.requests, found.initial)


def steps_of(text: str | None, stream: Any) -> Any:
    """The step sizes (T + 1,), or the adaptive rule."""
    from forgetproof.expressions import number

    c, T = stream.constants, stream.rounds
    if text is None:
        text = "1/(mu*t)" if c.strong_convexity > 0 else "D/(L*sqrt(t))"
        if not (c.strong_convexity > 0 or c.diameter < math.inf):
            text = "1/beta"
    if text.strip() == "adaptive":
        from simulators.online.steps import Adaptive

        if not c.diameter < math.inf:
            raise ValueError("radius must be finite for adaptive steps, got inf")
        return Adaptive(c.diameter)
    names = {"mu": c.strong_convexity, "beta": c.smoothness, "L": c.lipschitz, "D": c.diameter,
             "T": float(T)}  # fmt: skip
    last = T if re.search(r"\bt\b", text) else 1
    sizes = []
    for t in range(1, last + 1):
        try:
            value = number(text, {**names, "t": float(t)})
        except ValueError as error:
            raise ValueError(
                f"step_size must be an expression in mu, beta, L, D, T, t, here with mu = "
                f"{c.strong_convexity:.6g}, D = {c.diameter:.6g}, L = {c.lipschitz:.6g}: {error}"
            ) from error
        if not 0.0 < value < math.inf:
            raise ValueError(f"step_size must be > 0 and finite, got {value} at t = {t}")
        sizes.append(value)
    return sizes if last == T else sizes[0]


def requests_of(options: dict[str, Any], own: Any, stream: Any, steps: Any) -> Any:
    """The deletions, or None."""
    from accounting.deletions import DeletionSchedule
    from simulators.online.deletions import deletions
    from simulators.online.noise import descent_on

    if options["schedule"] is not None:
        refuse_unused(["deletions", "first"] + ["k"] * (own is None), "with a schedule")
        from accounting.problems.options import SCHEDULE
        from forgetproof.tables import read_table

        columns = read_table(options["schedule"], SCHEDULE)
        return DeletionSchedule(columns["index"], columns["time"])
    kind = options["deletions"]
    source = click.get_current_context().get_parameter_source("deletions")
    if own is not None and source is click.core.ParameterSource.DEFAULT:
        kind = "stream"
    if kind == "stream":
        if own is None:
            raise ValueError(
                f"deletions must not be 'stream' for data {options['data']!r}, which has none"
            )
        refuse_unused(["first"], f"with the deletions of the stream {options['data']}")
        return own
    if kind == "none":
        refuse_unused(["first"] + ["k"] * (own is None), "with deletions none")
    descent = descent_on(stream, steps) if kind == "adversarial" else None
    return deletions(
        kind, stream.rounds, options["k"], seed=options["seed"], first=options["first"],
        descent=descent,
    )  # fmt: skip
