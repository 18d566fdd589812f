"""(31)-(34) of hf: one clipped step, on random problems and where the gradients are opposed."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances
from verify.hf.line_problems import certain, random_problems


def measure(eta: float, C: float, q: float, t: float) -> float:
    """Growth in step t >= 2 where kept gradients are C sign(x) times -1 between the two runs."""
    w, v = -eta * C, 0.0  # after a first step on the forgotten sample alone
    growth, turn = v - w, -eta * C / 2
    for k in range(1, int(t)):
        steps = [eta * q**k * (C if x > turn else -C) for x in (v, w)]
        v = v + steps[0]
        w = w + steps[1]
        growth = steps[0] - steps[1]
    return growth


def check(ctx: Context) -> Findings:
    """Growth of the distance at every step of random losses on a line."""
    first = {"eta": 0.3, "C": 1.0, "q": 0.9, "t": 1}
    at = "the first step: half of it"
    yield ctx.compare("literal", "printed", measure(**first), first, at)
    rng = ctx.rng(1)
    at = "random losses on a line"
    for _ in range(ctx.pick(6, 60)):
        problems = random_problems(rng, 300, geometric=True)
        runs = problems.run()
        growth = np.maximum(certain(np.maximum(np.diff(runs.drift, axis=1), 0), runs), 0)
        bound = 2 * problems.steps * runs.largest[:, None]
        yield ctx.compare("literal", "printed", growth, {"problems": 300}, at, bound=bound)


OPPOSED = Instances(
    "opposed gradients",
    draws=(40, 400),
    within={"q": (0.5, 1), "t": (2, 20)},
    relations={"printed": "=="},
)
CHECKS = (
    Check(
        "hf.proofa3",
        check,
        measure,
        (OPPOSED,),
        far=("opposed gradients of norm C attain it: where a row is removed one of the two is 0"),
    )
    .measured_by("recollection", "step_growth", symbols={"C": "all_C"}, where=("no clip",))
    .beside("hinge loss with one other label, row by row"),
)
