"""Smaller batches need fewer epochs: measured on exact chains over the divisors of n."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import LinearRun, renyi_difference

CLAIM = Claim(
    id="sglu.claim.smallb",
    label="Smaller batches, fewer epochs (after Corollary 3.8)",
    kind="claim",
    statement="A smaller batch has a worse initial distance but a better decay, and needs fewer "
    "epochs for a given loss.",
    readings=(
        Reading(
            "literal",
            "n, eta, m, M, sigma fixed; at least one epoch needed (K >= 1)",
            ("printed", "tight"),
            proofs={
                "printed": "K(u) = (A + log(u/(1 - e^-u)))/u, u = (n/b) log(1/c), falls while "
                "K >= 1/2",
                "tight": "the exact chain's epochs are K(u) with another A, and fall alike",
            },
        ),
    ),
    natural=Natural(
        "b",
        tuple(float(b) for b in (8, 16, 32, 64, 128, 256, 512)),
        {"alpha": 2.0, "eta": 1.0, "m": 0.01, "M": 1.0, "sigma": 0.01, "loss": 0.01, "n": 512},
        log_x=True,
        log_y=False,
    ),
    quantity="epochs that meet the target",
    correction="Z_B = O(eta M / b) needs the factor 1/(1 - c^{n/b}); below half an epoch the "
    "order of batch sizes reverses.",
)


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
        stated = ctx.formula("printed", **batches)
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
