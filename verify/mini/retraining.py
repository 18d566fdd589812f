"""The Retraining baseline of mini: the run of (2), what it tends to, and what it is not."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.small_runs import random_run

CLAIM = Claim(
    id="mini.base.retrain",
    label="Traditional Retraining (Section 5.1)",
    kind="claim",
    statement="Remove the unlearned samples and retrain from the beginning with the same "
    "initialisation and hyper-parameters: equation (2).",
    readings=(
        Reading(
            "literal", "the batches of learning without D_U, the mean of what they keep",
            ("printed",), proofs={"printed": "the definition; quadratics have a closed form"},
        ),
        Reading(
            "optimum", "whole batches, many steps: the minimiser over the retained samples",
            ("printed",), proofs={"printed": "contraction with r < 1 of a strongly convex loss"},
        ),
        Reading("independent", "the law of SGD on D_R alone, batches of B samples", ("printed",)),
    ),
    natural=Natural(
        "s", tuple(float(s) for s in range(41)),
        {"eta": 0.1, "a": 1.0, "start": 3.0, "centre": 1.0}, log_y=False,
    ),
    quantity="retrained iterate",
    correction="(2) couples retraining to learning; kept batches have B - dB_l samples, not B, so "
    "that a step's noise has another variance than SGD on D_R.",
)  # fmt: skip


def measure(eta: float, s: float, a: float, start: float, centre: float) -> float:
    """The simulators' retraining of two samples, one of them forgotten, on whole batches."""
    from simulators.data.dataset import Dataset
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


def check(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.newton import minimiser

    rng = ctx.rng()
    for _ in range(ctx.pick(20, 200)):
        a = float(rng.exponential() + 0.05)
        inputs = {
            "eta": float(rng.uniform(0.05, 1)) / a, "s": int(rng.integers(0, 30)), "a": a,
            "start": float(rng.normal()), "centre": float(rng.normal() + 3),
        }  # fmt: skip
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs, "two quadratics, one forgotten",
            relation="==",
        )  # fmt: skip
    for _ in range(ctx.pick(5, 50)):
        run, gone = random_run(rng)
        model, training = run.subject()
        own = run.path(gone)[-1]
        yield ctx.compare(
            "literal", "printed", training.run(model, gone, "mean").last, {"p": 3},
            "random batches in three dimensions, some of them hit", bound=own, tight=own,
            relation="==", tolerance=1e-8,
        )  # fmt: skip
        rows = np.array([i for i in range(len(run.X)) if i not in gone])
        limit = minimiser(model, rows)
        whole = np.linalg.solve(run.hessian(rows), run.X[rows].T @ run.y[rows] / len(rows))
        step, w = 1 / np.linalg.eigvalsh(run.hessian(rows))[-1], run.start
        for _ in range(5000):
            w = w - step * run.gradient(w, rows)
        for found in (limit, w):
            yield ctx.compare(
                "optimum", "printed", found, {"p": 3},
                "gradient descent and Newton's method against the normal equations", bound=whole,
                tight=whole, relation="==", tolerance=1e-7,
            )  # fmt: skip
    x, forgotten, B = [Fraction(v) for v in (0, 1, 3, 8)], {3}, 2
    kept = [[i for i in rows if i not in forgotten] for rows in combinations(range(4), B)]
    alone = [list(rows) for rows in combinations(range(3), B)]
    own_law = float(variance_of_a_step(x, alone))
    yield ctx.compare(
        "independent", "printed", float(variance_of_a_step(x, kept)), {"B": B},
        "variance of one step, all batches in rational numbers", bound=own_law, tight=own_law,
        relation="==", script="base_retrain",
    )  # fmt: skip
