"""Sequences of requests counted without the accountants: on exact laws, and by plain loops.

n points in batches of b with the constants of sglu's experiments; every request moves one more
point of the last batch from M to -M.
"""

import math
from collections.abc import Callable
from functools import cache

from bounds.sglu.settings import RADIUS, constants
from simulators.exact.gaussian import AffineKernel, Gaussian, step
from simulators.exact.gaussian_divergence import separation
from verify.checks import Limit
from verify.sglu.linear_instance import largest_mu

INSIDE = Limit(
    "the chain is not projected: laws of fewer samples lie farther apart than the domain is wide",
    within={"n": (110, 170)},
)
"""Of what counts epochs on exact laws."""


def _kernels(n: float, b: float, sigma: float) -> Callable[[int], AffineKernel]:
    """Epoch of the linear instance after so many requests."""
    k = {name: float(value) for name, value in constants(n, b).items()}
    c, noise = 1 - k["eta"] * k["m"], math.sqrt(2 * k["eta"]) * sigma
    shift = 2 * k["eta"] * k["M"] / k["b"]
    plain = step(c, 0.0, noise).power(int(k["J"]) - 1)
    return lambda requests: plain.then(step(c, -shift * requests, noise))


@cache
def _answered(n: float, b: float, sigma: float, epsilon: float) -> list[tuple[int, Gaussian]]:
    """Epochs and law after each request so far, at first none and the stationary one."""
    return [(0, _kernels(n, b, sigma)(0).stationary())]


def chain_epochs(n: float, b: float, S: float, sigma: float, epsilon: float) -> tuple[int, ...]:
    """Least epochs of each request on exact laws, stationary at first: run until (epsilon, 1/n).

    A longer sequence goes on where a shorter one ended.  ValueError where a law lies farther from
    the next than the domain is wide: the chain is not projected.
    """
    kernel = _kernels(n, b, sigma)
    most = largest_mu(float(epsilon), 1 / n)
    answered = _answered(n, b, sigma, epsilon)
    while len(answered) <= int(S):
        epoch = kernel(len(answered))
        target, law, K = epoch.stationary(), answered[-1][1], 0
        apart = abs(float(law.mean[0] - target.mean[0]))
        if not apart <= 2 * RADIUS:
            raise ValueError(
                f"b must leave laws within {2 * RADIUS:g} of each other, got {apart:g}"
            )
        while K == 0 or separation(law, target, rtol=1e-9) > most:
            law, K = epoch.apply(law), K + 1
        answered.append((K, law))
    return tuple(K for K, _ in answered[1 : int(S) + 1])


@cache
def chain_mu(n: float, b: float, sigma: float, epochs: tuple[int, ...]) -> tuple[float, ...]:
    """mu of the unlearned against the retrained law after each request, on exact laws."""
    kernel = _kernels(n, b, sigma)
    law, mus = kernel(0).stationary(), []
    for request, K in enumerate(epochs, start=1):
        epoch = kernel(request)
        law = epoch.power(int(K)).apply(law)
        mus.append(separation(law, epoch.stationary(), rtol=1e-9))
    return tuple(mus)


def loop_epochs(
    n: float, b: float, S: float, sigma: float, epsilon: float, *, whole: bool = False
) -> tuple[int, ...]:
    """The paper's own accounting, one epoch at a time (Corollary 3.8, Theorem 3.11, K.2).

    whole: instead with its noise variance repaired, every unlearning step counted, and the
    Gaussian trade-off curve.
    """
    k = {name: float(value) for name, value in constants(n, b).items()}
    c, J = 1 - k["eta"] * k["m"], int(k["J"])
    fresh = 2 * k["eta"] * k["M"] / k["b"] / (1 - c**J)
    distance, epoch_counts = 0.0, list[int]()
    for _ in range(int(S)):
        distance, K = min(distance + fresh, 2 * RADIUS), 0
        while True:
            K += 1
            residual = distance * c ** (K * J)
            if whole:
                steps = sum(c ** (2 * i) for i in range(K * J))
                enough = residual / math.sqrt(2 * k["eta"] * steps) / sigma <= largest_mu(
                    float(epsilon), 1 / n
                )
            else:
                slope = residual**2 / (2 * k["eta"] * sigma**2)
                # min over alpha of alpha slope + log n/(alpha - 1)
                enough = slope + 2 * math.sqrt(slope * math.log(n)) <= epsilon
            if enough:
                break
        distance = residual
        epoch_counts.append(K)
    return tuple(epoch_counts)
