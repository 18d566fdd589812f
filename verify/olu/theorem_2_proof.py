"""(18) and (19) of olu combined, and the last step to Theorem 2."""

from __future__ import annotations

import math
from collections.abc import Iterator

from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu import streams

CLAIM = Claim(
    id="olu.thm2.proof",
    label="Theorem 2, (18) and (19) combined",
    kind="inequality",
    statement="The proof ends with (L^2/mu)(1 + log T + k + k^2) and the noise term of (18), "
    "which is then stated as (L^2/mu)(log T + 2 k^2) and that noise term.",
    readings=(
        Reading(
            "literal",
            "regret of Algorithm 1 with its own noise, projected",
            ("printed",),
            proofs={"printed": "the sum of the bounds (18) and (19)"},
        ),
        Reading(
            "step", "1 + k + k^2 <= 2 k^2, as the statement needs", ("printed",), stance="part"
        ),
    ),
    quantity="expected regret with the noise of Algorithm 1",
    correction="The statement follows from (1 + log T)/2 + k <= log T + 2 k^2 instead.",
)


def check(ctx: Context) -> Iterator[Evidence]:
    rows = streams.regrets(ctx.rng(), ctx.pick(80, 3000), streams.with_own_noise, requests=2)
    yield streams.compare_many(
        ctx, "literal", "printed", rows, "random quadratics on boxes, own noise", best=None
    )
    for k in range(1, 6):
        yield ctx.compare(
            "step", "printed", 1 + k + k**2, {"k": k}, "the terms in k, side by side",
            bound=2 * k**2, tight=math.nan, script="thm2_proof",
        )  # fmt: skip
