"""Table 2 of olu, strongly convex baselines: restart and retraining, played on the line."""

import math
from collections.abc import Sequence

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.olu import streams
from verify.olu.baselines import LineLosses, inverse_time, play
from verify.olu.equation_11_15 import follower
from verify.olu.table_2_rows import held, schedule, unspecified


def measure_restart(T: float, L: float, mu: float, tau: Sequence[float]) -> float:
    """Regret against each block's best point, blocks of quadratics that follow the learner."""
    ends = [0, *(int(t) for t in tau), int(T)]
    lengths = np.diff(ends)
    return sum(follower(int(n), L, mu).expected_regret() for n in lengths if n)


def _strong(rng: np.random.Generator, n: int, T: int) -> tuple[LineLosses, float, float]:
    """Random strongly convex losses with minima anywhere in twice the interval; mu, beta/mu."""
    mu = float(rng.uniform(0.3, 2))
    ratio = float(rng.uniform(1, 4))
    radius = 1.0
    x = rng.uniform(-2, 2, size=(n, T))
    x = np.where(rng.uniform(size=(n, 1)) < 0.5, np.sign(x), x)
    curvature = mu * rng.uniform(1, ratio, size=(n, T))
    return LineLosses(curvature, x, np.zeros((n, T)), radius), mu, ratio


def _played(ctx: Context, how: str, count: int) -> Findings:
    """Regrets of restart or retraining on random quadratics on [-1, 1]."""
    rng = ctx.rng()
    for _ in range(count):
        T = int(rng.integers(12, 60))
        losses, mu, ratio = _strong(rng, 20, T)
        u, tau = schedule(rng, math.ceil(0.5 + ratio), T)
        regrets = play(losses, inverse_time(mu), u, tau, how)
        inputs = {"T": T, "D": 2.0, "mu": mu, "tau": tau, "u": u}
        words = f"random quadratics on [-1, 1], {how}ed"
        yield held(ctx, regrets, losses.lipschitz, inputs, words)


def check_restart(ctx: Context) -> Findings:
    yield unspecified(ctx)
    yield from _played(ctx, "restart", ctx.pick(10, 150))
    words = "restarting beats the printed bound of passive unlearning without its noise"
    yield from streams.restarts(ctx, "factor", words, "tab2_factor")


def check_retrain(ctx: Context) -> Findings:
    """Regret of replaying a stream of points far out, and of random quadratics."""
    yield unspecified(ctx)
    T, far = 2000, 9.0
    signs = np.where(np.arange(T) % 2, far, -far)[None, :]
    steep = LineLosses(np.ones((1, T)), signs, np.zeros((1, T)), 1.0)
    regrets = play(steep, inverse_time(1.0), [1000], [1001], "retrain")
    inputs = {"T": T, "L": 1 + far, "D": 2.0, "mu": 1.0, "tau": [1001]}
    words = "points far out on alternating sides, replayed"
    yield ctx.compare("explicit", "corrected", regrets, inputs, words)
    words = "0.45 of the bound is too little"
    bound = 0.45 * ctx.claim("corrected", **inputs)
    yield ctx.compare("explicit", "corrected", regrets, inputs, words, bound=bound, role="control")
    yield from _played(ctx, "retrain", ctx.pick(15, 150))


FOLLOWED = Instances(
    "losses that follow the learner, in each block",
    case_table(
        "T L mu tau",
        (1000, 1.5, 0.7, [500]),
        (400, 1.5, 0.7, [10, 100, 300]),
        (200, 1.5, 0.7, list(range(20, 200, 20))),
    ),
    interpretations=("explicit",),
    relations={"corrected": "=="},
)
CHECKS = (
    Check("olu.tab2", check_restart, measure_restart, (FOLLOWED,)).measured_by(
        "online",
        "expected_regret",
        interpretations=("explicit",),
        where=("steps 1/(mu t)", "restart"),
    ),
    Check("olu.tab2.retrain", evidence=check_retrain).measured_by(
        "online",
        "expected_regret",
        interpretations=("explicit",),
        where=("steps 1/(mu t)", "retraining"),
    ),
)
