"""Epochs of a hundred requests in the paper's experiments, by three accountants.

"printed" is Corollary 3.8 with Theorem 3.11 and Proposition K.2. "released" is what the authors'
stored lists of epochs obey: noise variance eta sigma^2 and Proposition K.2 as printed, but the
shift spread over all steps, Z c^N/sqrt(G_c(N)) in place of Z c^N. "exact" is Theorem X.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from accounting.noisy_sgd import NoisySGD
from accounting.sequences import sequence_epochs
from bounds.sglu import settings

Accountant = Literal["printed", "variance", "released 3b", "released 3c", "exact"]
Epochs = NDArray[np.int64]


def setting(n: int, b: int) -> NoisySGD:
    """The paper's run on n points in batches of b."""
    m = float(settings.regularisation(n))
    return NoisySGD(
        n, b, float(settings.smoothness(n)), m, settings.LIPSCHITZ, radius=settings.RADIUS
    )


def epochs(
    n: int, b: int, sigma: float, epsilon: float, requests: int, accountant: Accountant
) -> Epochs:
    """Least K_1..K_S that keep every request (epsilon, 1/n)-unlearned, by the accountant.

    "released 3b" (Figure 3b) takes 1/(1 - c) for 1/(1 - c^{n/b}) in Z; "released 3c"
    (Figures 3c, 3d) spreads the shift from the second request on.
    """
    run = setting(n, b)
    if not accountant.startswith("released"):
        return np.asarray(
            sequence_epochs(run, sigma, requests, epsilon, 1 / n, accountant=accountant)
        )
    gap, J, logs = run.gap, run.batches, math.log(n)
    first = run.kick / (gap if accountant == "released 3b" else -math.expm1(J * math.log1p(-gap)))

    def loss(distance: float, K: int) -> float:
        decay = math.exp(2 * K * J * math.log1p(-gap))
        spread = (1 - decay) / (gap * (2 - gap))
        if accountant == "released 3c" and distance <= first:
            spread = 1.0
        rho = (distance / sigma) ** 2 * decay / (2 * run.step * spread)
        return rho + 2 * math.sqrt(rho * logs)

    return np.asarray(
        sequence_epochs(
            run, sigma, requests, epsilon, 1 / n, accountant=loss, fresh_distance=first
        )
    )
