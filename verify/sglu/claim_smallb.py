"""Smaller batches need fewer epochs: measured on exact chains over the divisors of n."""

import math

import numpy as np

from bounds import Hypothesis
from simulators.exact.gaussian_divergence import separation
from verify.checks import Check, Context, Findings, Limit
from verify.sglu.instances import LinearRun, renyi_difference


def measure(
    alpha: float,
    eta: float,
    m: float,
    M: float,
    sigma: float,
    b: float,
    loss: float,
    J: float = 0,
    n: float = 0,
) -> float:
    """Epochs at which the exact loss on quadratics meets the target, as a real number.

    Both laws have one variance on this chain, so that the loss is alpha mu^2/2, mu their distance
    in standard deviations; its logarithm is linear in the epochs, so two epochs tell it.
    """
    batches = int(J or n // b)
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=batches, sigma=sigma)
    target = run.stationary(-1)
    first, second = (
        math.log(alpha / 2) + 2 * math.log(separation(run.unlearned(math.inf, K), target, 1e-9))
        for K in (0, 1)
    )
    return (first - math.log(loss)) / (first - second)


def check(ctx: Context) -> Findings:
    """Epochs on the exact chain for every divisor b of n = 360, against both forms.

    A smaller batch has to need fewer, although its initial distance is larger.
    """
    rng = ctx.rng()
    n = 360
    b = np.array([d for d in range(1, n + 1) if n % d == 0])
    for _ in range(ctx.pick(4, 40)):
        inputs = {"alpha": float(1 + rng.exponential()), "eta": float(rng.uniform(0.2, 1))}
        inputs |= {"m": float(rng.uniform(0.001, 0.05)), "sigma": float(rng.uniform(0.001, 0.01))}
        # Every batch size then needs at least one epoch on the exact chain.
        runs = [LinearRun.of(**inputs, M=1.0, b=size, J=n // size) for size in b]
        pairs = [(run.unlearned(math.inf, 1), run.stationary(-1)) for run in runs]
        loss = min(renyi_difference(*pair, inputs["alpha"]) for pair in pairs) / 2
        inputs |= {"M": 1.0, "loss": float(loss)}
        epochs = np.array([measure(**inputs, b=size, n=n) for size in b])
        at = {"n": n}
        stated = ctx.claim("printed", **(batches := {**inputs, "b": b, "J": n // b}))
        exact = {"relation": "==", "tolerance": 1e-7}
        fewer = "the next smaller batch needs fewer epochs"
        for form, value, where, instance, options in (
            ("tight", epochs, batches, "exact chain, every divisor b of 360", exact),
            ("tight", epochs[:-1], at, fewer, {"bound": epochs[1:], "tight": math.nan}),
            ("printed", epochs, batches, "epochs on the exact chain", {"tight": math.nan}),
            (
                "printed",
                stated[:-1],
                at,
                f"{fewer} by the bound",
                {"bound": stated[1:], "tight": math.nan},
            ),
        ):
            yield ctx.compare("literal", form, value, where, instance, **options)
    distances = np.array([run.stationary(1).mean[0] for run in runs])
    instance = "the initial distance itself is larger for smaller batches"
    options = {"bound": distances[1:], "role": "control"}
    yield ctx.compare("literal", "tight", distances[:-1], {"n": n}, instance, **options)


APART = Limit(
    "the logarithm of the loss is -inf where the data do not differ",
    (Hypothesis("M > 0", lambda M: M > 0),),
)
CHECKS = (
    Check("sglu.claim.smallb", evidence=check, exact_side=measure, limits={"literal": APART}),
)
