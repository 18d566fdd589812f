"""Table 2 of olu, convex baselines: restart and retraining, played on the line."""

from collections.abc import Sequence

import numpy as np

from verify.checks import Check, Context, Findings, case_table
from verify.olu.baselines import LineLosses, chaser, inverse_root, play
from verify.olu.table_2_rows import held, schedule, unspecified


def _convex(rng: np.random.Generator, n: int, T: int) -> LineLosses:
    """Random convex losses: linear and weakly curved, signs in runs, on [-1, 1]."""
    runs = np.sign(np.cumsum(rng.normal(size=(n, T)), axis=1))
    g = runs * rng.uniform(0.5, 1, size=(n, T))
    h = rng.uniform(0, 0.3, size=(n, T)) * (rng.uniform(size=(n, 1)) < 0.5)
    return LineLosses(h, rng.uniform(-1, 1, size=(n, T)), g, 1.0)


def _played(ctx: Context, how: str) -> Findings:
    """Regrets of restart or retraining on random convex losses on [-1, 1]."""
    for rng in ctx.draws(15, 150):
        T = int(rng.integers(12, 60))
        losses = _convex(rng, 20, T)
        u, tau = schedule(rng, 2, T)
        regrets = play(losses, inverse_root(2.0, losses.lipschitz), u, tau, how)
        inputs = {"T": T, "D": 2.0, "u": u, "tau": tau, "path": _path(losses, u)}
        words = f"random convex losses on [-1, 1], {how}ed"
        yield held(ctx, regrets, losses.lipschitz, inputs, words)


def check_restart_convex(ctx: Context) -> Findings:
    """Regret of restarts on linear losses that chase the learner, and on random ones."""
    yield unspecified(ctx)
    for T, tau in ((1000, [500]), (3000, [500, 1000, 2000])):
        losses = chaser(T, tau, 1.0)
        regrets = play(losses, inverse_root(2.0, 1.0), list(range(2, 2 + len(tau))), tau, "restart")
        inputs = {"T": T, "D": 2.0, "tau": tau}
        yield held(ctx, regrets, np.ones(1), inputs, "linear losses that chase the learner")
    half = {"T": T, "L": 0.5, "D": 2.0, "tau": tau}
    words = "half the bound is too little"
    bound = ctx.claim("corrected", **half)
    yield ctx.compare(
        "explicit", "corrected", regrets, {**inputs, "L": 1.0}, words, bound=bound, role="control"
    )
    yield from _played(ctx, "restart")


def _path(losses: LineLosses, u: Sequence[int]) -> np.ndarray:
    """Length of the path of the comparators."""
    return np.asarray(np.abs(np.diff(losses.comparators(u), axis=0)).sum(axis=0))


def check_retrain_convex(ctx: Context) -> Findings:
    """Regret of a replay on linear losses that chase the learner, and on random ones."""
    yield unspecified(ctx)
    T = 2999
    losses = chaser(T, [], 1.0)
    # Removing a loss of the rarer sign leaves the comparator at its end of the interval.
    rarer = losses.g[0] == -np.sign(losses.g[0].sum())
    still = int(np.flatnonzero(rarer[: T - 1])[-1]) + 1
    regrets = play(losses, inverse_root(2.0, 1.0), [still], [still + 1], "retrain")
    (inputs,) = case_table(
        "T L D u tau path", (T, 1.0, 2.0, [still], [still + 1], float(_path(losses, [still])[0]))
    )
    instance = "linear losses that chase the learner, the last harmless one replaced"
    yield ctx.compare("explicit", "corrected", regrets, inputs, instance)
    words = "half the bound is too little"
    bound = ctx.claim("corrected", **inputs) / 2
    yield ctx.compare("explicit", "corrected", regrets, inputs, words, bound=bound, role="control")
    yield from _played(ctx, "retrain")


ROOT = "steps D/(L sqrt t)"
CHECKS = (
    Check("olu.tab2.restart_convex", evidence=check_restart_convex).measured_by(
        "online", "expected_regret", interpretations=("explicit",), where=(ROOT, "restart")
    ),
    Check("olu.tab2.retrain_convex", evidence=check_retrain_convex).measured_by(
        "online", "expected_regret", interpretations=("explicit",), where=(ROOT, "retraining")
    ),
)
