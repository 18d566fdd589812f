"""(1) to (4) of mini, on runs in exact rational numbers and on the product's own trajectories."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings
from verify.mini import deterministic
from verify.mini.problems import FixedBatches, batch_lists, line_quadratics, log_cosh, touched


def _problems(ctx: Context, steps: int) -> Iterator[tuple[str, FixedBatches]]:
    for rng in ctx.draws(15, 150):
        yield "quadratics in rational numbers", line_quadratics(rng, steps)
        yield "log cosh losses", log_cosh(rng, steps)


def check_1(ctx: Context) -> Findings:
    """The first difference at a batch that holds forgotten samples, exactly."""
    for name, problem in _problems(ctx, 6):
        w0 = problem.start
        for t in touched(problem)[:1]:
            difference = problem.step(problem.kept(t), w0) - problem.step(
                problem.batches[t - 1], w0
            )
            if difference == 0:  # rounding of the form has no relative size there
                continue
            inputs = {"eta": float(problem.eta), **batch_lists(problem, t, w0)}
            yield ctx.compare("literal", "printed", float(difference), inputs, name)
    inputs = {"eta": 0.5, "kept": [-1.0], "gone": [-3.0]}
    label = "without the share of the batch"
    options = {"bound": -1.5, "relation": "==", "role": "control"}
    yield ctx.compare("literal", "printed", -0.5, inputs, label, **options)


def check_2(ctx: Context) -> Findings:
    for name, problem in _problems(ctx, 4):
        path, t = problem.retrain(), len(problem.batches)
        kept_gradients = [float(problem.gradient(j, path[t - 1])) for j in problem.kept(t)]
        inputs = {"w": float(path[t - 1]), "eta": float(problem.eta), "kept": kept_gradients}
        yield ctx.compare("literal", "printed", float(path[t]), inputs, name)
    yield from _from_product(ctx, retrained=True)


def check_3(ctx: Context) -> Findings:
    for name, problem in _problems(ctx, 6):
        path = problem.learn()
        for t in touched(problem)[-1:]:
            inputs = {"w": float(path[t - 1]), "eta": float(problem.eta)}
            inputs |= batch_lists(problem, t, path[t - 1])
            yield ctx.compare("literal", "printed", float(path[t]), inputs, name)
    yield from _from_product(ctx, retrained=False)


def check_4(ctx: Context) -> Findings:
    """The difference after the last such batch, on the runs' own trajectories."""
    for name, problem in _problems(ctx, 6):
        path, other = problem.learn(), problem.retrain()
        for t in touched(problem)[-1:]:
            there = [float(problem.gradient(j, other[t - 1])) for j in problem.kept(t)]
            inputs = {"Dw": float(other[t - 1] - path[t - 1]), "eta": float(problem.eta)}
            inputs |= {"kept_there": there, **batch_lists(problem, t, path[t - 1])}
            if difference := float(other[t] - path[t]):
                yield ctx.compare("literal", "printed", difference, inputs, name)


def _from_product(ctx: Context, retrained: bool) -> Findings:
    """The first coordinate of `simulators.trajectory`, gradients by hand."""
    model = deterministic.model()
    training = deterministic.training()
    deletions = deterministic.FORGOTTEN if retrained else ()
    points = training.run(model, deletions, "mean").points
    signed = np.array(deterministic.ROWS) * np.array(deterministic.SIGNS)[:, None]
    for t in (1, 3, 20):
        w, rows = points[t - 1], training.batches[t - 1]
        slope = 1 / (1 + np.exp(signed @ w))
        gradients = (-slope[:, None] * signed + deterministic.RIDGE * w)[:, 0]
        kept_gradients = [float(gradients[j]) for j in rows if not retrained or j not in deletions]
        inputs: dict[str, Any] = {
            "w": float(w[0]),
            "eta": deterministic.ETA,
            "kept": kept_gradients,
        }
        if not retrained:
            inputs |= {"kept": kept_gradients[:-1], "gone": kept_gradients[-1:]}
        coordinate = float(points[t, 0])
        label = f"step {t} of the product's ridge-logistic run"
        yield ctx.compare("literal", "printed", coordinate, inputs, label)
    if retrained:
        bound = -deterministic.ETA * sum(-0.5 * signed[j, 0] for j in (1, 2)) / 3
        label = "the sum over B, not B - dB"
        options = {"relation": "==", "role": "control"}
        coordinate = float(points[1, 0])
        yield ctx.compare(
            "literal", "printed", coordinate, {"step": 1}, label, bound=bound, **options
        )


CHECKS = (
    Check("mini.eq1", evidence=check_1),
    Check("mini.eq2", evidence=check_2),
    Check("mini.eq3", evidence=check_3),
    Check("mini.eq4", evidence=check_4),
)
