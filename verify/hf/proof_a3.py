"""(31)-(34) of hf: one clipped step, on random worlds and where the gradients are opposed."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.hf.line_worlds import certain, random_worlds


def measure(eta: float, C: float, q: float, t: float) -> float:
    """Growth in step t >= 2 where kept gradients are C sign(x) times -1 between the two runs."""
    w, v = -eta * C, 0.0  # after a first step on the forgotten sample alone
    growth, turn = v - w, -eta * C / 2
    for k in range(1, int(t)):
        steps = [eta * q**k * (C if x > turn else -C) for x in (v, w)]
        v, w, growth = v + steps[0], w + steps[1], steps[0] - steps[1]
    return growth


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 400)):
        inputs = {"eta": float(rng.exponential() + 0.01), "C": float(rng.exponential() + 0.01),
                  "q": float(rng.uniform(0.5, 1)), "t": int(rng.integers(2, 20))}  # fmt: skip
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs, "opposed gradients", relation="=="
        )
    first = {"eta": 0.3, "C": 1.0, "q": 0.9, "t": 1}
    yield ctx.compare("literal", "printed", measure(**first), first, "the first step: half of it")
    for _ in range(ctx.pick(6, 60)):
        worlds = random_worlds(rng, 300, geometric=True)
        runs = worlds.run()
        growth = np.maximum(certain(np.maximum(np.diff(runs.drift, axis=1), 0), runs), 0)
        C = np.maximum(runs.C, runs.C_kept)[:, None]
        yield ctx.compare(
            "literal", "printed", growth, {"worlds": 300}, "random losses on a line",
            bound=2 * worlds.steps * C, tight=math.nan,
        )  # fmt: skip


CHECKS = (Check("hf.proofa3", evidence=check, oracle=measure),)
