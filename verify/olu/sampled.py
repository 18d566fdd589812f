"""Sampled regret of passive unlearning on losses that are not quadratic, with a safe margin."""

import math
from typing import Any

import numpy as np

from accounting.deletions.schedule import DeletionSchedule
from simulators.domains import Ball
from verify.checks import Context, case_table
from verify.olu.streams import least_noise


def lower_limit(values: np.ndarray, width: float, level: float) -> float:
    """A lower confidence limit for the mean of values that lie in an interval of this width.

    Maurer and Pontil (2009), Theorem 4: empirical Bernstein, error probability `level`.
    """
    n, log = values.size, math.log(2 / level)
    spread = math.sqrt(2 * float(values.var(ddof=1)) * log / n)
    return float(values.mean()) - spread - 7 * width * log / (3 * (n - 1))


def logistic_regret(
    ctx: Context, T: int, d: int, k: int, trials: int
) -> tuple[float, dict[str, Any]]:
    """(Lower limit of E regret, inputs of Theorem 2): ridge logistic losses, least noise, a ball.

    Rows of norm 1; the removed ones are as early as the hypothesis on u allows, requests follow
    soon after; eps such that the noise is of the size of the ball.
    """
    from simulators.losses.logistic import Logistic
    from simulators.online.learners import run
    from simulators.online.rows import Rows

    rng = ctx.rng(7)
    points = rng.normal(size=(T, d))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    stream = Rows(Logistic(0.5), points, domain=Ball(1.0))
    c = stream.constants
    first = math.ceil(0.5 + c.smoothness / c.strong_convexity)
    u = list(range(first, first + k))
    tau = [first + k + 1 + 4 * i for i in range(k)]
    sigma = 0.5 / math.sqrt(d)
    epsilon = (c.lipschitz / (c.strong_convexity * (tau[0] - 1) * sigma)) ** 2 / 2
    sigmas = least_noise(epsilon, c.lipschitz, c.strong_convexity, tau)
    record = run(
        stream,
        DeletionSchedule(np.array(u), np.array(tau)),
        sigmas=sigmas,
        runs=(0,),
        steps=lambda t: 1 / (c.strong_convexity * t),
        trials=trials,
        seed=ctx.seed,
        claim=2,
        keep_losses=False,
    )
    assert record.regret is not None
    # Every difference of losses lies between -L D and L D; before the noise runs do not differ.
    width = 2 * (T - tau[0] + 1) * c.lipschitz * c.diameter
    (inputs,) = case_table(
        "T d epsilon L mu beta u tau trials",
        (T, d, epsilon, c.lipschitz, c.strong_convexity, c.smoothness, u, tau, trials),
    )
    return lower_limit(record.regret, width, ctx.level), inputs
