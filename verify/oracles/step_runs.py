"""Single steps, minimisers and releases of runs on a path, against the same by hand."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.optimize import brentq

from simulators.experiments.unlearning import HessianFree, LastSteps
from verify.oracles import Equality
from verify.oracles.experiments import gaussian_delta
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


def seen(run: Any, name: str, wanted: Any, tolerance: float = 1e-8) -> Equality:
    return Equality(name, run[name].values, wanted, tolerance)


def far(vector: Any) -> float:
    return float(np.linalg.norm(vector))


def _steps() -> Iterator[Equality]:
    run: Any = HessianFree(**GIVEN, decay=0.9, statistics="set").run()
    hand = Hand(run)
    w, v, both = hand.w, hand.v, list(enumerate(zip(hand.batches, hand.steps, strict=True)))
    apart = [far(a - b) for a, b in zip(w, v, strict=True)]
    yield seen(run, "step_growth", np.maximum(np.diff(apart), 0))
    whole = [
        far(hand.slope(v[t], r) - hand.slope(w[t], r) - hand.bend(w[t], r) @ (v[t] - w[t]))
        for t, (r, _) in both
    ]
    yield seen(run, "taylor_remainder", whole)
    yield seen(run, "step_remainder", hand.steps * np.array(whole))
    factors = [np.linalg.eigvalsh(np.eye(3) - eta * hand.bend(w[t], r)) for t, (r, eta) in both]
    yield seen(run, "stretch", [np.abs(f).max() for f in factors])
    yield seen(run, "longest_stretch", np.abs(factors).max())
    yield seen(run, "top_eigenvalue", [f.max() for f in factors])
    added = [
        far(eta * (hand.slope(w[t], r) - hand.slope(w[t], [i for i in r if i not in GONE])))
        for t, (r, eta) in both
    ]
    yield seen(run, "injection", added)
    k, ends = run.constants, [LAM * hand.steps, k_M(run) * hand.steps]
    rho = np.abs(1 - np.array(ends)).max(axis=0)
    yield Equality("rho", [k["rho_0"], k["rho_max"]], [rho[0], rho.max()])
    yield Equality("K", k["K_one"], 0.1 * max(1.0, rho.max()) ** 2 / (0.7 * 4))
    alone = []
    for gone in ((1,), (6,), GONE):
        A, sizes = np.zeros(3), []
        for t, (r, eta) in both:
            kept, out = [i for i in r if i not in gone], [i for i in r if i in gone]
            sizes.append(far(A))
            A = A - eta * len(kept) / 4 * hand.bend(w[t], kept) @ A
            A = A + (eta * len(out) / 4 * hand.slope(w[t], out) if out else 0.0)
        alone.append((A, sizes))
    found = run["additivity_gap"]
    gap = far(alone[2][0] - alone[0][0] - alone[1][0])
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
    away, gone = [far(p - whole) for p in hand.w], [far(p - rest) for p in hand.v]
    yield seen(run, "optimum_distance", away[1:])
    at = run["optimum_distance"].at
    first = far(hand.slope(hand.w[0], every))
    yield Equality("start, L", [at["start"], at["L"]], [away[0], first])
    yield Equality("now", run["next_distance"].at["now"], away[:-1], 1e-8)
    yield seen(run, "kept_optimum_distance", gone[1:])
    at = run["kept_optimum_distance"].at
    wanted = [far(rest), far(hand.slope(np.zeros(3), kept)), 10 / 12]
    yield Equality("start, L, beta", [at["start"], at["L"], at["beta"]], wanted, 1e-8)
    yield seen(run, "sampled_optimum_distance", gone[-1])
    pulls = [far(hand.slope(rest, [i for i in r if i not in GONE])) for r in hand.batches]
    at = run["sampled_optimum_distance"].at
    yield Equality("residuals", at["residuals"], pulls, 1e-8)
    yield seen(run, "batch_gradient", max(pulls))
    yield seen(run, "left_share", away[-1] / away[0])
    least = hand.risk(whole)
    yield seen(run, "objective_gap", [hand.risk(p) - least for p in hand.w])
    sizes = [far(hand.slope(p, [i])) for p in [*hand.w, whole] for i in every]
    yield Equality("largest gradient", run["objective_gap"].at["L"], max(sizes))
    total = sum(hand.slope(whole, [u]) for u in GONE)
    newton = np.linalg.solve(10 * hand.bend(whole, kept), total)
    jackknife = np.linalg.solve(12 * hand.bend(whole, every), total)
    yield seen(run, "newton_error", far(rest - whole - newton))
    yield seen(run, "jackknife_error", far(rest - whole - jackknife))
    yield seen(run, "statistics_gap", far(newton - jackknife))
    slopes = [far(hand.slope(p, [u])) for p in (whole, rest) for u in GONE]
    yield Equality("slope of U", run["newton_error"].at["L"], max(slopes), 1e-8)
    yield seen(run, "way", far(rest - whole))
    yield Equality("G", run["way"].at["G"], far(total) / LAM, 1e-8)


def _releases() -> Iterator[Equality]:
    run: Any = HessianFree(**GIVEN, statistics="set").run()
    error = float(run["batch_error"].values)
    for name, k in (("least_noise", 1), ("least_large_noise", 1), ("least_joint_noise", 20)):
        long, at = error * math.sqrt(k), run[name].at
        found = [
            long / brentq(lambda mu, e=e: gaussian_delta(mu, e) - 1e-5, 1e-3, 1e2)
            for e in at["epsilon"]
        ]
        yield seen(run, name, found)
    at = run["release_delta"].at
    wanted = [gaussian_delta(error / s, e) for s, e in zip(at["sigma"], at["epsilon"], strict=True)]
    yield seen(run, "release_delta", wanted)
    tied: Any = HessianFree(**WHOLE, clip=0.05, statistics="set").run()
    hand = Hand(tied)
    lengths, w = [], np.zeros(3)
    for eta in hand.steps:
        g = hand.slope(w, range(12))
        lengths.append(far(g))
        w = w - eta * g * min(1.0, 0.05 / far(g))
    yield seen(tied, "clipped_norm", np.minimum(lengths, 0.05))
    yield seen(tied, "printed_clipped_norm", np.maximum(lengths, 0.05))


def _line() -> Iterator[Equality]:
    """Quadratics with one Hessian: vectors of one row by a loop."""
    run: Any = HessianFree(**{**WHOLE, "data": "linear"}, loss="quadratic").run()
    x, w, A, B = run.world.data.features, np.zeros(3), np.zeros(3), np.zeros(3)
    for _ in range(3):
        pull = LAM * w - x[1]
        A = A - 0.7 * LAM * A + 0.7 / 12 * pull
        B = B - 0.7 * LAM * 11 / 12 * B + 0.7 / 12 * pull
        w = w - 0.7 * (LAM * w - x.mean(axis=0))
    yield seen(run, "row_vector", far(A))
    along = [run["row_vector"].at[name] for name in ("cbar", "c_u", "w0")]
    points = (x.mean(axis=0) / LAM, x[1] / LAM, np.zeros(3))
    yield Equality("parts along it", along, [p @ A / far(A) for p in points], 1e-9)
    stored, v = B, w + B
    kept = np.delete(x, 1, axis=0)
    again = w.copy()
    for _ in range(3):
        v = v - 0.7 * (LAM * v * 11 / 12 - kept.sum(axis=0) / 12)
        again = again - 0.7 * (LAM * again - x.mean(axis=0))
    found = run["repaired_vector"]
    yield seen(run, "repaired_vector", far(v - again))
    yield Equality("a0", found.at["a0"], stored @ (v - again) / far(v - again), 1e-9)


def _last_steps() -> Iterator[Equality]:
    run: Any = LastSteps(**GIVEN, k=3).run()
    hand = Hand(run, mean=True)
    w, v, T = hand.w, hand.v, len(hand.batches)
    kept = [[i for i in r if i not in GONE] for r in hand.batches]
    gaps = [
        far(
            hand.slope(v[t], kept[t])
            - hand.slope(w[t], kept[t])
            - hand.bend(w[t], kept[t]) @ (v[t] - w[t])
        )
        for t in range(T)
    ]
    yield seen(run, "kept_remainder", gaps)
    moved, forms = [], {"printed": [], "corrected": []}  # type: ignore[var-annotated]
    for t, (rows, eta) in enumerate(zip(hand.batches, hand.steps, strict=True)):
        after, out = v[t + 1] - w[t + 1], [i for i in rows if i in GONE]
        own = eta * len(out) / 4 * hand.slope(w[t], out) if out else np.zeros(3)
        pull = eta * len(out) / 4 * hand.slope(w[t], kept[t])
        bent = eta * (hand.slope(v[t], kept[t]) - hand.slope(w[t], kept[t]))
        moved.append(far(after))
        for name, sign in (("printed", -1), ("corrected", 1)):
            right = v[t] - w[t] - bent - pull + sign * own
            forms[name].append(far(after) + far(after - right))
    yield seen(run, "exact_step", moved)
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
    yield seen(run, "followed_difference", far(after))
    off = far(after) + far(after - line)
    yield Equality("eq (9)", run["followed_difference"].at["printed"], off, 1e-9)
    redone = w[T - 3]
    for t in range(T - 3, T):
        redone = redone - hand.steps[t] * hand.slope(redone, kept[t])
    redone = redone - w[T]
    found = run["restarted_move"]
    yield seen(run, "restarted_move", far(redone))
    off = far(redone) + far(redone - fresh)
    yield Equality("eq (10)", found.at["corrected"], off, 1e-9)
    yield seen(run, "points_read", 4)
    rows, s = hand.batches[1], w[1] - w[0]
    y = hand.slope(w[1], rows) - hand.slope(w[0], rows)
    sigma, u = s @ y / (s @ s), after
    form = sigma * (u @ u - (s @ u) ** 2 / (s @ s)) + (y @ u) ** 2 / (s @ y)
    yield seen(run, "secant_form", form)
