"""(18) of olu: regret against one point, with the printed noise and with noise that unlearns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu import streams
from verify.olu.streams import LOUD

CLAIM = Claim(
    id="olu.eq18",
    label="(18)",
    kind="inequality",
    statement="Against one fixed point the expected regret is at most (L^2/mu)(1 + log T) + "
    "d omega k^(omega + 1/2) L^2 G_1/(2 sqrt(3) eps mu (omega - 1)).",
    readings=(
        Reading(
            "literal",
            "Algorithm 1's own noise, inside the projection; the left side is the regret "
            "against z_0*",
            ("printed",),
            proofs={"printed": "(15), (16), sum i^(2 omega) <= (4/3) k^(2 omega + 1)"},
        ),
        Reading(
            "valid",
            "the least noise for which D_alpha <= alpha eps, projected after it",
            ("printed", "corrected"),
            proofs={"corrected": "(15) and (16) with their constants"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "T", (1100, 1500, 2000, 3000, 5000, 8000), {k: LOUD[k] for k in LOUD if k != "T"},
        log_x=True,
    ),
    quantity="expected regret against one point, with noise that unlearns",
    correction="(L^2/2mu) H_T + (d L^2/(4 eps mu)) sum_i (2i - 1)/(tau_i - 1), valid noise.",
)  # fmt: skip


def measure(
    T: float, d: float, epsilon: float, L: float, mu: float, beta: float, u: Sequence[float],
    tau: Sequence[float], omega: float = 1.2,
) -> float:  # fmt: skip
    """Exact expected regret against one point: removed points at the edge of a box, others 0."""
    box = streams.edge_box(T, d, L, mu, u)
    times = [int(t) for t in tau]
    sigmas = streams.least_noise(epsilon, L, mu, times)
    return box.regret([int(n) for n in u], times, sigmas, moving=False)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    own = streams.regrets(rng, ctx.pick(60, 3000), streams.with_own_noise, False, requests=2)
    yield streams.compare_many(
        ctx, "literal", "printed", own, "random quadratics on boxes, own noise", best=None
    )
    rows = streams.regrets(rng, ctx.pick(80, 3000), streams.with_least_noise, False)
    rows.append((measure(**LOUD), LOUD))
    yield streams.compare_many(
        ctx, "valid", "corrected", rows, "random quadratics on boxes, least noise", best="corrected"
    )
    yield ctx.compare(
        "valid", "printed", rows[-1][0], LOUD,
        "f_4 = (z - 1/2)^2/2 removed at 1001, other losses z^2/2, on [-1/2, 1/2]", script="eq18",
    )  # fmt: skip
    values = {key: LOUD[key] for key in ("T", "d", "epsilon", "L", "mu", "tau")}
    yield ctx.compare(
        "valid", "corrected", rows[-1][0], LOUD, "a third of the noise would be too little",
        bound=ctx.formula("corrected", **{**values, "epsilon": 3 * LOUD["epsilon"]}),
        role="control",
    )  # fmt: skip
