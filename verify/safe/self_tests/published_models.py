"""What SAFE and tracking publish, with which noise, and what is measured of it; by hand."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.special import ndtr

from simulators.runs.publication_run import PublicationRun
from simulators.runs.publications import SafePublications, TrackingPublications
from simulators.runs.stream_curves import path_length, regret_order
from simulators.runs.stream_methods import printed_deviation
from verify.safe.self_tests.publication_runs import (
    MU,
    SMALL,
    Array,
    LabelledRows,
    all_rows,
    made_run,
    masks,
    quiet_run,
    rows_after,
)
from verify.self_tests import Equality

STEPS = 5


def equalities() -> Iterator[Equality]:
    """SAFE with and without noise; tracking; the curve of a noisy run."""
    yield from _safe()
    yield from _noisy()
    yield from _tracking()
    run = made_run(SafePublications(**{**SMALL, "trials": 2}, releases=3, variant="printed"))
    yield from _measured(run)
    yield from _certified(run)
    yield from _path(run)


def delta_of(mu: float, epsilon: float) -> float:
    """delta of two Gaussians at distance mu."""
    far = math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
    return float(ndtr(mu / 2 - epsilon / mu) - far)


def at_target(what: str, mus: Any, epsilons: Any, room: float) -> Equality:
    """Gaussians at these distances have delta = 1e-5 at these epsilons."""
    pairs = np.broadcast(mus, epsilons)
    deltas = [delta_of(float(mu), float(epsilon)) for mu, epsilon in pairs]
    return Equality(what, deltas, [1e-5] * len(deltas), room)


def one_step_models(run: PublicationRun) -> tuple[list[Array], list[Array]]:
    """w_0 - gamma g/|g| of every round, g the gradient of R_t at w_0, and the directions."""
    start = run.problem.optimal[0, 0]
    gamma = run.problem.stream.gamma
    slopes = [rows.slope(start) for rows in rows_after(run)[1:]]
    units = [g / np.linalg.norm(g) for g in slopes]
    return [start - gamma * g for g in units], units


def _noise(run: PublicationRun, trial: int) -> Array:
    """What a trial's publications add (T, d, classes)."""
    key = np.random.SeedSequence(run.experiment.seed, spawn_key=(0, trial, 5))
    random = np.random.Generator(np.random.SFC64(key))
    shape = (run.problem.rounds, *run.problem.optimal.shape[2:])
    scales = run.published.sigma[:, None, None]
    return np.asarray(scales * random.standard_normal(shape))


def _step_errors(run: PublicationRun) -> list[float]:
    """2 L_h M_t/(mu n) + gamma of every round: rows of norm 1 have L_h = sqrt 2."""
    n = len(run.problem.train)
    gamma = run.problem.stream.gamma
    removed = [int((~mask).sum()) for mask in masks(run)[1:]]
    return [2 * math.sqrt(2) * m / (MU * n) + gamma for m in removed]


def _safe() -> Iterator[Equality]:
    run = quiet_run()
    models, _ = one_step_models(run)
    yield Equality("SAFE without noise", run.weights[:, 0], models, 1e-8)
    yield Equality("no noise", run.published.sigma, np.zeros(len(models)))
    yield Equality("distance certified", run.published.errors, _step_errors(run))
    rows = [len(after.y) for after in rows_after(run)]
    leaving = [before - after for before, after in pairwise(rows)]
    # Eq 15 looks at what leaves; eq 25 at all that has left.
    evaluated = [m + sum(leaving[: t + 1]) for t, m in enumerate(leaving)]
    yield Equality("gradients evaluated", run.published.gradients, evaluated)


