"""Algorithm 1 of safe against the gradients of its objective on the samples themselves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.two_classes import TOY, gradients, simulated, worlds


def check(ctx: Context) -> Iterator[Evidence]:
    for t in (1, 2):
        world = TOY | {"t": t}
        exact = sum(gradients(**world))
        for form, script in (("printed", "alg1"), ("corrected", None)):
            yield ctx.compare(
                "literal", form, exact, world, "eight samples, three leave", relation="==",
                tolerance=1e-10, script=script,
            )  # fmt: skip
    for t in (1, 2):
        world = TOY | {"t": t}
        again = simulated(**world, update="printed")
        yield ctx.transcribed(
            "literal", "printed", ctx.claim("printed", **world), again, world,
            "SAFE as simulated, with the printed updates", 1e-8,
        )  # fmt: skip
    for number, world in enumerate(worlds(ctx.rng(), ctx.pick(60, 300))):
        exact = sum(gradients(**world))
        yield ctx.compare(
            "literal", "corrected", exact, world, "random classes, samples leave in three rounds",
            relation="==", tolerance=1e-8,
        )  # fmt: skip
        if number < ctx.pick(10, 60):
            yield ctx.compare(
                "literal", "corrected", simulated(**world), world, "SAFE as simulated",
                bound=exact, tight=np.nan, relation="==", tolerance=1e-8,
            )  # fmt: skip


def check_line_8(ctx: Context) -> Iterator[Evidence]:
    for t, script in ((1, None), (2, "alg1_line8")):
        world = TOY | {"t": t}
        exact = gradients(**world)[1]
        for form in ("printed", "corrected"):
            yield ctx.compare(
                "literal", form, exact, world, "eight samples, three leave", relation="==",
                tolerance=1e-10, script=script if form == "printed" else None,
            )  # fmt: skip
    for world in worlds(ctx.rng(), ctx.pick(60, 300)):
        yield ctx.transcribed(
            "literal", "printed", ctx.claim("printed", **world),
            gradients(**world, fresh=False)[1], world, "q of the round in which a sample left",
            1e-8,
        )  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", gradients(**world)[1], world,
            "random classes, samples leave in three rounds", relation="==", tolerance=1e-8,
        )  # fmt: skip


CHECKS = (
    Check("safe.alg1", evidence=check),
    Check("safe.alg1.line8", evidence=check_line_8),
)
