"""Theorem 3.11 of sglu: the recursion is attained by quadratics that keep moving their points."""

import numpy as np

from simulators.exact.gaussian import AffineKernel, step
from simulators.exact.gaussian_divergence import winf
from verify.checks import Check, Context, Findings
from verify.sglu.instances import UNCAPPED


def measure(c: float, J: float, K_s: float, Z_s: float, Z: float, R: float) -> float:
    """Exact distance on the linear chain: Z_s from stationary, K_s epochs, then one more point.

    Each point's data is scaled so that replacing it moves the stationary mean by Z; the domain is
    the interval, whose cap 2R is active only through the initial condition.
    """
    batches = int(J)
    epoch = step(c, 0.0, 0.3).power(batches)
    stationary = epoch.stationary()
    published = epoch.power(int(K_s)).apply(stationary.shifted(Z_s))
    return winf(published, stationary.shifted(-Z), rtol=1e-9)


def sequence(c: float, J: int, sensitivity: float, epochs: list[int]) -> list[float]:
    """Distances before each request on the exact chain: offsets accumulate in the last batch."""
    offset, plain = 0.0, step(c, 0.0, 0.3)

    def kernel(total: float) -> AffineKernel:
        return plain.power(J - 1).then(step(c, total, 0.3))

    law, distances = kernel(offset).stationary(), []
    for K in epochs:
        offset += sensitivity
        distances.append(winf(law, kernel(offset).stationary(), rtol=1e-9))
        law = kernel(offset).power(K).apply(law)
    distances.append(winf(law, kernel(offset + sensitivity).stationary(), rtol=1e-9))
    return distances


def check(ctx: Context) -> Findings:
    """Distances between requests on quadratics that keep moving their points, one by one."""
    rng = ctx.rng()
    options = {"relation": "==", "tolerance": 1e-7}
    for _ in range(ctx.pick(8, 60)):
        c = float(rng.uniform(0.5, 0.98))
        J = int(rng.integers(1, 7))
        shift = float(rng.exponential())
        epochs = [int(k) for k in rng.integers(0, 4, size=6)]
        distances = sequence(c, J, shift, epochs)
        for s, K in enumerate(epochs):
            inputs = {"c": c, "J": J, "K_s": K, "Z_s": distances[s], "R": np.inf}
            inputs |= {"Z": shift / (1 - c**J)}
            instance = f"quadratics, request {s + 1} of epochs {epochs}"
            yield from ctx.compare_forms("literal", distances[s + 1], inputs, instance, **options)
    capped = {"c": 0.9, "J": 2, "K_s": 1, "Z_s": 3.0, "Z": 2.0, "R": 2.0}
    instance = "two points of an interval of length 2R"
    yield ctx.compare("literal", "printed", 4.0, capped, instance)


LIMITS = {"literal": UNCAPPED}
CHECKS = (
    Check("sglu.thm3.11", evidence=check, exact_side=measure, limits=LIMITS).measured_by(
        "langevin", "request_distance", where=("short steps",)
    ),
)
