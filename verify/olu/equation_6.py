"""(6) of olu: the noise step, and the one round for which it is not defined."""

import numpy as np

from simulators.exact.quadratic_stream import QuadraticStream
from verify.checks import Check, Context, Findings


def check(ctx: Context) -> Findings:
    """Variances of all iterates on quadratics, a request in the last round included."""
    yield ctx.declare(
        "literal", "printed", "ill-typed", "h_T is not defined, though tau_k = T is allowed"
    )
    for rng in ctx.draws(20, 200):
        T = int(rng.integers(3, 30))
        times = np.sort(rng.choice(np.arange(2, T), size=min(3, T - 2), replace=False))
        tau = [*times.tolist(), T]
        sigma = rng.exponential(size=len(tau))
        eta = float(rng.uniform(0.05, 0.9))
        h = float(rng.uniform(0.1, 1))
        _, variances = QuadraticStream(rng.normal(size=T), h, eta).laws(tau, sigma)
        rounds = np.arange(T - 1)
        # Unrolled: what each noise has become, and the same run without the noise at tau_i.
        variance_sum = sum(
            s**2 * np.where(rounds + 2 >= t, (1 - eta * h) ** (2.0 * (rounds + 2 - t)), 0.0)
            for s, t in zip(sigma, tau, strict=True)
        )
        inputs = {"T": T, "eta": eta, "h": h}
        words = "variances of z_2..z_T on quadratics, a request at T included"
        yield ctx.compare(
            "literal", "corrected", variances[1:T], inputs, words, bound=variance_sum, relation="=="
        )


ADDED = {"forms": ("corrected",), "sides": {"corrected": "variance"}}
CHECKS = (
    Check("olu.eq6", evidence=check)
    .measured_by("online", "added_square", relation="<=", **ADDED)
    .measured_by("online", "added_square", relation=">=", **ADDED),
)
