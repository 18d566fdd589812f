"""(18) and (19) of olu combined, and the last step to Theorem 2."""

from verify.checks import Check, Context, Findings
from verify.olu import streams


def check(ctx: Context) -> Findings:
    own = streams.regrets(ctx.rng(), ctx.pick(80, 3000), streams.with_own_noise, requests=2)
    words = "random quadratics on boxes, own noise"
    yield streams.compare_many(ctx, "literal", "printed", own, words, best=False)
    words = "the terms in k, side by side"
    for k in range(1, 6):
        lhs = 1 + k + k**2
        more = {"script": "thm2_proof"}
        yield ctx.compare("step", "printed", lhs, {"k": k}, words, bound=2 * k**2, **more)


CHECKS = (
    Check(
        "olu.thm2.proof",
        evidence=check,
        far=("1 + log T + k + k^2 is at least twice what is true without noise, (1 + log T)/2 + k"),
    )
    .measured_by(
        "online",
        "paper_noise_regret",
        interpretations=("literal",),
        where=("steps 1/(mu t)", "passive"),
    )
    .beside("means of 1 and -1 by turns, a small ball"),
)
