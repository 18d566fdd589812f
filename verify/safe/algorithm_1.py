"""Algorithm 1 of safe against the gradients of its objective on the samples themselves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Edit, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.two_classes import TOY, gradients, simulated, worlds

ALG1 = Claim(
    id="safe.alg1",
    label="Algorithm 1",
    kind="algorithm",
    statement="Each round updates the retention gradient by (15) and the class moments by (22) and "
    "(23), and steps from w_0 against the gradient of R_t^ret + R~_t^fg.",
    readings=(
        Reading(
            "literal", "g_t is the gradient of (14) plus that of (25) at w_0, with the moments of "
            "D_t; unbiased covariances, q for every class", ("printed", "corrected"),
            proofs={"corrected": "eqs (15), (22), (23) corrected and (26)"},
        ),
    ),
    correction="Line 7 with the corrected (23), line 8 for all forgotten samples. All F_i and w_0 "
    "are kept for ever, so the state is not free of the deleted data.",
)  # fmt: skip
LINE_8 = Claim(
    id="safe.alg1.line8",
    label="Algorithm 1, line 8",
    kind="algorithm",
    statement="q_t is estimated for the samples of F_t only.",
    readings=(
        Reading(
            "literal", "the forgetting gradient is that of eq (25), over F_1, ..., F_t with q_t",
            ("printed", "corrected"),
            proofs={"corrected": "eq (26) sums over all of F_1, ..., F_t"},
            edits={"printed": Edit(
                "F_t becomes the union of F_1, ..., F_t",
                "F_t",
                r"\textstyle\bigcup_{i\le t}F_i",
            )},
        ),
    ),
    correction="Estimate q_t again for every forgotten sample, in every round.",
)  # fmt: skip
CLAIMS = (ALG1, LINE_8)


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
            "literal", "printed", ctx.formula("printed", **world), again, world,
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
            "literal", "printed", ctx.formula("printed", **world),
            gradients(**world, fresh=False)[1], world, "q of the round in which a sample left",
            1e-8,
        )  # fmt: skip
        yield ctx.compare(
            "literal", "corrected", gradients(**world)[1], world,
            "random classes, samples leave in three rounds", relation="==", tolerance=1e-8,
        )  # fmt: skip


CHECKERS = {ALG1.id: check, LINE_8.id: check_line_8}
