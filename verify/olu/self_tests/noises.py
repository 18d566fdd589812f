"""The noise of Algorithm 1 and the least noise on means of points, and regret with almost none."""

import math
from collections.abc import Iterator

import numpy as np

from simulators.runs.online import OnlineLearning
from verify.olu.self_tests.descents import (
    ADAPTIVE,
    DIAMETER,
    MEANS,
    MU,
    MeanDescent,
    norm,
    observable_equality,
)
from verify.olu.views.noise import RequestNoise
from verify.olu.views.prescribed_noise import PrescribedNoiseRegrets
from verify.self_tests import Equality

U, TAU = (5, 12), (10, 20)
QUIET = 1e24  # an epsilon at which noise moves no regret by what is compared


def equalities() -> Iterator[Equality]:
    """Sums over the requests, steps with noise, and regret where noise is next to nothing."""
    yield from _noise_parts()
    yield from _noisy_steps()
    yield from _quiet_regrets()


def _noise_parts() -> Iterator[Equality]:
    """sum d sigma_i^2/(2 eta_{tau_i - 1}); steps 1/(mu t) = 2/t, d = 3, epsilon = 2."""
    run = OnlineLearning(**MEANS, epsilon=2.0).run()
    run.view(RequestNoise)
    L = MU * (DIAMETER / 2 + norm(run.stream.points).max())
    # Algorithm 1: sigma_i^2 = omega i^omega (eta_{u_i} L)^2/(2 (omega - 1) epsilon), omega = 1.2.
    variances = [3 * i**1.2 * (2 / u * L) ** 2 / 2 for i, u in enumerate(U, start=1)]
    part = sum(3 * v / (2 * 2 / (tau - 1)) for v, tau in zip(variances, TAU, strict=True))
    yield Equality("noise of Algorithm 1", run["paper_noise_part"].values, part, 1e-8)
    # The least noise: (2 i - 1) (L/(mu (tau_i - 1)))^2/(2 epsilon), so that L cancels.
    price = sum((2 * i - 1) / (tau - 1) for i, tau in enumerate(TAU, start=1))
    yield Equality("price of the least noise", run["least_noise_price"].values, price, 1e-8)


def _noisy_steps() -> Iterator[Equality]:
    """On R^d, as inside a large ball, (12) and (13) are equalities."""
    run = OnlineLearning(**MEANS).run()
    run.view(RequestNoise)
    step = run["noisy_squared_distance"]
    r, g, p, eta = (step.at[name] for name in ("r", "g", "p", "eta"))
    expected = r**2 + eta**2 * g**2 - 2 * eta * p
    yield Equality("squared distance with noise", step.values, expected, 1e-9)
    slope = run["noisy_slope"]
    yield Equality("slope with noise", slope.values, slope.at["step"], 1e-9)


def _quiet_regrets() -> Iterator[Equality]:
    """Regret of the descent by hand, as its noise is below 1e-10."""
    run = OnlineLearning(**MEANS, epsilon=QUIET).run()
    run.view(PrescribedNoiseRegrets)
    hand = MeanDescent(run, lambda t: 1 / (MU * t))
    moving = hand.regret(hand.in_force)
    fixed = hand.regret(hand.stars[0])
    yield from observable_equality(run, "1/(mu t)", "paper_noise_regret", moving)
    yield from observable_equality(run, "1/(mu t)", "paper_noise_fixed_regret", fixed, eta=2.0)
    L = MU * (DIAMETER / 2 + norm(run.stream.points).max())
    P = hand.moves.sum()
    # d k^2/(2 epsilon) rounds more of noise are none.
    eta = math.sqrt(DIAMETER * (DIAMETER + 2 * P) / 40) / L
    best = MeanDescent(run, lambda t: eta)
    yield from observable_equality(run, "best", "best_step_regret", best.regret(best.in_force), P=P)
    adaptive = OnlineLearning(**MEANS, epsilon=QUIET, step_size=ADAPTIVE).run()
    adaptive.view(PrescribedNoiseRegrets)
    hand = MeanDescent(adaptive, None)
    p = np.cumsum(norm(hand.learned[1]) ** 2)
    at = {"p_u": p[[4, 11]], "p_tau": p[[9, 19]], "F": hand.losses(hand.in_force).sum()}
    regret = hand.regret(hand.in_force)
    yield from observable_equality(adaptive, "adaptive", "adaptive_noisy_regret", regret, **at)
