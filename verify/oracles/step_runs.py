"""Single steps, minimisers and releases of runs on a path, against the same by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from simulators.experiments.unlearning import HessianFree, LastSteps, NewtonRemoval
from verify.oracles import Equality
from verify.oracles.path_runs import GIVEN

WHOLE: dict[str, Any] = {n: x for n, x in GIVEN.items() if n != "batch_size"} | {"epochs": 3}
GONE, LAM = (1, 6), 0.2


class Hand:
    """Both paths of 12 logistic rows, one gradient at a time."""

    def __init__(self, run: Any, mean: bool = False) -> None:
        self.x, self.y = run.world.data.features, run.world.data.targets
        self.batches, self.steps = run.world.training.batches, run.world.training.steps
        self.w, self.v = [np.zeros(3)], [np.zeros(3)]
        for rows, eta in zip(self.batches, self.steps, strict=True):
            kept = [i for i in rows if i not in GONE]
            self.w.append(self.w[-1] - eta * self.slope(self.w[-1], rows))
            share = 1.0 if mean else len(kept) / len(rows)
            self.v.append(self.v[-1] - eta * share * self.slope(self.v[-1], kept))

    def slope(self, w: Any, rows: Any) -> Any:
        """The mean gradient of rows."""
        x, y = self.x[list(rows)], self.y[list(rows)]
        return -(y / (1 + np.exp(y * (x @ w)))) @ x / len(x) + LAM * w

    def bend(self, w: Any, rows: Any) -> Any:
        """Their mean Hessian."""
        x = self.x[list(rows)]
        s = 1 / (1 + np.exp(-(x @ w)))
        return (x.T * (s * (1 - s))) @ x / len(x) + LAM * np.eye(3)

    def risk(self, w: Any) -> float:
        return float(np.log1p(np.exp(-self.y * (self.x @ w))).mean() + LAM / 2 * w @ w)

    def best(self, rows: Any) -> Any:
        """The minimiser over rows, by plain descent."""
        w = np.zeros(3)
        for _ in range(600):
            w = w - self.slope(w, rows) / 0.45
        return w


def equalities() -> Iterator[Equality]:
    """Steps, minimisers, statistics, releases, a clip, and the last steps."""
    yield from _steps()
    yield from _optima()
    yield from _releases()
    yield from _line()
    yield from _last_steps()
    yield from _removal()


def _seen(run: Any, name: str, wanted: Any, tolerance: float = 1e-8) -> Equality:
    return Equality(name, run[name].values, wanted, tolerance)


def _far(vector: Any) -> float:
    return float(np.linalg.norm(vector))


def _steps() -> Iterator[Equality]:
    run: Any = HessianFree(**GIVEN, decay=0.9, statistics="set").run()
    hand = Hand(run)
    w, v, both = hand.w, hand.v, list(enumerate(zip(hand.batches, hand.steps, strict=True)))
    apart = [_far(a - b) for a, b in zip(w, v, strict=True)]
    yield _seen(run, "step_growth", np.maximum(np.diff(apart), 0))
    whole = [
        _far(hand.slope(v[t], r) - hand.slope(w[t], r) - hand.bend(w[t], r) @ (v[t] - w[t]))
        for t, (r, _) in both
    ]
    yield _seen(run, "taylor_remainder", whole)
    yield _seen(run, "step_remainder", hand.steps * np.array(whole))
    factors = [np.linalg.eigvalsh(np.eye(3) - eta * hand.bend(w[t], r)) for t, (r, eta) in both]
    yield _seen(run, "stretch", [np.abs(f).max() for f in factors])
    yield _seen(run, "longest_stretch", np.abs(factors).max())
    yield _seen(run, "top_eigenvalue", [f.max() for f in factors])
    added = [
        _far(eta * (hand.slope(w[t], r) - hand.slope(w[t], [i for i in r if i not in GONE])))
        for t, (r, eta) in both
    ]
    yield _seen(run, "injection", added)
    k, ends = run.constants, [LAM * hand.steps, k_M(run) * hand.steps]
    rho = np.abs(1 - np.array(ends)).max(axis=0)
    yield Equality("rho", [k["rho_0"], k["rho_max"]], [rho[0], rho.max()])
    yield Equality("K", k["K_one"], 0.1 * max(1.0, rho.max()) ** 2 / (0.7 * 4))
    alone = []
    for gone in ((1,), (6,), GONE):
        A, sizes = np.zeros(3), []
        for t, (r, eta) in both:
            kept, out = [i for i in r if i not in gone], [i for i in r if i in gone]
            sizes.append(_far(A))
            A = A - eta * len(kept) / 4 * hand.bend(w[t], kept) @ A
            A = A + (eta * len(out) / 4 * hand.slope(w[t], out) if out else 0.0)
        alone.append((A, sizes))
    found = run["additivity_gap"]
    gap = _far(alone[2][0] - alone[0][0] - alone[1][0])
    yield Equality("additivity gap", found.values, gap, 1e-8)
    yield Equality("norms of rows", found.at["row_norms"], [alone[0][1], alone[1][1]], 1e-9)
    present = [[float(u in r) for r in hand.batches] for u in GONE]
    yield Equality("visits", found.at["present"], present)


def k_M(run: Any) -> float:
    """The smoothness of the rows: a quarter of the longest square, and the ridge."""
    return 0.25 * float(np.linalg.norm(run.world.data.features, axis=1).max()) ** 2 + LAM


def _optima() -> Iterator[Equality]:
    run: Any = HessianFree(**GIVEN, statistics="set").run()
    hand, every = Hand(run), range(12)
    kept = [i for i in every if i not in GONE]
    whole, rest = hand.best(every), hand.best(kept)
    away, gone = [_far(p - whole) for p in hand.w], [_far(p - rest) for p in hand.v]
    yield _seen(run, "optimum_distance", away[1:])
    at = run["optimum_distance"].at
    first = _far(hand.slope(hand.w[0], every))
    yield Equality("start, L", [at["start"], at["L"]], [away[0], first])
    yield Equality("now", run["next_distance"].at["now"], away[:-1], 1e-8)
    yield _seen(run, "kept_optimum_distance", gone[1:])
    at = run["kept_optimum_distance"].at
    wanted = [_far(rest), _far(hand.slope(np.zeros(3), kept)), 10 / 12]
    yield Equality("start, L, beta", [at["start"], at["L"], at["beta"]], wanted, 1e-8)
    yield _seen(run, "sampled_optimum_distance", gone[-1])
    pulls = [_far(hand.slope(rest, [i for i in r if i not in GONE])) for r in hand.batches]
    at = run["sampled_optimum_distance"].at
    yield Equality("residuals", at["residuals"], pulls, 1e-8)
    yield _seen(run, "batch_gradient", max(pulls))
    yield _seen(run, "left_share", away[-1] / away[0])
    least = hand.risk(whole)
    yield _seen(run, "objective_gap", [hand.risk(p) - least for p in hand.w])
    sizes = [_far(hand.slope(p, [i])) for p in [*hand.w, whole] for i in every]
    yield Equality("largest gradient", run["objective_gap"].at["L"], max(sizes))
    total = sum(hand.slope(whole, [u]) for u in GONE)
    newton = np.linalg.solve(10 * hand.bend(whole, kept), total)
    jackknife = np.linalg.solve(12 * hand.bend(whole, every), total)
    yield _seen(run, "newton_error", _far(rest - whole - newton))
    yield _seen(run, "statistics_gap", _far(newton - jackknife))
    slopes = [_far(hand.slope(p, [u])) for p in (whole, rest) for u in GONE]
    yield Equality("slope of U", run["newton_error"].at["L"], max(slopes), 1e-8)
    yield _seen(run, "way", _far(rest - whole))
    yield Equality("G", run["way"].at["G"], _far(total) / LAM, 1e-8)


def _delta(distance: float, sigma: float, epsilon: float) -> float:
    mu = distance / sigma
    far = math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
    return float(norm.cdf(mu / 2 - epsilon / mu) - far)


def _releases() -> Iterator[Equality]:
    run: Any = HessianFree(**GIVEN, statistics="set").run()
    error = float(run["batch_error"].values)
    for name, k in (("least_noise", 1), ("least_large_noise", 1), ("least_joint_noise", 20)):
        far, at = error * math.sqrt(k), run[name].at
        found = [
            brentq(lambda s, e=e, far=far: _delta(far, s, e) - 1e-5, 1e-2 * far, 1e3 * far)
            for e in at["epsilon"]
        ]
        yield _seen(run, name, found)
    at = run["release_delta"].at
    wanted = [_delta(error, s, e) for s, e in zip(at["sigma"], at["epsilon"], strict=True)]
    yield _seen(run, "release_delta", wanted)
    tied: Any = HessianFree(**WHOLE, clip=0.05, statistics="set").run()
    hand = Hand(tied)
    lengths, w = [], np.zeros(3)
    for eta in hand.steps:
        g = hand.slope(w, range(12))
        lengths.append(_far(g))
        w = w - eta * g * min(1.0, 0.05 / _far(g))
    yield _seen(tied, "clipped_norm", np.minimum(lengths, 0.05))
    yield _seen(tied, "printed_clipped_norm", np.maximum(lengths, 0.05))


def _line() -> Iterator[Equality]:
    """Quadratics with one Hessian: vectors of one row by a loop."""
    run: Any = HessianFree(**{**WHOLE, "data": "linear"}, loss="quadratic").run()
    x, w, A, B = run.world.data.features, np.zeros(3), np.zeros(3), np.zeros(3)
    for _ in range(3):
        pull = LAM * w - x[1]
        A = A - 0.7 * LAM * A + 0.7 / 12 * pull
        B = B - 0.7 * LAM * 11 / 12 * B + 0.7 / 12 * pull
        w = w - 0.7 * (LAM * w - x.mean(axis=0))
    yield _seen(run, "row_vector", _far(A))
    along = [run["row_vector"].at[name] for name in ("cbar", "c_u", "w0")]
    points = (x.mean(axis=0) / LAM, x[1] / LAM, np.zeros(3))
    yield Equality("parts along it", along, [p @ A / _far(A) for p in points], 1e-9)
    stored, v = B, w + B
    kept = np.delete(x, 1, axis=0)
    again = w.copy()
    for _ in range(3):
        v = v - 0.7 * (LAM * v * 11 / 12 - kept.sum(axis=0) / 12)
        again = again - 0.7 * (LAM * again - x.mean(axis=0))
    found = run["repaired_vector"]
    yield _seen(run, "repaired_vector", _far(v - again))
    yield Equality("a0", found.at["a0"], stored @ (v - again) / _far(v - again), 1e-9)


def _last_steps() -> Iterator[Equality]:
    run: Any = LastSteps(**GIVEN, k=3).run()
    hand = Hand(run, mean=True)
    w, v, T = hand.w, hand.v, len(hand.batches)
    kept = [[i for i in r if i not in GONE] for r in hand.batches]
    gaps = [_far(hand.slope(v[t], kept[t]) - hand.slope(w[t], kept[t])
                 - hand.bend(w[t], kept[t]) @ (v[t] - w[t])) for t in range(T)]  # fmt: skip
    yield _seen(run, "kept_remainder", gaps)
    moved, forms = [], {"printed": [], "corrected": []}  # type: ignore[var-annotated]
    for t, (rows, eta) in enumerate(zip(hand.batches, hand.steps, strict=True)):
        after, out = v[t + 1] - w[t + 1], [i for i in rows if i in GONE]
        own = eta * len(out) / 4 * hand.slope(w[t], out) if out else np.zeros(3)
        pull = eta * len(out) / 4 * hand.slope(w[t], kept[t])
        bent = eta * (hand.slope(v[t], kept[t]) - hand.slope(w[t], kept[t]))
        moved.append(_far(after))
        for name, sign in (("printed", -1), ("corrected", 1)):
            right = v[t] - w[t] - bent - pull + sign * own
            forms[name].append(_far(after) + _far(after - right))
    yield _seen(run, "exact_step", moved)
    for name, wanted in forms.items():
        yield Equality(f"eq (6), {name}", run["exact_step"].at[name], wanted, 1e-9)
    v3, pieces = v[T - 3] - w[T - 3], []
    line, fresh = v3, np.zeros(3)
    for t in range(T - 3, T):
        G = hand.steps[t] * (hand.slope(w[t], hand.batches[t]) - hand.slope(w[t], kept[t]))
        H = np.eye(3) - hand.steps[t] * hand.bend(w[t], kept[t])
        pieces.append((G, H))
        line, fresh = G + H @ line, G + H @ fresh
    after = v[T] - w[T]
    yield _seen(run, "followed_difference", _far(after))
    off = _far(after) + _far(after - line)
    yield Equality("eq (9)", run["followed_difference"].at["printed"], off, 1e-9)
    redone = w[T - 3]
    for t in range(T - 3, T):
        redone = redone - hand.steps[t] * hand.slope(redone, kept[t])
    redone = redone - w[T]
    found = run["restarted_move"]
    yield _seen(run, "restarted_move", _far(redone))
    off = _far(redone) + _far(redone - fresh)
    yield Equality("eq (10)", found.at["corrected"], off, 1e-9)
    yield _seen(run, "points_read", 4)
    rows, s = hand.batches[1], w[1] - w[0]
    y = hand.slope(w[1], rows) - hand.slope(w[0], rows)
    sigma, u = s @ y / (s @ s), after
    form = sigma * (u @ u - (s @ u) ** 2 / (s @ s)) + (y @ u) ** 2 / (s @ y)
    yield _seen(run, "secant_form", form)


def _removal() -> Iterator[Equality]:
    own = ("data", "rows", "dimension", "test_share", "regularisation", "forget")
    run: Any = NewtonRemoval(**{name: GIVEN[name] for name in own}, noise=0.3).run()
    x, y = run.world.data.features, run.world.data.targets
    kept = [i for i in range(12) if i not in GONE]

    def slope(w: Any, rows: Any, b: Any) -> Any:
        return (
            -(y[rows] / (1 + np.exp(y[rows] * (x[rows] @ w)))) @ x[rows] + len(rows) * LAM * w + b
        )

    def bend(w: Any, rows: Any) -> Any:
        s = 1 / (1 + np.exp(-(x[rows] @ w)))
        return (x[rows].T * (s * (1 - s))) @ x[rows] + len(rows) * LAM * np.eye(3)

    def best(b: Any) -> Any:
        w = np.zeros(3)
        for _ in range(40):
            w = w - np.linalg.solve(bend(w, list(range(12))), slope(w, list(range(12)), b))
        return w

    def left(b: Any) -> tuple[Any, float]:
        w = best(b)
        step = -np.linalg.solve(bend(w, kept), slope(w, kept, b))
        return step, _far(slope(w + step, kept, b))

    none = np.zeros(3)
    step, alone = left(none)
    yield _seen(run, "residual", alone, 1e-6)
    at, along = run["residual"].at, x[kept] @ step
    sizes = [np.linalg.norm(x[kept], 2), _far(step), _far(along), _far(along**2)]
    found = [at[name] for name in ("norm_X", "norm_D", "norm_XD", "norm_XD2")]
    yield Equality("sizes of the step", found, sizes, 1e-8)
    pushes = 0.3 * np.random.default_rng(0).standard_normal((32, 3))
    yield _seen(run, "noisy_residual", [left(b)[1] for b in pushes[:8]], 1e-6)
    squares = [_far(best(b) - best(none)) ** 2 for b in pushes]
    yield _seen(run, "shift", math.sqrt(np.mean(squares)))
    for name in ("release_delta", "small_release_delta"):
        at = run[name].at
        both = zip(at["epsilon"], at["c"], strict=True)
        yield _seen(run, name, [_delta(1.0, c / e, e) for e, c in both])
    k = run.constants
    yield Equality("gam, C", [k["gam"], k["C"]], [1 / (6 * math.sqrt(3)), 1.0])