def _noisy() -> Iterator[Equality]:
    phi = 3.0 * math.sqrt(2 * math.log(1.25 / 1e-3)) / 0.7
    yield Equality("printed noise", printed_deviation(3.0, 0.7, 1e-3), math.sqrt(phi))
    models, _ = one_step_models(quiet_run())
    for variant in ("printed", "corrected"):
        run = made_run(SafePublications(**SMALL, weight=0.0, variant=variant))
        sigma = run.published.sigma
        if variant == "printed":
            phi = run.problem.stream.radius * math.sqrt(2 * math.log(1.25e5))
            yield Equality("the noise as printed", sigma, [math.sqrt(phi)] * len(sigma))
        else:
            yield at_target("the least noise", _step_errors(run) / sigma, 1.0, 1e-8)
        published = models - _noise(run, 0)
        yield Equality(f"SAFE with noise, {variant}", run.weights[:, 0], published, 1e-8)


def _tracking() -> Iterator[Equality]:
    run = made_run(TrackingPublications(**{**SMALL, "trials": 2}, steps=STEPS))
    rows, u = rows_after(run), run.problem.optimal[0, 0]
    eta = 2 / (MU + 0.5 + MU)
    models = []
    for after in rows[1:]:
        for _ in range(STEPS):
            u = u - eta * after.slope(u)
        models.append(u)
    yield Equality("tracking", run.weights[:, 0], models + _noise(run, 0), 1e-8)

    error, errors, rho = 0.0, [], run.constants["rho"]
    for v in run.constants["v"]:
        error = rho**STEPS * (error + v)
        errors.append(error)
    yield Equality("its distance certified", run.published.errors, errors)
    # Its own errors begin at what the first minimiser was solved to.
    yield at_target("its least noise", errors / run.published.sigma, 1.0, 1e-4)
    evaluated = [STEPS * len(after.y) for after in rows[1:]]
    yield Equality("its gradients", run.published.gradients, evaluated)


def _accuracy(rows: LabelledRows, w: Array) -> float:
    """Share of the rows whose largest score is their own class's."""
    pairs = zip(rows.x, rows.y, strict=True)
    return float(np.mean([int(np.argmax(row @ w)) == label for row, label in pairs]))


def _of_a_model(run: PublicationRun, t: int, trial: int) -> Sequence[float]:
    """Excess risk, accuracies on what is kept, forgotten and held out, and distance."""
    w = run.weights[t - 1, trial]
    best = run.problem.optimal[t, trial]
    rows, mask = all_rows(run), masks(run, trial)[t]
    test = LabelledRows(run.problem.test.features, run.problem.test.targets)
    return (
        rows.only(mask).risk(w) - rows.only(mask).risk(best),
        _accuracy(rows.only(mask), w),
        _accuracy(rows.only(~mask), w),
        _accuracy(test, w),
        float(np.linalg.norm(w - best)),
    )


def _measured(run: PublicationRun) -> Iterator[Equality]:
    curve = run.curve
    rows = []
    for t in range(1, run.problem.rounds + 1):
        both = [_of_a_model(run, t, trial) for trial in (0, 1)]
        rows.append(np.mean(both, axis=0))
    excess, *others = np.array(rows).T
    yield Equality("regret so far", curve.regret, np.cumsum(excess), 1e-8)
    columns = curve.kept, curve.forgotten, curve.test, curve.distance
    yield Equality("accuracies and distance", columns, others)
    yield Equality("gradients so far", curve.gradients, np.cumsum(run.published.gradients))


def _certified(run: PublicationRun) -> Iterator[Equality]:
    mus = run.published.errors / run.curve.sigma
    three = math.sqrt(3) * mus
    yield at_target("certified epsilon, of three releases", three, run.curve.epsilon, 1e-6)
    joint = math.sqrt((mus**2).sum())
    yield at_target("certified epsilon of all", joint, run.curve.joint, 1e-6)


def _path(run: PublicationRun) -> Iterator[Equality]:
    steps = []
    for before, after in pairwise(run.problem.optimal):
        lengths = [np.linalg.norm(b - a) for a, b in zip(before, after, strict=True)]
        steps.append(np.mean(lengths))
    path = np.cumsum(steps)
    yield Equality("path length so far", path_length(run.problem), path)
    orders = [math.sqrt(t) + v for t, v in enumerate(path, start=1)]
    yield Equality("the printed order", regret_order(path_length(run.problem)), orders)
