"""The Retraining baseline of mini: the run of (2), what it tends to, and what it is not."""

from fractions import Fraction
from itertools import combinations

import numpy as np

from simulators.data.dataset import Dataset
from verify.checks import Check, Context, Findings, Instances
from verify.mini.small_runs import random_run


def measure(eta: float, s: float, a: float, start: float, centre: float) -> float:
    """The simulators' retraining of two samples, one of them forgotten, on whole batches."""
    from simulators.losses.ridge import Ridge
    from simulators.trajectory.linear_score import LinearScore
    from simulators.trajectory.training import Training

    if s == 0:
        return start
    root = np.sqrt(a)
    data = Dataset(np.full((2, 1), root), root * np.array([centre, centre + 5.0]))
    training = Training((np.arange(2),) * int(s), np.full(int(s), eta), np.array([start]))
    return float(training.run(LinearScore(Ridge(), data), [1], "mean").last[0])


def variance_of_a_step(x: list[Fraction], batches: list[list[int]]) -> Fraction:
    """Of the mean over a batch, each batch as likely."""
    ends = [sum((x[i] for i in rows), Fraction(0)) / len(rows) for rows in batches]
    mean = sum(ends, Fraction(0)) / len(ends)
    return sum(((end - mean) ** 2 for end in ends), Fraction(0)) / len(ends)


def check(ctx: Context) -> Findings:
    """The library's retraining against a run step by step, and its limit three ways.

    The variance of a step differs from that of batches drawn from the kept alone.
    """
    from simulators.trajectory.newton import minimiser

    rng = ctx.rng(1)
    at = {"p": 3}
    for _ in range(ctx.pick(5, 50)):
        run, deletions = random_run(rng)
        model, training = run.subject()
        own = run.path(deletions)[-1]
        measurement = training.run(model, deletions, "mean").last
        label = "random batches in three dimensions, some of them hit"
        options = {"bound": own, "tight": own, "relation": "==", "tolerance": 1e-8}
        yield ctx.compare("literal", "printed", measurement, at, label, **options)
        kept_rows = np.array([i for i in range(len(run.X)) if i not in deletions])
        whole = np.linalg.solve(
            run.hessian(kept_rows), run.X[kept_rows].T @ run.y[kept_rows] / len(kept_rows)
        )
        step = 1 / np.linalg.eigvalsh(run.hessian(kept_rows))[-1]
        w = run.start
        for _ in range(5000):
            w = w - step * run.gradient(w, kept_rows)
        label = "gradient descent and Newton's method against the normal equations"
        options = {"bound": whole, "tight": whole, "relation": "==", "tolerance": 1e-7}
        for measurement in (minimiser(model, kept_rows), w):
            yield ctx.compare("optimum", "printed", measurement, at, label, **options)
    x = [Fraction(v) for v in (0, 1, 3, 8)]
    forgotten = {3}
    B = 2
    kept_batches = [[i for i in batch if i not in forgotten] for batch in combinations(range(4), B)]
    alone = [list(batch) for batch in combinations(range(3), B)]
    own, measurement = (float(variance_of_a_step(x, batches)) for batches in (alone, kept_batches))
    label = "variance of one step, all batches in rational numbers"
    options = {"bound": own, "tight": own, "relation": "==", "script": "base_retrain"}
    yield ctx.compare("independent", "printed", measurement, {"B": B}, label, **options)


WITHIN = {"eta": (0.01, 20), "a": (0.05, 5), "s": (0, 30), "start": (-2, 2), "centre": (1, 5)}
LINE = Instances(
    "two quadratics, one forgotten",
    draws=(20, 200),
    within=WITHIN,
    interpretations=("literal",),
    relations={"printed": "=="},
)
CHECKS = (Check("mini.base.retrain", evidence=check, exact_side=measure, at=(LINE,)),)
