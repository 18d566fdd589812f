"""Definition 6 of olu: online descent with deletions is a contractive noisy iteration."""

import numpy as np

from simulators.exact.gaussian import Gaussian, step
from simulators.exact.quadratic_stream import QuadraticStream
from verify.checks import Check, Context, Findings


def check(ctx: Context) -> Findings:
    """Mean and variance of the last iterate, of the stream and composed from kernels."""
    for rng in ctx.draws(20, 200):
        T = int(rng.integers(4, 25))
        x, h = rng.normal(size=T), rng.uniform(0.1, 1, T)
        eta = rng.uniform(0.1, 1, T)
        tau = np.sort(rng.choice(np.arange(2, T + 2), size=2, replace=False)).tolist()
        sigma = rng.exponential(size=2)
        skipped = [int(rng.integers(1, T + 1))]
        means, variances = QuadraticStream(x, h, eta).laws(tau, sigma, skipped)
        law = Gaussian.point(0.0)
        noise = dict(zip(tau, sigma.tolist(), strict=True))
        for t in range(1, T + 1):
            rate = 0.0 if t in skipped else float(eta[t - 1] * h[t - 1])
            law = step(1 - rate, rate * float(x[t - 1]), noise.get(t + 1, 0.0)).apply(law)
        moments = [float(law.mean[0]), float(law.cov[0, 0])]
        run_moments = [float(means[-1, 0]), float(variances[-1])]
        words = "mean and variance of the last iterate, composed from its kernels"
        yield ctx.compare(
            "literal",
            "printed",
            run_moments,
            {"T": T, "tau": tau, "skipped": skipped},
            words,
            bound=moments,
        )


CHECKS = (Check("olu.def6", evidence=check),)
