"""Algorithm 1 of safe against the gradients of its objective on the samples themselves."""

import numpy as np

from verify.checks import Check, Context, Findings
from verify.safe.two_classes import TOY, gradients, problems, simulated

EIGHT, RANDOM = "eight samples, three leave", "random classes, samples leave in three rounds"


def check(ctx: Context) -> Findings:
    """g_t on eight samples and on random classes, against gradients over the samples themselves.

    SAFE as it is simulated gives the same, with the printed updates the printed value.
    """
    at = "SAFE as simulated, with the printed updates"
    for t in (1, 2):
        inputs = TOY | {"t": t}
        exact = sum(gradients(**inputs))
        options = {"relation": "==", "tolerance": 1e-10}
        yield from ctx.compare_forms("literal", exact, inputs, EIGHT, script="alg1", **options)
        value = ctx.claim("printed", **inputs)
        again = simulated(**inputs, update="printed")
        yield ctx.transcribed("literal", "printed", value, again, inputs, at, 1e-8)
    options = {"relation": "==", "tolerance": 1e-8}
    for number, inputs in enumerate(problems(ctx.rng(), ctx.pick(60, 300))):
        exact = sum(gradients(**inputs))
        yield ctx.compare("literal", "corrected", exact, inputs, RANDOM, **options)
        if number < ctx.pick(10, 60):
            lhs = simulated(**inputs)
            more = {"bound": exact, "tight": np.nan, **options}
            yield ctx.compare("literal", "corrected", lhs, inputs, "SAFE as simulated", **more)


def check_line_8(ctx: Context) -> Findings:
    """The forgetting gradient with the factors of round t, and of the round of leaving."""
    for t, script in ((1, None), (2, "alg1_line8")):
        inputs = TOY | {"t": t}
        lhs = gradients(**inputs)[1]
        options = {"relation": "==", "tolerance": 1e-10}
        yield from ctx.compare_forms("literal", lhs, inputs, EIGHT, script=script, **options)
    at = "q of the round in which a sample left"
    options = {"relation": "==", "tolerance": 1e-8}
    for inputs in problems(ctx.rng(), ctx.pick(60, 300)):
        value = ctx.claim("printed", **inputs)
        again = gradients(**inputs, fresh=False)[1]
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
