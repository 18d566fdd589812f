"""Smaller batches need fewer epochs: measured on exact chains over the divisors of n."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import LinearRun, renyi_difference


def measure(
    alpha: float, eta: float, m: float, M: float, sigma: float, b: float, loss: float,
    J: float = 0, n: float = 0,
) -> float:  # fmt: skip
    """Epochs at which the exact loss on quadratics meets the target, as a real number.

    The logarithm of the loss is linear in the epochs on this chain, so two epochs tell it.
    """
    batches = int(J or n // b)
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=batches, sigma=sigma)
    target = run.stationary(-1)
    first, second = (
        math.log(renyi_difference(run.unlearned(math.inf, K), target, alpha)) for K in (0, 1)
    )
    return (first - math.log(loss)) / (first - second)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    n = 360
    divisors = np.array([d for d in range(1, n + 1) if n % d == 0])
    for _ in range(ctx.pick(4, 40)):
        inputs = {
            "alpha": float(1 + rng.exponential()), "eta": float(rng.uniform(0.2, 1)),
            "m": float(rng.uniform(0.001, 0.05)), "M": 1.0,
            "sigma": float(rng.uniform(0.001, 0.01)),
        }  # fmt: skip
        # Every batch size then needs at least one epoch on the exact chain.
        one = [LinearRun.of(**inputs, b=b, J=n // b) for b in divisors]
        after = [
            renyi_difference(r.unlearned(math.inf, 1), r.stationary(-1), inputs["alpha"])
            for r in one
        ]
        inputs["loss"] = float(min(after)) / 2
        epochs = np.array([measure(**inputs, b=int(b), J=n // b) for b in divisors])
        batches = {**inputs, "b": divisors, "J": n // divisors}
        yield ctx.compare(
            "literal", "tight", epochs, batches, "exact chain, every divisor b of 360",
            relation="==", tolerance=1e-7,
        )  # fmt: skip
        yield ctx.compare(
            "literal", "tight", epochs[:-1], {"n": n}, "the next smaller batch needs fewer epochs",
            bound=epochs[1:], tight=math.nan,
        )  # fmt: skip
        yield ctx.compare(
            "literal", "printed", epochs, batches, "epochs on the exact chain", tight=math.nan
        )
        stated = ctx.claim("printed", **batches)
        yield ctx.compare(
            "literal", "printed", stated[:-1], {"n": n},
            "by the printed bound the next smaller batch needs fewer epochs",
            bound=stated[1:], tight=math.nan,
        )  # fmt: skip
    distances = np.array(
        [LinearRun.of(**inputs, b=b, J=n // b).stationary(1).mean[0] for b in divisors]
    )
    yield ctx.compare(
        "literal", "tight", distances[:-1], {"n": n},
        "the initial distance itself is larger for smaller batches", bound=distances[1:],
        role="control",
    )  # fmt: skip


CHECKS = (Check("sglu.claim.smallb", evidence=check, oracle=measure),)
