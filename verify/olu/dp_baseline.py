"""Online learning with differential privacy, as olu quotes it and with explicit constants."""

import math

import numpy as np

from simulators.exact.projected_stream import comparator_losses, expected_losses
from simulators.exact.quadratic_stream import QuadraticStream
from verify.checks import Check, Context, Findings, case_table
from verify.olu import streams


def noisy_descent(
    points: np.ndarray, curvature: float, steps: np.ndarray, radius: float, s: float
) -> np.ndarray:
    """Exact expected regret (n,) of projected descent with noise s on every gradient."""
    T = points.shape[1]
    times, sigmas = np.arange(2, T + 1), steps[:-1] * s
    played = expected_losses(points, curvature, steps, radius, times, sigmas)
    return np.asarray((played - comparator_losses(points, curvature)).sum(axis=1))


def measure(T: float, k: float, d: float, epsilon: float, L: float, mu: float) -> float:
    """Expected regret of noisy descent, all points at 0, on the box where L is exact (d <= 4).

    The coordinates are independent and alike.
    """
    radius = L / (mu * math.sqrt(d))
    t = np.arange(1, int(T) + 1)
    s = L * math.sqrt(k / (2 * epsilon))
    regrets = noisy_descent(np.zeros((1, t.size)), mu, 1 / (mu * t), radius, s)
    return float(d * regrets[0])


NOISY = "quadratics on [-1, 1], every gradient noisy"


def check_strong(ctx: Context) -> Findings:
    """Regret of noisy descent on random strongly convex losses, and what the noise adds on R^d."""
    reason = "O() without constants; Table 2 leaves out eps"
    yield ctx.declare("literal", "printed", "not checkable", reason)
    for rng in ctx.draws(3, 40):
        T = int(rng.integers(2, 13))
        mu = float(rng.uniform(0.3, 2))
        x = rng.choice([-1.0, 1.0], size=(4, T)) * rng.uniform(0, 1)
        L = mu * (1 + float(np.abs(x).max()))
        epsilon = float(rng.uniform(0.5, 4))
        s = L / math.sqrt(2 * epsilon)
        steps = 1 / (mu * np.arange(1, T + 1))
        regrets = noisy_descent(x, mu, steps, 1.0, s)
        inputs = {"T": T, "k": 1, "d": 1, "epsilon": epsilon, "L": L, "mu": mu}
        yield ctx.compare("explicit", "corrected", regrets, inputs, NOISY)
    words = "what the noise adds on R^d is the bound's noise term with H_{T-1}"
    for arguments in case_table(
        "T k d epsilon L mu", (50, 1, 1, 1.0, 1.0, 0.5), (200, 2, 3, 1.0, 1.0, 0.5)
    ):
        t = np.arange(1, arguments["T"] + 1)
        stream = QuadraticStream(rng.normal(size=(t.size, arguments["d"])), 0.5, 2 / t)
        sigmas = 2 / t[:-1] * math.sqrt(arguments["k"] / 2)
        noisy = stream.expected_regret((), t[1:], sigmas, moving=False)
        added = noisy - stream.expected_regret((), moving=False)
        without = ctx.claim("corrected", **{**arguments, "epsilon": 1e300})
        term = float(ctx.claim("corrected", **arguments) - without)
        bound = term * float((1 / t[:-1]).sum() / (1 / t).sum())
        yield ctx.compare(
            "explicit",
            "corrected",
            added,
            arguments,
            words,
            bound=bound,
            tight=math.nan,
            relation="==",
        )
    (many,) = case_table("T k d epsilon L mu", (100, 1, 100, 50.0, 1.0, 1.0))
    box = streams.edge_box(100, 100, 1.0, 1.0, [4])
    passive = 100 * box.regret([4], [5], streams.least_noise(50.0, 1.0, 1.0, [5]))
    limit = ctx.claim("corrected", **many)
    words = "d = 100 times passive unlearning, u = 4, tau = 5"
    more = {"bound": limit, "script": "dpregret_factor"}
    yield ctx.compare("factor", "printed", passive, many, words, tight=math.nan, **more)


def check_convex(ctx: Context) -> Findings:
    """Regret of noisy descent on random walks of signs, steps D/(L' sqrt t)."""
    reason = "O() without constants; Section 2.2 and Table 2 give different orders"
    yield ctx.declare("literal", "printed", "not checkable", reason)
    for rng in ctx.draws(3, 40):
        T = int(rng.integers(2, 13))
        h = float(rng.uniform(0.1, 1))
        x = np.sign(np.cumsum(rng.normal(size=(4, T)), axis=1))
        L, D, epsilon = 2 * h, 2.0, float(rng.uniform(0.5, 4))
        loud = L * math.sqrt(1 + 1 / (2 * epsilon))
        steps = D / (loud * np.sqrt(np.arange(1, T + 1)))
        regrets = noisy_descent(x, h, steps, 1.0, L / math.sqrt(2 * epsilon))
        inputs = {"T": T, "k": 1, "d": 1, "epsilon": epsilon, "L": L, "D": D}
        yield ctx.compare("explicit", "corrected", regrets, inputs, NOISY)


CHECKS = (
    Check("olu.dpregret", evidence=check_strong, exact_side=measure)
    .measured_by(
        "online",
        "expected_regret",
        interpretations=("explicit",),
        where=("steps 1/(mu t)", "noise on gradients"),
    )
    .beside("worst signs, private"),
    Check("olu.dpregret.convex", evidence=check_convex)
    .measured_by(
        "online",
        "expected_regret",
        interpretations=("explicit",),
        where=("steps D/(L sqrt t)", "noise on gradients"),
    )
    .beside("alternating hinges, private"),
)
