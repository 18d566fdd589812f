"""Single rounds of SAFE: directions, gradients, least noise, and projected descent, by hand."""

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from simulators.streaming.ogd import normalised_descent, tuned_step
from verify.safe.self_tests.publication_runs import (
    MU,
    ROUNDS,
    Array,
    all_rows,
    masks,
    quiet_run,
    rows_after,
)
from verify.safe.self_tests.published_models import at_target, delta_of, one_step_models
from verify.safe.views.descent import ProjectedDescent
from verify.safe.views.directions import RoundDirections
from verify.safe.views.gradients import Gradients
from verify.safe.views.noise import LeastNoise
from verify.self_tests import Equality


def equalities() -> Iterator[Equality]:
    """The views of rounds on a small run, and projected descent on its own."""
    yield from _errors()
    yield from _turns()
    yield from _retention()
    yield from _objective()
    yield from _noise()
    yield from _descent()
    yield from _on_the_stream()


def _gaps() -> list[Array]:
    """w_t - w_t* of every round."""
    models, _ = one_step_models(quiet_run())
    optima = quiet_run().problem.optimal[1:, 0]
    return [w - best for w, best in zip(models, optima, strict=True)]


def _errors() -> Iterator[Equality]:
    run = quiet_run()
    run.view(RoundDirections)
    optima = run.problem.optimal[:, 0]
    models, _ = one_step_models(run)
    errors = []
    for w, best, rows in zip(models, optima[1:], rows_after(run)[1:], strict=True):
        errors.append(rows.risk(w) - rows.risk(best))
    rounds, turned = run["round_regret"], run["turned_error"]
    yield Equality("errors of rounds", rounds.values, errors, 1e-7)
    away = [np.linalg.norm(w - optima[0]) for w in optima[1:]]
    yield Equality("distances from the start", rounds.at["D"], away)
    yield Equality("errors before a turn", turned.values, errors[:-1], 1e-7)


def _turns() -> Iterator[Equality]:
    run = quiet_run()
    run.view(RoundDirections)
    _, units = one_step_models(run)
    gamma, U = run.constants["gamma"], run.constants["U"]
    turns = [b - a for a, b in pairwise(units)]
    squares = [gamma**2 * (v * v).sum() for v in turns]
    yield Equality("turns", run["turn"].values, squares, 1e-7)
    gaps = _gaps()[:-1]
    products = [float((v * gap).sum()) for v, gap in zip(turns, gaps, strict=True)]
    sides = run["turned_error"].at
    yield Equality("products", sides["printed"], [U * abs(p) for p in products], 1e-7)
    lengths = [U * np.linalg.norm(gap) for gap in gaps]
    yield Equality("lengths", sides["corrected"], lengths, 1e-7)
    yield Equality("sum of products", run["turned_regret"].values, U * sum(products), 1e-7)


def _retention() -> Iterator[Equality]:
    run = quiet_run()
    run.view(Gradients)
    rows, start = all_rows(run), run.problem.optimal[0, 0]
    before, after = masks(run)[-2:]
    result = run["retention_gradient"]
    g = rows.only(after).slope(start)
    size = float(np.linalg.norm(g))
    yield Equality("gradient of what is left", result.values, size)
    along = float((rows.only(before).slope(start) * g).sum()) / size
    yield Equality("the one before, along it", result.at["G"], along, 1e-9)
    slopes = [rows.only([i]).slope(start) for i in np.flatnonzero(before & ~after)]
    each = [float((slope * g).sum()) / size for slope in slopes]
    yield Equality("those of single rows", result.at["gradients"], each, 1e-9)
    yield Equality("rows before", result.at["n"], before.sum())


def _objective() -> Iterator[Equality]:
    """Without the forgetting term the objective is the mean loss; with it, SAFE's own gradient."""
    run = quiet_run()
    run.view(Gradients)
    size = float(np.linalg.norm(rows_after(run)[-1].slope(run.problem.optimal[0, 0])))
    objective = run["objective_gradient"]
    yield Equality("gradient of the objective", objective.values, size, 1e-8)
    yield Equality("SAFE's beside it", objective.at["printed"], size, 1e-7)

    weighted = quiet_run(weight=1.0)
    weighted.view(Gradients)
    for name in ("objective_gradient", "forgetting_gradient"):
        result = weighted[name]
        yield Equality(f"{name}, weighted", result.at["corrected"], result.values, 1e-7)
        # The printed one takes moments, or q, of another round.
        apart = result.at["printed"] > result.values * (1 + 1e-6)
        yield Equality(f"{name}, as printed another", apart, 1)


def _noise() -> Iterator[Equality]:
    run = quiet_run()
    run.view(LeastNoise)
    far = np.array([np.linalg.norm(gap) for gap in _gaps()])
    sigma, joint, least = (run[n] for n in ("least_sigma", "joint_delta", "least_variance"))
    yield at_target("least noise of a round", far / sigma.values, 1.0, 1e-6)
    yield Equality("noise of each for itself", joint.at["sigma"], sigma.values[0], 1e-9)
    together = math.sqrt(ROUNDS) * float(far[0]) / joint.at["sigma"]
    yield Equality("delta of all together", joint.values, delta_of(together, 1.0), 1e-6)
    mus = far.max() / np.sqrt(least.values)
    yield at_target("least variances", mus, least.at["epsilon"], 1e-6)


def _descent() -> Iterator[Equality]:
    goals = np.array([[0.9, 0.0], [0.0, 0.7], [-0.5, 0.5], [0.3, -0.9]])
    u = np.array([0.1, 0.2])
    path = [u]
    for goal in goals:
        u = u - 0.4 * (u - goal) / np.linalg.norm(u - goal)
        u = u / max(1.0, float(np.linalg.norm(u)) / 0.5)
        path.append(u)

    def gradient(t: int, points: Array) -> Array:
        return np.asarray(3.0 * (points - goals[t - 1]))

    points = normalised_descent(gradient, [[0.1, 0.2]], 4, step=0.4, radius=0.5)
    yield Equality("projected descent", points[0], path)
    yield Equality("its best step", tuned_step(0.5, 2.0, 4), math.sqrt(4 * 0.5 * 2.5 / 4))


def _on_the_stream() -> Iterator[Equality]:
    run = quiet_run()
    run.view(ProjectedDescent)
    optima, k = run.problem.optimal[:, 0], run.constants
    moves = [float(np.linalg.norm(b - a)) for a, b in pairwise(optima)]
    tuned = math.sqrt(4 * k["W"] * (k["W"] + sum(moves)) / ROUNDS)
    for name, step in (("descent_regret", k["gamma"]), ("tuned_descent_regret", tuned)):
        u, total = optima[0], 0.0
        for rows, best in zip(rows_after(run)[1:], optima[1:], strict=True):
            total += rows.risk(u) - rows.risk(best)
            g = rows.slope(u)
            u = u - step * g / np.linalg.norm(g)
            u = u * min(1.0, k["W"] / np.linalg.norm(u))
        regret = run[name]
        yield Equality(name, regret.values, total, 1e-7)
        yield Equality(f"{name}, its step", regret.at["gamma"], step)
        yield Equality(f"{name}, the path", regret.at["v"], moves)
        yield Equality(f"{name}, the slope", regret.at["U"], k["L_h"] + MU * k["W"])
