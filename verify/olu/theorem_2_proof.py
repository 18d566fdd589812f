"""(18) and (19) of olu combined, and the last step to Theorem 2."""

from __future__ import annotations

from collections.abc import Iterator

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.olu import streams


def check(ctx: Context) -> Iterator[Evidence]:
    rows = streams.regrets(ctx.rng(), ctx.pick(80, 3000), streams.with_own_noise, requests=2)
    yield streams.compare_many(
        ctx, "literal", "printed", rows, "random quadratics on boxes, own noise", best=None
    )
    for k in range(1, 6):
        words = "the terms in k, side by side"
        yield ctx.compare(
            "step", "printed", 1 + k + k**2, {"k": k}, words, bound=2 * k**2, script="thm2_proof"
        )


CHECKS = (Check("olu.thm2.proof", evidence=check),)
