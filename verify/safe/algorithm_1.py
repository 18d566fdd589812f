"""Algorithm 1 of safe against the gradients of its objective on the samples themselves."""

import numpy as np

from verify.checks import Check, Context, Findings
from verify.safe.two_classes import TOY, gradients, simulated, worlds

EIGHT, RANDOM = "eight samples, three leave", "random classes, samples leave in three rounds"


def check(ctx: Context) -> Findings:
    at = "SAFE as simulated, with the printed updates"
    for t in (1, 2):
        world = TOY | {"t": t}
        exact, options = sum(gradients(**world)), {"relation": "==", "tolerance": 1e-10}
        yield from ctx.compare_forms("literal", exact, world, EIGHT, script="alg1", **options)
        value, again = ctx.claim("printed", **world), simulated(**world, update="printed")
        yield ctx.transcribed("literal", "printed", value, again, world, at, 1e-8)
    options = {"relation": "==", "tolerance": 1e-8}
    for number, world in enumerate(worlds(ctx.rng(), ctx.pick(60, 300))):
        exact = sum(gradients(**world))
        yield ctx.compare("literal", "corrected", exact, world, RANDOM, **options)
        if number < ctx.pick(10, 60):
            left, more = simulated(**world), {"bound": exact, "tight": np.nan, **options}
            yield ctx.compare("literal", "corrected", left, world, "SAFE as simulated", **more)


def check_line_8(ctx: Context) -> Findings:
    for t, script in ((1, None), (2, "alg1_line8")):
        world = TOY | {"t": t}
        left, options = gradients(**world)[1], {"relation": "==", "tolerance": 1e-10}
        yield from ctx.compare_forms("literal", left, world, EIGHT, script=script, **options)
    at, options = "q of the round in which a sample left", {"relation": "==", "tolerance": 1e-8}
    for world in worlds(ctx.rng(), ctx.pick(60, 300)):
        value, again = ctx.claim("printed", **world), gradients(**world, fresh=False)[1]
        yield ctx.transcribed("literal", "printed", value, again, world, at, 1e-8)
        left = gradients(**world)[1]
        yield ctx.compare("literal", "corrected", left, world, RANDOM, **options)


SIDES = {"printed": "printed", "corrected": "corrected"}
CHECKS = (
    Check("safe.alg1", check).observe("safe", "objective_gradient", sides=SIDES, relation="=="),
    Check("safe.alg1.line8", check_line_8).observe(
        "safe", "forgetting_gradient", sides=SIDES, relation="=="
    ),
)
