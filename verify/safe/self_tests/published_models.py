"""What SAFE and tracking publish, with which noise, and what is measured of it; by hand."""

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from scipy.special import ndtr

from simulators.experiments.publication_run import PublicationRun
from simulators.experiments.publications import SafePublications, TrackingPublications
from simulators.experiments.stream_curves import path_length, regret_order
from simulators.experiments.stream_methods import printed_deviation
from verify.oracles import Equality
from verify.safe.self_tests.publication_runs import (
    MU,
    SMALL,
    Array,
    quiet_run,
    risk,
    rows_left,
    rows_of,
    slope,
)

STEPS = 5


def equalities() -> Iterator[Equality]:
    """SAFE with and without noise; tracking; the curve of a noisy run."""
    yield from _safe()
    yield from _tracking()
    yield from _curve()


def delta_of(mu: float, epsilon: float) -> float:
    """delta of two Gaussians at distance mu."""
    far = math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
    return float(ndtr(mu / 2 - epsilon / mu) - far)


def _noise(run: PublicationRun, trial: int) -> Array:
    """What a trial's publications add per sigma (T, d, classes)."""
    key = np.random.SeedSequence(run.experiment.seed, spawn_key=(0, trial, 5))
    random = np.random.Generator(np.random.SFC64(key))
    return random.standard_normal((run.problem.rounds, *run.problem.optimal.shape[2:]))


def one_step_models(run: PublicationRun) -> tuple[list[Array], list[Array]]:
    """w_0 - gamma g/|g| of every round, g the gradient of R_t at w_0, and the directions."""
    (x, y), start = rows_of(run), run.problem.optimal[0, 0]
    units = []
    for left in rows_left(run)[1:]:
        g = slope(start, x[left], y[left])
        units.append(g / np.linalg.norm(g))
    return [start - run.problem.stream.gamma * g for g in units], units


def _safe() -> Iterator[Equality]:
    quiet = quiet_run()
    models, _ = one_step_models(quiet)
    yield Equality("SAFE without noise", quiet.weights[:, 0], models, 1e-8)
    yield Equality("no noise", quiet.published.sigma, np.zeros(len(models)))
    n, sizes = len(quiet.problem.train), quiet.problem.stream.sizes
    far = [2 * math.sqrt(2) * m / (MU * n) for m in np.cumsum(sizes)]
    errors = [d + quiet.problem.stream.gamma for d in far]
    yield Equality("distance certified", quiet.published.errors, errors)

    phi = 3.0 * math.sqrt(2 * math.log(1.25 / 1e-3)) / 0.7
    yield Equality("printed noise", printed_deviation(3.0, 0.7, 1e-3), math.sqrt(phi))
    for variant in ("printed", "corrected"):
        run = SafePublications(**SMALL, weight=0.0, variant=variant).run()
        assert isinstance(run, PublicationRun)
        sigma = run.published.sigma
        if variant == "printed":
            phi = run.problem.stream.radius * math.sqrt(2 * math.log(1.25e5))
            yield Equality("the noise as printed", sigma, [math.sqrt(phi)] * len(sigma))
        else:
            deltas = [delta_of(d / s, 1.0) for d, s in zip(errors, sigma, strict=True)]
            yield Equality("the least noise", deltas, [1e-5] * len(sigma), 1e-8)
        published = models - sigma[:, None, None] * _noise(run, 0)
        yield Equality(f"SAFE with noise, {variant}", run.weights[:, 0], published, 1e-8)


def _tracking() -> Iterator[Equality]:
    run = TrackingPublications(**{**SMALL, "trials": 2}, steps=STEPS).run()
    assert isinstance(run, PublicationRun)
    (x, y), u = rows_of(run), run.problem.optimal[0, 0]
    eta, models = 2 / (MU + 0.5 + MU), []
    for left in rows_left(run)[1:]:
        for _ in range(STEPS):
            u = u - eta * slope(u, x[left], y[left])
        models.append(u)
    published = models + run.published.sigma[:, None, None] * _noise(run, 0)
    yield Equality("tracking", run.weights[:, 0], published, 1e-8)
    error, errors, rho = 0.0, [], run.constants["rho"]
    for v in run.constants["v"]:
        error = rho**STEPS * (error + v)
        errors.append(error)
    yield Equality("its distance certified", run.published.errors, errors)
    pairs = zip(errors, run.published.sigma, strict=True)
    deltas = [delta_of(d / s, 1.0) for d, s in pairs]
    yield Equality("its least noise", deltas, [1e-5] * len(deltas), 1e-4)
    rows = [STEPS * left.sum() for left in rows_left(run)[1:]]
    yield Equality("its gradients", run.published.gradients, rows)


def _curve() -> Iterator[Equality]:
    settings = {**SMALL, "trials": 2, "releases": 3, "variant": "printed"}
    run = SafePublications(**settings).run()
    assert isinstance(run, PublicationRun)
    problem, curve = run.problem, run.curve
    (x, y), test = rows_of(run), problem.test
    regret, rows = [], []
    for t in range(1, problem.rounds + 1):
        excess, accuracies, away = [], [], []
        for trial in (0, 1):
            left = problem.deletions.removed_at[trial] > t
            w, best = run.weights[t - 1, trial], problem.optimal[t, trial]
            excess.append(risk(w, x[left], y[left]) - risk(best, x[left], y[left]))
            right = np.array([int(np.argmax(row @ w)) == c for row, c in zip(x, y, strict=True)])
            guesses = [int(np.argmax(row @ w)) for row in test.features]
            outside = np.mean([g == c for g, c in zip(guesses, test.targets, strict=True)])
            accuracies.append([right[left].mean(), right[~left].mean(), outside])
            away.append(float(np.linalg.norm(w - best)))
        regret.append(float(np.mean(excess)))
        rows.append([*np.mean(accuracies, axis=0), np.mean(away)])
    yield Equality("regret so far", curve.regret, np.cumsum(regret), 1e-8)
    found = np.array([curve.kept, curve.forgotten, curve.test, curve.distance]).T
    yield Equality("accuracies and distance", found, rows)

    mus = run.published.errors / curve.sigma
    pairs = zip(mus, curve.epsilon, strict=True)
    deltas = [delta_of(math.sqrt(3) * m, e) for m, e in pairs]
    yield Equality("certified epsilon, of three releases", deltas, [1e-5] * len(mus), 1e-6)
    joint = delta_of(math.sqrt((mus**2).sum()), curve.joint)
    yield Equality("certified epsilon of all", joint, 1e-5, 1e-6)

    moves = [np.linalg.norm((b - a).reshape(2, -1), axis=1) for a, b in pairwise(problem.optimal)]
    path = np.cumsum([each.mean() for each in moves])
    yield Equality("path length so far", path_length(problem), path)
    orders = [math.sqrt(t) + v for t, v in enumerate(path, start=1)]
    yield Equality("the printed order", regret_order(problem), orders)
    yield Equality("the last models", curve.last, run.weights[-1])
