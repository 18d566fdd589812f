"""Theorem X3 (vii) and (viii): exact chains, and the general algorithm."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from simulators.exact.gaussian_divergence import separation
from verify.checks import Check, Context, Findings
from verify.own.theorem_x3 import GENERAL, arrivals, chains, constants, measure_aligned
from verify.sglu.instances import LinearRun
from verify.sglu.least_energy import least_energy


def measure_sequence(
    eta: float, m: float, M: float, b: float, J: float, sigma: float, epochs: Sequence[float]
) -> float:
    """Mean difference in standard deviations after the last request, from the stationary law."""
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=J, sigma=sigma)
    jump = run.stationary(1).mean
    law = run.stationary(-1)
    for K in epochs:
        law = run.epoch(-1).power(int(K)).apply(law.shifted(jump))
    return float(separation(law, run.stationary(-1), rtol=1e-9))


def measure_batch(
    eta: float,
    m: float,
    M: float,
    b: float,
    J: float,
    sigma: float,
    T: float,
    K: float,
    hits: Mapping[int, int],
) -> float:
    """Mean difference in standard deviations on quadratics, hits[j] points moved in batch j."""
    return measure_aligned(eta, m, M, b, J, sigma, T, K, hits=hits)


def check_sequence(ctx: Context) -> Findings:
    """mu after sequences of requests on quadratics, and on one long run of the algorithm."""
    for rng in ctx.draws(15, 150):
        inputs: dict[str, object] = {
            "eta": float(rng.uniform(0.1, 1)),
            "m": float(rng.uniform(0.02, 0.9)),
            "M": float(rng.uniform(0.1, 2)),
            "b": int(rng.integers(1, 5)),
            "J": int(rng.integers(1, 5)),
            "sigma": float(rng.uniform(0.1, 1)),
            "epochs": [int(k) for k in rng.integers(1, 4, size=int(rng.integers(1, 8)))],
        }
        yield ctx.compare(
            "literal",
            "tight",
            measure_sequence(**inputs),
            inputs,
            "quadratics that keep moving points from M to -M",
            relation="==",
            tolerance=1e-8,
        )
    # The general algorithm on a long run: learning epochs, then requests of 1, 2 and 1 epochs.
    c, s, q, J, T, epochs = 0.6, 0.4, 0.5, 2, 12, (1, 2, 1)
    N = (T + sum(epochs)) * J
    shifts, size, begin = np.zeros(N), 3 * q, 0
    for length in (T, *epochs):
        shifts[begin * J + J - 1 : (begin + length) * J : J] = size
        begin, size = begin + length, size - q
    inputs = {"eta": 0.5, "m": 0.8, "M": q, "b": 1, "J": J, "sigma": s, "epochs": list(epochs)}
    yield ctx.compare(
        "literal",
        "tight",
        least_energy([c] * N, shifts, [s] * N, 0.0),
        inputs,
        GENERAL + ", 12 learning epochs",
        relation="==",
        tolerance=1e-5,
    )


def check_batch(ctx: Context) -> Findings:
    """mu of deletions of several points at once on quadratics, at T = inf and at finite T."""
    rng = ctx.rng()
    for index, chain in enumerate(chains(rng, ctx.pick(25, 250))):
        J = int(chain["J"])
        chain["m"] += 0.02
        chain["b"] = float(rng.integers(3, 6))
        some = rng.choice(J, size=int(rng.integers(1, J + 1)), replace=False)
        hits = {int(j): int(rng.integers(1, 4)) for j in some}
        inputs: dict[str, object] = {k: v for k, v in chain.items() if k != "j0"}
        inputs |= {"hits": hits, "T": math.inf if index % 2 else chain["T"]}
        yield ctx.compare(
            "literal",
            "tight",
            measure_batch(**inputs),
            inputs,
            "quadratics, points moved from M to -M",
            relation="==" if index % 2 else "<=",
            tolerance=1e-8,
        )
        if index % 2 == 0:
            c, s, q, _, T, N = constants(chain)
            offsets = {j: q * size for j, size in hits.items()}
            search = least_energy([c] * N, arrivals(J, T, N, offsets), [s] * N, 0.0)
            yield ctx.compare("literal", "tight", search, inputs, GENERAL, tolerance=1e-8)
    # T = K = 1, J = 2, c near 1: nearly all arrives in the last batch, so its position counts.
    inputs = {
        "eta": 0.5, "m": 1e-9, "M": 1.0, "b": 1000, "J": 2, "sigma": 1.0, "T": 1, "K": 1,
        "hits": {0: 1, 1: 1000},
    }  # fmt: skip
    search = least_energy([1.0] * 4, [1e-3, 1.0, 0.0, 0.0], [1.0] * 4, 0.0)
    yield ctx.compare("literal", "tight", search, inputs, GENERAL, tolerance=1e-6)
    yield ctx.compare(
        "literal",
        "tight",
        search,
        inputs,
        "with the smallest position the value is too small",
        bound=1.001 / math.sqrt(4),
        role="control",
    )


CHECKS = (
    Check("own.x3.vii", evidence=check_sequence, exact_side=measure_sequence).measured_by(
        "langevin", "sequence_mu", where=("short steps", "one batch")
    ),
    Check("own.x3.viii", evidence=check_batch, exact_side=measure_batch).measured_by(
        "langevin", "aligned_mu", where=("short steps",)
    ),
)
