"""Algorithm 1 of safe against the gradients of its objective on the samples themselves."""

import numpy as np

from verify.checks import Check, Context, Findings
from verify.safe.two_classes import TOY, gradients, simulated, worlds

EIGHT, RANDOM = "eight samples, three leave", "random classes, samples leave in three rounds"


def check(ctx: Context) -> Findings:
    at = "SAFE as simulated, with the printed updates"
    for t in (1, 2):
        inputs = TOY | {"t": t}
        exact, options = sum(gradients(**inputs)), {"relation": "==", "tolerance": 1e-10}
        yield from ctx.compare_forms("literal", exact, inputs, EIGHT, script="alg1", **options)
        value, again = ctx.claim("printed", **inputs), simulated(**inputs, update="printed")
        yield ctx.transcribed("literal", "printed", value, again, inputs, at, 1e-8)
    options = {"relation": "==", "tolerance": 1e-8}
    for number, inputs in enumerate(worlds(ctx.rng(), ctx.pick(60, 300))):
        exact = sum(gradients(**inputs))
        yield ctx.compare("literal", "corrected", exact, inputs, RANDOM, **options)
        if number < ctx.pick(10, 60):
            lhs, more = simulated(**inputs), {"bound": exact, "tight": np.nan, **options}
            yield ctx.compare("literal", "corrected", lhs, inputs, "SAFE as simulated", **more)


def check_line_8(ctx: Context) -> Findings:
    for t, script in ((1, None), (2, "alg1_line8")):
        inputs = TOY | {"t": t}
        lhs, options = gradients(**inputs)[1], {"relation": "==", "tolerance": 1e-10}
        yield from ctx.compare_forms("literal", lhs, inputs, EIGHT, script=script, **options)
    at, options = "q of the round in which a sample left", {"relation": "==", "tolerance": 1e-8}
    for inputs in worlds(ctx.rng(), ctx.pick(60, 300)):
        value, again = ctx.claim("printed", **inputs), gradients(**inputs, fresh=False)[1]
        yield ctx.transcribed("literal", "printed", value, again, inputs, at, 1e-8)
        lhs = gradients(**inputs)[1]
        yield ctx.compare("literal", "corrected", lhs, inputs, RANDOM, **options)


SIDES = {"printed": "printed", "corrected": "corrected"}
CHECKS = (
    Check("safe.alg1", check).measured_by("safe", "objective_gradient", sides=SIDES, relation="=="),
    Check("safe.alg1.line8", check_line_8).measured_by(
        "safe", "forgetting_gradient", sides=SIDES, relation="=="
    ),
)
