"""Runs of online experiments on short streams, against the same descent by hand."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from accounting.deletions.schedule import DeletionSchedule
from accounting.problems.options import Rule
from simulators.data.sklearn_sets import digits
from simulators.domains import Ball
from simulators.experiments.online import Online
from simulators.losses.logistic import Logistic
from simulators.online.noise import newton_noise
from simulators.online.rows import Rows
from verify.oracles import Equality
from verify.oracles.online import bends
from verify.oracles.online_losses import GONE, MU, RADIUS, Logits

SCHEDULE = {"index": [5, 12], "time": [10, 20]}
MADE: dict[str, Any] = {
    "data": "quadratic",
    "dimension": 3,
    "rounds": 40,
    "regularisation": 0.5,
    "radius": 50.0,
    "trials": 1,
    "schedule": SCHEDULE,
}
STEPS = {
    "1/(mu t)": (None, lambda t: 2 / t),
    "one size": (0.4, lambda t: 0.4),
    "adaptive": (Rule("adaptive", lambda at: at["t"]), None),
}


def equalities() -> Iterator[Equality]:
    """Three rules of steps on quadratics, and two losses on rows of data."""
    for words, (given, by_hand) in STEPS.items():
        yield from _mean(Online(**MADE, step_size=given).run(), by_hand, words)
    yield from _rows("logistic", lambda z: np.log1p(np.exp(-z)), lambda z: -1 / (1 + np.exp(z)))
    yield from _rows("huber", _huber, lambda z: np.clip(z, -1, 1))
    yield from _rows("hinge", _hinge, lambda z: np.clip(z - 1, -1, 0))
    yield from _noise()
    yield from _newton_noise()
    yield from _noise_part()
    yield from _maps()
    yield from _laws()


def _noise_part() -> Iterator[Equality]:
    """sum d sigma_i^2/(2 eta_{tau_i - 1}), sigma_i^2 = 3 i^1.2 (eta_{u_i} L)^2/eps; steps 2/t."""
    run = Online(**{**MADE, "epsilon": 2.0}).run()
    L = 0.5 * (50 + np.linalg.norm(run.stream.points, axis=1).max())
    sigmas = [3 * i**1.2 * (2 / u * L) ** 2 / 2 for i, u in ((1, 5), (2, 12))]
    wanted = sum(3 * s / (2 * 2 / (tau - 1)) for s, tau in zip(sigmas, (10, 20), strict=True))
    yield Equality("noise of Algorithm 1", run["paper_noise_part"].values, wanted, 1e-8)


def _maps() -> Iterator[Equality]:
    """A step 2/(beta + mu) on the mean of quadratics ends on the mean of their points."""
    run = Online(**MADE, learner="active", epsilon=2.0, inner_steps=0, first_steps=1).run()
    x = run.stream.points
    whole, kept = (
        [np.delete(x[:n], gone, axis=0).mean(axis=0) for n, gone in ends]
        for ends in (((9, []), (19, [])), ((9, [4]), (19, [4, 11])))
    )
    apart = np.linalg.norm(np.subtract(whole, kept), axis=1)
    yield Equality("phases apart", run["phases_apart"].values, apart, 1e-8)
    yield Equality("ends of phase 1", run["unlearned_distance"].values, apart, 1e-8)
    found = run["minimisers_apart"]
    yield Equality("kept means", found.values, [np.linalg.norm(kept[1] - kept[0])], 1e-8)


def _laws() -> Iterator[Equality]:
    """Mean and variance round by round, with and without two losses, noise at 10 and 20."""
    schedule = {"index": [5, 7], "time": [10, 20]}
    run = Online(**{**MADE, "schedule": schedule, "epsilon": 2.0}).run()
    x, gap, variance = run.stream.points, [np.zeros(3)] * 2, 0.0
    for t in range(1, 20):
        if t == 10:
            variance += run.rule["sigmas"][0] ** 2
        gap = [w if skip and t in (5, 7) else w - (w - x[t - 1]) / t for skip, w in enumerate(gap)]
        variance *= (1 - 1 / t) ** 2
    variance += run.rule["sigmas"][1] ** 2
    wanted = ((gap[0] - gap[1]) ** 2).sum() / variance
    yield Equality("D_2 at the last request", run["law_divergence"].values, wanted, 1e-7)


def _noise() -> Iterator[Equality]:
    """sigma_i^2 = (2 i - 1) (L/(mu (tau_i - 1)))^2/(2 epsilon) for steps 1/(mu t)."""
    run = Online(**{**MADE, "epsilon": 2.0, "rounds": 30}).run()
    L = 0.5 * (50 + np.linalg.norm(run.stream.points, axis=1).max())
    wanted = [math.sqrt((2 * i + 1) / 4) * L / (0.5 * (tau - 1)) for i, tau in enumerate((10, 20))]
    yield Equality("least noise", run.rule["sigmas"], wanted, 1e-8)


def _newton_noise() -> Iterator[Equality]:
    """sigma_i = (M/2 mu) [(r + i L/(mu (tau_i - 1)))^2 + r^2]/sqrt(2 rho), r = D rho^I1."""
    hand, rho = Logits(), 0.7
    norms = np.sqrt((hand.a**2).sum(axis=1))
    slopes = hand.c * norms / (1 + np.exp(-norms * RADIUS - np.abs(hand.b)))
    L, bend = slopes.max() + MU * RADIUS, np.max(hand.c * norms**3) / (6 * math.sqrt(3))
    left = 2 * RADIUS * (1 - 2 * MU / bends(hand)) ** 9
    wanted = [
        bend / (2 * MU) * ((left + i * L / (MU * (tau - 1))) ** 2 + left**2) / math.sqrt(2 * rho)
        for i, tau in enumerate((50, 80), 1)
    ]
    stream = Rows(Logistic(MU), hand.a, hand.b, hand.c, Ball(RADIUS))
    late = DeletionSchedule(np.array(GONE), np.array((50, 80)))
    yield Equality("newton_noise", newton_noise(stream, late, rho, first=9), wanted)


def _hinge(z: Any) -> Any:
    return np.where(z <= 0, 0.5 - z, np.maximum(1 - z, 0) ** 2 / 2)


def _huber(z: Any) -> Any:
    return np.where(np.abs(z) < 1, z * z / 2, np.abs(z) - 0.5)


def _mean(run: Any, rule: Any, words: str) -> Iterator[Equality]:
    x, mu, T, D = run.stream.points, 0.5, 40, 100.0

    def norm(rows: Any) -> Any:
        return np.linalg.norm(rows, axis=-1)

    def descend(skip: tuple[int, ...], etas: Any = None) -> tuple[Any, Any, Any]:
        points: list[Any] = [np.zeros(3)]
        pulls: list[Any] = []
        sizes: list[float] = []
        total: Any = 0.0
        for t in range(1, T + 1):
            pull = np.zeros(3) if t in skip else mu * (points[-1] - x[t - 1])
            total += pull @ pull
            size = rule(t) if rule else D / math.sqrt(total)
            size = size if etas is None else etas[t - 1]
            step = points[-1] - size * pull
            points.append(step / max(1.0, float(norm(step)) / 50.0))
            pulls.append(pull)
            sizes.append(size)
        return np.array(points), np.array(pulls), np.array(sizes)

    def loss(points: Any) -> Any:
        return mu / 2 * norm(points - x) ** 2

    w, g, eta = descend(())
    stars = np.array([np.delete(x, gone, axis=0).mean(axis=0) for gone in ([], [4], [4, 11])])
    force = np.repeat(stars, [10, 10, 20], axis=0)
    fixed, moving = (float((loss(w[:-1]) - loss(star)).sum()) for star in (stars[0], force))
    squares, away = norm(g) ** 2, norm(w - stars[0])

    def seen(name: str, wanted: Any, **at: Any) -> Iterator[Equality]:
        found = run[name]
        yield Equality(f"{name}, steps {words}", found.values, wanted, 1e-7)
        for key, value in at.items():
            yield Equality(f"{key} of {name}, steps {words}", found.at[key], value, 1e-7)

    steps = np.linalg.norm(np.diff(stars, axis=0), axis=1)
    yield from seen("plain_regret", fixed)
    yield from seen("expected_regret", moving, path=steps, P=steps.sum())
    yield from seen("fixed_regret", fixed)
    yield from seen("regret_shift", abs(fixed - moving))
    shifted = norm(stars[1:] - stars[0])
    yield from seen("comparator_distance", shifted, m=[1, 2])
    whole = np.array([loss(star).sum() for star in stars])
    yield from seen("comparator_gap", whole[1:] - whole[0], r=shifted)
    other = descend((5,), eta if rule is None else None)[0]
    gap = norm(w - other)
    yield from seen("world_gap", gap[5:], tau=np.arange(6, 42), l=np.arange(36), eta=eta[4])
    kept = len(run["world_expansion"].values)  # the gap shrinks until rounding is left of it
    ratio = gap[6 : 6 + kept] / gap[5 : 5 + kept]
    yield from seen("world_expansion", ratio, eta=eta[5 : 5 + kept])
    if gap[9] > 1e-8:
        yield from seen("block_expansion", [gap[21] / gap[9]], tau_p=[10], tau_i=[20])
    yield from seen("step_squares", eta @ squares)
    parts = (away[:-1] ** 2 - away[1:] ** 2) / (2 * eta) + eta * squares / 2
    yield from seen("telescoped_part", parts.sum())
    yield from seen("descent_part", (parts - mu / 2 * away[:-1] ** 2).sum())
    slopes = (g * (w[:-1] - stars[0])).sum(axis=1)
    yield from seen("squared_distance", away[1:] ** 2, r=away[:-1], g=norm(g), p=slopes, eta=eta)
    yield from seen("request_slopes", slopes[8] + slopes[18])
    a, c = w[[10, 20]], w[[8, 18]]
    yield from seen("two_steps", norm(a - stars[0]), cb=norm(c - stars[0]), ac=norm(a - c))
    yield from seen("squares_over_roots", (squares / np.sqrt(squares.cumsum())).sum(), a=squares)
    yield from seen("squared_gradients", squares, gap=loss(w[:-1]))
    yield from seen("root_of_squares", 1.5 * D * math.sqrt(squares.sum()), X=loss(w[:-1]).sum())
    yield from seen("adaptive_regret", moving, P=steps.sum(), F=loss(force).sum())
    start = norm(w[0] + 0.1 - stars[0])
    inner = run["inner_distance"]
    yield Equality("inner distance, of 1", 1 + inner.values, np.ones(20))
    yield Equality("its start", inner.at["r"], start)
    kept = len(run["mean_step_expansion"].values)
    yield from seen("mean_step_expansion", np.full(kept, 0.5))
    k = run.constants
    yield Equality(
        "constants", [k["mu"], k["beta"], k["T"], k["d"], k["k"], k["gamma"]], [mu, mu, T, 3, 2, 0]
    )
    flags = run.hypotheses
    found = [flags["steps 1/(mu t)"], flags["adaptive steps"], flags["strong convexity"]]
    yield Equality("hypotheses", found, [words == "1/(mu t)", words == "adaptive", 1])


def _rows(loss: str, value: Any, slope: Any) -> Iterator[Equality]:
    """Total losses of a few rounds on rows of data, with and without noise of size zero."""
    given: dict[str, Any] = {"rounds": 12, "regularisation": 0.5, "radius": 2.0, "trials": 2}
    run: Any = Online(loss=loss, schedule={"index": [3], "time": [6]}, sigma=0.0, **given).run()
    rows = digits().normalised()
    assert rows.targets is not None
    x, y = rows.features, rows.targets
    w, total, mu = np.zeros(64), 0.0, 0.5
    for t in range(12):
        z = x[t] @ w - y[t] if loss == "huber" else y[t] * (x[t] @ w)
        total += float(value(z)) + mu / 2 * float(w @ w)
        pull = slope(z) * (1.0 if loss == "huber" else y[t]) * x[t] + mu * w
        w = w - pull / (mu * (t + 1))
        w /= max(1.0, float(np.linalg.norm(w)) / 2.0)
    found = [
        float(run.plain.losses.sum()),
        float(run.path.losses.sum()),
        float(run.result.total_loss.mean()),
    ]
    yield Equality(f"losses of {loss}", found, [total] * 3, 1e-9)
    yield Equality(f"last point of {loss}", run.plain.points[0, -1], w, 1e-9)
