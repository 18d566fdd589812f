"""Single rounds of SAFE: directions, gradients, least noise, and projected descent, by hand."""

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from simulators.streaming.ogd import normalised_descent, tuned_step
from verify.oracles import Equality
from verify.safe.self_tests.publication_runs import (
    MU,
    ROUNDS,
    quiet_run,
    risk,
    rows_left,
    rows_of,
    slope,
)
from verify.safe.self_tests.published_models import delta_of, one_step_models
from verify.safe.views.descent import ProjectedDescent
from verify.safe.views.directions import RoundDirections
from verify.safe.views.gradients import Gradients
from verify.safe.views.noise import LeastNoise


def equalities() -> Iterator[Equality]:
    """The views of rounds on a small run, and projected descent on its own."""
    yield from _directions()
    yield from _retention()
    yield from _objective()
    yield from _noise()
    yield from _descent()
    yield from _on_the_stream()


def _directions() -> Iterator[Equality]:
    run = quiet_run()
    run.view(RoundDirections)
    (x, y), optima = rows_of(run), run.problem.optimal[:, 0]
    left = rows_left(run)
    models, units = one_step_models(run)
    gamma, U = run.constants["gamma"], run.constants["U"]
    turns = [b - a for a, b in pairwise(units)]
    squares = [gamma**2 * (v * v).sum() for v in turns]
    yield Equality("turns", run["turn"].values, squares, 1e-7)
    errors, gaps = [], []
    for t, w in enumerate(models, start=1):
        rows = left[t]
        errors.append(risk(w, x[rows], y[rows]) - risk(optima[t], x[rows], y[rows]))
        gaps.append(w - optima[t])
    yield Equality("errors of rounds", run["round_regret"].values, errors, 1e-7)
    away = [np.linalg.norm(w - optima[0]) for w in optima[1:]]
    yield Equality("distances from the start", run["round_regret"].at["D"], away)
    turned = run["turned_error"]
    yield Equality("errors before a turn", turned.values, errors[:-1], 1e-7)
    products = [float((v * gap).sum()) for v, gap in zip(turns, gaps, strict=False)]
    yield Equality("products", turned.at["printed"], [U * abs(p) for p in products], 1e-7)
    lengths = [U * np.linalg.norm(gap) for gap in gaps[:-1]]
    yield Equality("lengths", turned.at["corrected"], lengths, 1e-7)
    yield Equality("sum of products", run["turned_regret"].values, U * sum(products), 1e-7)


def _retention() -> Iterator[Equality]:
    run = quiet_run()
    run.view(Gradients)
    (x, y), start = rows_of(run), run.problem.optimal[0, 0]
    before, after = rows_left(run)[-2:]
    length = run["retention_gradient"]
    g = slope(start, x[after], y[after])
    size = float(np.linalg.norm(g))
    yield Equality("gradient of what is left", length.values, size)
    along = float((slope(start, x[before], y[before]) * g).sum()) / size
    yield Equality("the one before, along it", length.at["G"], along, 1e-9)
    rows = np.flatnonzero(before & ~after)
    each = [float((slope(start, x[[i]], y[[i]]) * g).sum()) / size for i in rows]
    yield Equality("those of single rows", length.at["gradients"], each, 1e-9)
    yield Equality("rows before", length.at["n"], before.sum())


def _objective() -> Iterator[Equality]:
    """Without the forgetting term the objective is the mean loss; with it, SAFE's own gradient."""
    run = quiet_run()
    run.view(Gradients)
    (x, y), start = rows_of(run), run.problem.optimal[0, 0]
    rows = rows_left(run)[-1]
    size = float(np.linalg.norm(slope(start, x[rows], y[rows])))
    objective = run["objective_gradient"]
    yield Equality("gradient of the objective", objective.values, size, 1e-8)
    yield Equality("SAFE's beside it", objective.at["printed"], size, 1e-7)

    weighted = quiet_run(weight=1.0)
    weighted.view(Gradients)
    objective, forgetting = (weighted[f"{n}_gradient"] for n in ("objective", "forgetting"))
    yield Equality("a weighted objective", objective.at["corrected"], objective.values, 1e-7)
    yield Equality("its forgetting part", forgetting.at["corrected"], forgetting.values, 1e-7)
    # q of the round in which a row left is another one, but for the rows of the last round.
    apart = [o.at["printed"] > o.values * (1 + 1e-6) for o in (objective, forgetting)]
    yield Equality("as printed they differ", apart, [1, 1])


def _noise() -> Iterator[Equality]:
    run = quiet_run()
    run.view(LeastNoise)
    optima = run.problem.optimal[:, 0]
    models, _ = one_step_models(run)
    far = [np.linalg.norm(w - b) for w, b in zip(models, optima[1:], strict=True)]
    sigma = run["least_sigma"]
    pairs = zip(far, sigma.values, strict=True)
    deltas = [delta_of(float(d / s), 1.0) for d, s in pairs]
    yield Equality("least noise of a round", deltas, [1e-5] * ROUNDS, 1e-6)
    joint = run["joint_delta"]
    yield Equality("noise of each for itself", joint.at["sigma"], sigma.values[0], 1e-9)
    expected = delta_of(math.sqrt(ROUNDS) * float(far[0]) / joint.at["sigma"], 1.0)
    yield Equality("delta of all together", joint.values, expected, 1e-6)
    least = run["least_variance"]
    pairs = zip(least.at["epsilon"], least.values, strict=True)
    deltas = [delta_of(float(max(far)) / math.sqrt(v), e) for e, v in pairs]
    yield Equality("least variances", deltas, [1e-5] * 3, 1e-6)


def _descent() -> Iterator[Equality]:
    goals = np.array([[0.9, 0.0], [0.0, 0.7], [-0.5, 0.5], [0.3, -0.9]])
    u, path = np.array([0.1, 0.2]), [np.array([0.1, 0.2])]
    for goal in goals:
        u = u - 0.4 * (u - goal) / np.linalg.norm(u - goal)
        u = u / max(1.0, float(np.linalg.norm(u)) / 0.5)
        path.append(u)
    points = normalised_descent(
        lambda t, points: 3.0 * (points - goals[t - 1]), [[0.1, 0.2]], 4, step=0.4, radius=0.5
    )
    yield Equality("projected descent", points[0], path)
    yield Equality("its best step", tuned_step(0.5, 2.0, 4), math.sqrt(4 * 0.5 * 2.5 / 4))


def _on_the_stream() -> Iterator[Equality]:
    run = quiet_run()
    run.view(ProjectedDescent)
    (x, y), optima, k = rows_of(run), run.problem.optimal[:, 0], run.constants
    moves = [float(np.linalg.norm(b - a)) for a, b in pairwise(optima)]
    tuned = math.sqrt(4 * k["W"] * (k["W"] + sum(moves)) / ROUNDS)
    for name, step in (("descent_regret", k["gamma"]), ("tuned_descent_regret", tuned)):
        u, total = optima[0], 0.0
        for rows, best in zip(rows_left(run)[1:], optima[1:], strict=True):
            total += risk(u, x[rows], y[rows]) - risk(best, x[rows], y[rows])
            g = slope(u, x[rows], y[rows])
            u = u - step * g / np.linalg.norm(g)
            u = u * min(1.0, k["W"] / np.linalg.norm(u))
        regret = run[name]
        yield Equality(name, regret.values, total, 1e-7)
        yield Equality(f"{name}, its step", regret.at["gamma"], step)
        yield Equality(f"{name}, the path", regret.at["v"], moves)
        yield Equality(f"{name}, the slope", regret.at["U"], k["L_h"] + MU * k["W"])
