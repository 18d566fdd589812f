"""Corollary 7 of olu and (22): refuted where gamma = 0 and the noise is loud."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu import alternating_means, streams

# Algorithm 1's own noise at u = tau, where nothing has contracted yet: sigma = 0.2.
SUDDEN: dict[str, float] = {
    "T": 5000, "k": 1, "d": 1, "epsilon": 7.5e-5, "L": 1.0, "mu": 1.0, "beta": 1.0,
}  # fmt: skip
MOMENT = 1001
CLAIMS = (
    Claim(
        id="olu.cor7",
        label="Corollary 7",
        kind="inequality",
        statement="Under Theorem 2's assumptions the expected regret is at most (L^2/mu)(1 + k + "
        "k^2 + log T) + d omega k^(omega+1) L^2/(2 sqrt(3) e ln(1/gamma) eps mu (omega - 1)).",
        readings=(
            Reading(
                "literal",
                "Algorithm 1's own noise, projected after it, u_i <= tau_i; log T for the "
                "(1 + log T)/2 of descent, so that half of it is the most to be reached",
                ("printed", "corrected"),
                proofs={"corrected": "(18), (19), and (22) with its 1"},
            ),
        ),
        natural=Natural(
            "T", (1100, 1500, 2000, 3000, 5000), {k: v for k, v in SUDDEN.items() if k != "T"},
            log_x=True,
        ),
        quantity="expected regret, own noise, u = tau",
        correction="1 + 1/(2 e ln(1/gamma)) for 1/(e ln(1/gamma)); noise that unlearns: Theorem 2, "
        "corrected.",
    ),
    Claim(
        id="olu.eq22",
        label="(22)",
        kind="inequality",
        statement="tau_i gamma^(2 (tau_i - u_i))/u_i^2 <= 1 + 1/(e ln(1/gamma)).",
        readings=(
            Reading(
                "literal",
                "1 <= u <= tau, 0 <= gamma < 1",
                ("printed", "corrected", "tight"),
                proofs={
                    "printed": "from the corrected form",
                    "corrected": "m gamma^(2m) <= 1/(2 e ln(1/gamma))",
                    "tight": "the largest term of a unimodal sequence",
                },
            ),
        ),
        natural=Natural("gamma", (0.1, 0.3, 0.5, 0.7, 0.9, 0.97), {"u_i": 3}),
        quantity="largest summand over tau",
        correction="1 + 1/(2 e ln(1/gamma)).",
    ),
)  # fmt: skip


def measure(
    T: float, k: float, d: float, epsilon: float, L: float, mu: float, beta: float,
    omega: float = 1.2,
) -> float:  # fmt: skip
    """Exact expected regret: one point at a corner of a box, removed as soon as it came, t = 1001.

    Own noise of Algorithm 1, projected; the first of k deletions is simulated.
    """
    box = streams.edge_box(T, d, L, mu, [MOMENT])
    sigmas = streams.own_noise(epsilon, L, mu, beta, [MOMENT], [MOMENT], omega)
    return box.regret([MOMENT], [MOMENT], sigmas)


def measure_22(gamma: float, u_i: float) -> float:
    """The largest summand over tau = u, u + 1, ..."""
    m = np.arange(2000.0)
    return float(((u_i + m) / u_i**2 * gamma ** (2 * m)).max())


MEASURES = {"olu.cor7": measure, "olu.eq22": measure_22}


def check_corollary(ctx: Context) -> Iterator[Evidence]:
    exact = measure(**SUDDEN)
    yield ctx.compare(
        "literal", "printed", exact, SUDDEN, "quadratics, beta = mu: removed as soon as it came",
        script="cor7",
    )  # fmt: skip
    yield ctx.compare(
        "literal", "corrected", exact, SUDDEN, "quadratics, beta = mu: removed as soon as it came"
    )
    T, h = ctx.pick(100_000, 1_000_000), 0.1
    quiet = {**SUDDEN, "T": T, "epsilon": 1e12, "L": 1 + h}
    yield ctx.compare(
        "literal", "corrected", alternating_means.regret(T, h), quiet,
        "alternating parabolas, a deletion in the last round",
    )  # fmt: skip
    drawn = streams.regrets(
        ctx.rng(), ctx.pick(80, 3000), streams.with_own_noise, requests=2
    )  # fmt: skip
    rows = [(found, {**inputs, "k": len(inputs["tau"])}) for found, inputs in drawn]
    yield streams.compare_many(
        ctx, "literal", "corrected", rows, "random quadratics on boxes, own noise", best="corrected"
    )


def check_22(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    n = ctx.pick(2000, 50_000)
    inputs = {"gamma": rng.uniform(size=n) ** 0.3, "u_i": rng.integers(1, 30, size=n)}
    m = rng.integers(0, 60, size=n)
    u = inputs["u_i"]
    summand = (u + m) / u**2 * inputs["gamma"] ** (2 * m)
    yield from ctx.compare_forms("literal", summand, inputs, "random gamma, u and tau")
    for gamma, u_i in ((0.0, 1), (0.5, 2), (0.9, 3), (0.99, 10), (0.7, 1)):
        case = {"gamma": gamma, "u_i": u_i}
        yield ctx.compare(
            "literal", "tight", measure_22(**case), case, "all tau, by search", relation="=="
        )
    case = {"gamma": 0.999, "u_i": 1}
    yield ctx.compare(
        "literal", "corrected", measure_22(**case), case, "half the second term: too little",
        bound=1 - 1 / (4 * np.e * np.log(0.999)), role="control",
    )  # fmt: skip


CHECKERS = {"olu.cor7": check_corollary, "olu.eq22": check_22}
