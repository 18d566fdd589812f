"""G_1 of olu: bounded, as the paper says, and beside the point once the noise unlearns."""

import math
from collections.abc import Sequence

import numpy as np

from bounds.olu.factor_g1 import summand_cap
from verify.checks import Check, Context, Findings
from verify.olu import streams


def measure(mu: float, beta: float, u: Sequence[float], tau: Sequence[float]) -> float:
    """sum_i sigma_i^2/(2 eta_{tau_i - 1}) with the least noise, in units of L^2/(4 eps mu)."""
    sigmas = streams.least_noise(1.0, 1.0, mu, [int(t) for t in tau])
    return float(4 * mu * np.sum(sigmas**2 * mu * (np.asarray(tau) - 1) / 2))


def check(ctx: Context) -> Findings:
    """Summands of G_1 and their sums over the first rounds that may be deleted.

    The least noise at every request costs what the corrected form says.
    """
    rng = ctx.rng()
    n = ctx.pick(2000, 50_000)
    ratio = np.exp(rng.uniform(0, 5, size=n))
    u = np.ceil(0.5 + ratio) + rng.integers(0, 20, size=n)
    m = np.append(rng.integers(0, 100, size=n - 1), 0)
    summand = (u + m) / u**2 * ((ratio - 1) / (ratio + 1)) ** (2 * m)
    cap = summand_cap(u)
    at = {"u_i": u, "gap": m, "ratio": ratio}
    words = "one summand, the least u allowed and later"
    yield ctx.compare("order", "printed", summand, at, words, bound=cap, tight=math.nan)
    at = {"u_i": u}
    more = {"tight": math.nan, "relation": "=="}
    words = "attained where u_i = tau_i"
    yield ctx.compare("order", "printed", 1 / u, at, words, bound=cap, **more)
    words = "one deletion: G_1 is the summand"
    for j in range(0, n, n // 20):
        one = {"mu": 2.0, "beta": 2 * ratio[j], "u": [u[j]], "tau": [u[j] + m[j]]}
        bound = ctx.claim("printed", **one)
        yield ctx.compare("order", "printed", summand[j], one, words, bound=bound, **more)
    limit = math.sqrt(math.pi**2 / 6 - 1)
    words = "the first k rounds that may be deleted"
    for k in (1, 3, 10, 100):
        first = np.arange(2, k + 2)
        inputs = {"mu": 1.0, "beta": 1.5, "u": first, "tau": first + 1}
        factor_value = ctx.claim("printed", **inputs)
        yield ctx.compare(
            "order", "printed", factor_value, inputs, words, bound=limit, tight=math.nan
        )
    words = "least noise at every request"
    for u_list, tau in (([10], [50]), ([20, 900, 4990], [100, 1000, 5000]), ([4], [5])):
        inputs = {"mu": 1.0, "beta": 3.0, "u": u_list, "tau": tau}
        price = measure(**inputs)
        bound = 4 * math.sqrt(3) * len(tau) ** 1.7 * ctx.claim("printed", **inputs)
        yield ctx.compare("price", "corrected", price, inputs, words, relation="==")
        yield ctx.compare("price", "printed", price, inputs, words, bound=bound, script="g1")


CHECKS = (
    Check("olu.g1", evidence=check, exact_side=measure).measured_by(
        "online",
        "least_noise_price",
        interpretations=("price",),
        forms=("corrected",),
        where=("steps 1/(mu t)", "least noise"),
    ),
)
