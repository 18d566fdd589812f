"""G_1 of olu: bounded, as the paper says, and beside the point once the noise unlearns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from bounds.olu.factor_g1 import summand_cap
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu import streams

CLAIM = Claim(
    id="olu.g1",
    label="G_1 (after Theorem 2)",
    kind="asymptotic",
    aliases=("olu.G1",),
    statement="Each summand of G_1 is O(1) for any deletion times and indices, so that the noise "
    "costs O(d k^2.2/eps).",
    readings=(
        Reading(
            "order",
            "tau_i gamma^(2 (tau_i - u_i))/u_i^2 <= 1/u_i for u_i >= 1/2 + beta/mu, and so "
            "G_1 <= sqrt(pi^2/6 - 1)",
            ("printed",),
            proofs={"printed": "1/(2 log(1/gamma)) <= beta/(4 mu) < u_i; the u_i differ"},
        ),
        Reading(
            "price",
            "what noise costs that unlearns: printed in units of sqrt(3) d k^1.7 L^2/(eps mu), "
            "corrected in units of d L^2/(4 eps mu)",
            ("printed", "corrected"),
            proofs={"corrected": "d sigma_i^2/(2 eta) with the least sigma_i"},
            stance="part",
        ),
    ),
    natural=Natural(
        "beta", (1.5, 2, 3, 4, 6, 8), {"mu": 1.0, "u": [9, 12], "tau": [20, 40]}, log_y=True
    ),
    quantity="price of valid noise, in units of d L^2/(4 eps mu)",
    correction="G_1 <= 0.81, so k^1.7 and not k^2.2; with valid noise sum (2i-1)/(tau_i-1) <= 2k.",
)


def measure(mu: float, beta: float, u: Sequence[float], tau: Sequence[float]) -> float:
    """sum_i sigma_i^2/(2 eta_{tau_i - 1}) with the least noise, in units of L^2/(4 eps mu)."""
    sigmas = streams.least_noise(1.0, 1.0, mu, [int(t) for t in tau])
    return float(4 * mu * np.sum(sigmas**2 * mu * (np.asarray(tau) - 1) / 2))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    n = ctx.pick(2000, 50_000)
    ratio = np.exp(rng.uniform(0, 5, size=n))
    u = np.ceil(0.5 + ratio) + rng.integers(0, 20, size=n)
    m = np.append(rng.integers(0, 100, size=n - 1), 0)
    summand = (u + m) / u**2 * ((ratio - 1) / (ratio + 1)) ** (2 * m)
    yield ctx.compare(
        "order", "printed", summand, {"u_i": u, "gap": m, "ratio": ratio},
        "one summand, the least u allowed and later", bound=summand_cap(u), tight=math.nan,
    )  # fmt: skip
    yield ctx.compare(
        "order", "printed", 1 / u, {"u_i": u, "gap": 0}, "attained where u_i = tau_i",
        bound=summand_cap(u), tight=math.nan, relation="==",
    )  # fmt: skip
    for j in range(0, n, n // 20):
        one = {"mu": 2.0, "beta": 2 * ratio[j], "u": [u[j]], "tau": [u[j] + m[j]]}
        yield ctx.compare(
            "order", "printed", summand[j], one, "one deletion: G_1 is the summand",
            bound=ctx.formula("printed", **one), tight=math.nan, relation="==",
        )  # fmt: skip
    for k in (1, 3, 10, 100):
        first = np.arange(2, k + 2)
        inputs = {"mu": 1.0, "beta": 1.5, "u": first, "tau": first + 1}
        yield ctx.compare(
            "order", "printed", ctx.formula("printed", **inputs), {**inputs, "k": k},
            "the first k rounds that may be deleted", bound=math.sqrt(math.pi**2 / 6 - 1),
            tight=math.nan,
        )  # fmt: skip
    for u_list, tau in (([10], [50]), ([20, 900, 4990], [100, 1000, 5000]), ([4], [5])):
        inputs = {"mu": 1.0, "beta": 3.0, "u": u_list, "tau": tau}
        k, price = len(tau), measure(**inputs)
        yield ctx.compare(
            "price", "corrected", price, inputs, "least noise at every request", relation="=="
        )
        units = 4 * math.sqrt(3) * k**1.7
        yield ctx.compare(
            "price", "printed", price, inputs, "least noise at every request",
            bound=units * ctx.formula("printed", **inputs), script="g1",
        )  # fmt: skip
