"""(18) of olu: regret against one point, with the printed noise and with noise that unlearns."""

from collections.abc import Sequence

from bounds.olu.theorem_2 import LOUD
from verify.checks import Check, Context, Findings
from verify.olu import streams


def measure(
    T: float,
    d: float,
    epsilon: float,
    L: float,
    mu: float,
    beta: float,
    u: Sequence[float],
    tau: Sequence[float],
    omega: float = 1.2,
) -> float:
    """Exact expected regret against one point: removed points at the edge of a box, others 0."""
    box = streams.edge_box(T, d, L, mu, u)
    times = [int(t) for t in tau]
    sigmas = streams.least_noise(epsilon, L, mu, times)
    return box.regret([int(n) for n in u], times, sigmas, moving=False)


def check(ctx: Context) -> Findings:
    """Regret against one point on random boxes, with the printed noise and with the least."""
    rng = ctx.rng()
    own = streams.regrets(rng, ctx.pick(60, 3000), streams.with_own_noise, False, requests=2)
    words = "random quadratics on boxes, own noise"
    yield streams.compare_many(ctx, "literal", "printed", own, words, best=False)
    valid = streams.regrets(rng, ctx.pick(80, 3000), streams.with_least_noise, False)
    loud = measure(**LOUD)
    words = "random quadratics on boxes, least noise"
    yield streams.compare_many(ctx, "valid", "corrected", [*valid, (loud, LOUD)], words)
    words = "f_4 = (z - 1/2)^2/2 removed at 1001, other losses z^2/2, on [-1/2, 1/2]"
    yield ctx.compare("valid", "printed", loud, LOUD, words, script="eq18")
    values = streams.among(LOUD, ("T", "d", "epsilon", "L", "mu", "tau"))
    bound = ctx.claim("corrected", **{**values, "epsilon": 3 * LOUD["epsilon"]})
    words = "a third of the noise would be too little"
    yield ctx.compare("valid", "corrected", loud, LOUD, words, bound=bound, role="control")


CHECKS = (
    Check("olu.eq18", evidence=check, exact_side=measure)
    .measured_by(
        "online",
        "fixed_regret",
        interpretations=("valid",),
        where=("steps 1/(mu t)", "least noise"),
    )
    .beside("means of 1 and -1 by turns, a small ball"),
)
