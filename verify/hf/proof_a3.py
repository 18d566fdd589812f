"""(31)-(34) of hf: one clipped step, on random worlds and where the gradients are opposed."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances
from verify.hf.line_worlds import certain, random_worlds


def measure(eta: float, C: float, q: float, t: float) -> float:
    """Growth in step t >= 2 where kept gradients are C sign(x) times -1 between the two runs."""
    w, v = -eta * C, 0.0  # after a first step on the forgotten sample alone
    growth, turn = v - w, -eta * C / 2
    for k in range(1, int(t)):
        steps = [eta * q**k * (C if x > turn else -C) for x in (v, w)]
        v, w, growth = v + steps[0], w + steps[1], steps[0] - steps[1]
    return growth


def check(ctx: Context) -> Findings:
    first, at = {"eta": 0.3, "C": 1.0, "q": 0.9, "t": 1}, "the first step: half of it"
    yield ctx.compare("literal", "printed", measure(**first), first, at)
    rng, at = ctx.rng(1), "random losses on a line"
    for _ in range(ctx.pick(6, 60)):
        problems = random_worlds(rng, 300, geometric=True)
        runs = problems.run()
        growth = np.maximum(certain(np.maximum(np.diff(runs.drift, axis=1), 0), runs), 0)
        bound = 2 * problems.steps * runs.largest[:, None]
        yield ctx.compare("literal", "printed", growth, {"worlds": 300}, at, bound=bound)


OPPOSED = Instances(
    "opposed gradients",
    draws=(40, 400),
    within={"q": (0.5, 1), "t": (2, 20)},
    relations={"printed": "=="},
)
CHECKS = (
    Check("hf.proofa3", check, measure, (OPPOSED,)).measured_by(
        "recollection", "step_growth", symbols={"C": "all_C"}, where=("no clip",)
    ),
)
