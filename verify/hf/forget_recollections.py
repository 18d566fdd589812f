"""hf's "forgetting the recollections": the statistics that stay determine the deleted sample."""

import numpy as np

from bounds import Hypothesis
from verify.checks import Check, Context, Findings, Instances, Limit


def statistic(minima: np.ndarray, eta: float, h: float, T: int, w0: float = 0.0) -> float:
    """a^{-v} of the last sample, by the recursion along training."""
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_problems import full_batch

    n = len(minima)
    model, training = full_batch(np.full(n, h), minima, w0, eta, T)
    return float(differences(model, training, [[n - 1]], Recursion("batch")).vectors[0, 0])


def recovered(
    kept: float, others: np.ndarray, eta: float, h: float, T: int, w0: float = 0.0
) -> float:
    """c_u of the first sample, from the last one's statistic and the data that stay."""
    n, rho = len(others) + 1, 1 - eta * h
    whole, last = 1 - rho**T, T * eta * h * rho ** (T - 1)
    mean = (n * kept + others[-1] * whole - w0 * last) / (whole - last)
    return float(n * mean - others.sum())


def measure(eta: float, h: float, n: float, T: float) -> float:
    """How far the last sample's statistic moves when the first one's minimum moves by 1."""
    if T == 0:
        return 0.0
    minima = np.cos(np.arange(int(n)))
    shifted_minima = minima + (np.arange(int(n)) == 0)
    return statistic(shifted_minima, eta, h, int(T)) - statistic(minima, eta, h, int(T))


def check(ctx: Context) -> Findings:
    at = "the deleted sample from what is kept"
    for eta, h, T, minima in ((0.3, 1.0, 6, (0.731, -0.4)), (0.5, 1.3, 4, (0.731, 2.0, -1.0, 0.3))):
        data = np.array(minima)
        estimate = recovered(statistic(data, eta, h, T, 0.2), data[1:], eta, h, T, 0.2)
        yield ctx.compare("literal", "tight", estimate, {}, at, bound=data[0], relation="==")


MOVED = Instances(
    "one sample moved, the statistic of another",
    draws=(20, 200),
    within={"eta": (0.1, 1), "h": (0.3, 1.5), "n": (2, 7), "T": (2, 20)},
    tolerance=1e-8,
    relations={"printed": "==", "tight": "=="},
    script="forget_recollections",
)
TWO = Limit("another sample", (Hypothesis("n >= 2", sets={"n": lambda n: max(n, 2)}),))
CHECKS = (Check("hf.forget_recollections", check, measure, (MOVED,), {"literal": TWO}),)
