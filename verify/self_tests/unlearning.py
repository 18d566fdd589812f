"""Methods that unlearn a trajectory, and attacks on them: whole matrices, sums over all pairs."""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from simulators.trajectory import operations
from simulators.trajectory.amnesiac import amnesiac, untouched_probability
from simulators.trajectory.deltagrad import deltagrad
from simulators.trajectory.explicit import Explicit
from simulators.trajectory.lbfgs import CompactBFGS, printed_product
from simulators.trajectory.membership import Shadows, auc, loss_scores, rates, shadow_models
from simulators.trajectory.mini import mini, printed_algorithm_1, printed_algorithm_3, printed_sign
from simulators.trajectory.newton import infinitesimal_jackknife, minimiser, newton_step
from simulators.trajectory.recursion import Recursion, differences
from simulators.trajectory.rewind import rewind
from simulators.trajectory.variants import follow
from verify.self_tests import Equality
from verify.self_tests.paths import (
    BATCHES,
    SETS,
    STEPS,
    LogisticRows,
    SoftmaxRows,
    difference,
    path,
    training,
)

Array = NDArray[np.float64]


def equalities() -> Iterator[Equality]:
    """Newton's steps, mini, its printed forms, rewinding, DeltaGrad, attacks, operations."""
    yield from _newton()
    yield from _mini()
    yield from _quasi_newton()
    yield from _baselines()
    yield from _membership()
    yield from _operations()


def _sums(hand: LogisticRows, rows: Iterable[int], w: Array) -> tuple[Array, Array]:
    each = list(rows)
    pulls = [hand.gradient(i, w) for i in each]
    bends = [hand.hessian(i, w) for i in each]
    return np.sum(pulls, axis=0), np.sum(bends, axis=0)


def _newton() -> Iterator[Equality]:
    """Newton steps, the jackknife and minimisers, by solving with whole Hessians."""
    hand = LogisticRows()
    model = hand.model()
    w = np.array([0.3, -0.2, 0.5])
    everyone = range(7)
    for forget in SETS:
        kept_rows = [i for i in everyone if i not in forget]
        removed_gradient = _sums(hand, forget, w)[0]
        g, H = _sums(hand, kept_rows, w)
        for solver in ("cholesky", "cg"):
            update = newton_step(model, w, forget, solver=solver)
            yield Equality(
                f"newton_step, {solver}", update, np.linalg.solve(H, removed_gradient), 1e-9
            )
        update = newton_step(model, w, forget, whole_gradient=True)
        yield Equality("newton_step, whole gradient", update, np.linalg.solve(H, -g))
        update = infinitesimal_jackknife(model, w, forget)
        whole = _sums(hand, everyone, w)[1]
        yield Equality("infinitesimal_jackknife", update, np.linalg.solve(whole, removed_gradient))
    for rows, push in ((None, None), (np.array([0, 2, 3, 6]), np.array([0.3, -0.5, 0.1]))):
        z = minimiser(model, rows, linear=push, start=4 * w)
        residual = _sums(hand, everyone if rows is None else rows, z)[0]
        residual = residual + (0 if push is None else push)
        yield Equality(
            "minimiser, its gradient beside 1", [1.0, *residual], [1.0, 0.0, 0.0, 0.0], 1e-9
        )


def _mini() -> Iterator[Equality]:
    """Mini and its printed variants, with every product written out."""
    hand = LogisticRows()
    model, run = hand.model(), training()
    points = path(hand)[0]
    T = len(BATCHES)
    for forget in SETS:
        for k in (0, 1, 3, T):
            expected = points[-1] + difference(hand, forget, "kept", "mean", k, "early")[-1]
            yield Equality(f"mini with k = {k}", mini(model, run, forget, k), expected)
        G, H, sign = [], [], []
        for w, rows, eta in zip(points, BATCHES, STEPS, strict=False):
            kept_rows, removed_rows = (
                [i for i in rows if (i in forget) == out] for out in (False, True)
            )
            mean = _sums(hand, rows, w)[0] / len(rows)
            of = _sums(hand, kept_rows, w) if kept_rows else (np.zeros(3), np.zeros((3, 3)))
            lost = _sums(hand, removed_rows, w)[0] if removed_rows else np.zeros(3)
            count = max(len(kept_rows), 1)
            G.append(eta * (mean - of[0] / count))
            H.append(np.eye(3) - eta * of[1] / count)
            sign.append(-eta / len(rows) * (len(removed_rows) * of[0] / count + lost))
        for k in (2, 4, 5):
            b = T - k - 1  # of H(T - k), steps counted from 0
            v = G[T - 2].copy()
            for r in range(1, k - 1):
                term = G[b + r + 1]
                for j in range(r):
                    term = H[b + j] @ term
                v = v + term
            point = printed_algorithm_1(model, run, forget, k)
            yield Equality(f"printed_algorithm_1 with k = {k}", point, points[-1] + v)
            v = np.zeros(3)
            for t in range(T - k, T):
                v = G[t] + H[t - 1] @ v
            point = printed_algorithm_3(model, run, forget, k)
            yield Equality(f"printed_algorithm_3 with k = {k}", point, points[-1] + v)
            v = np.zeros(3)
            for t in range(T - k, T):
                v = sign[t] + H[t] @ v
            point = printed_sign(model, run, forget, k)
            yield Equality(f"printed_sign with k = {k}", point, points[-1] + v)


def _quasi_newton() -> Iterator[Equality]:
    """Compact BFGS against dense updates, and DeltaGrad by its own lines."""
    random = np.random.default_rng(6)
    root = random.normal(size=(4, 4))
    S = random.normal(size=(4, 3))
    Y = (root @ root.T + np.eye(4)) @ S
    u = random.normal(size=4)
    for sigma in (None, 0.7):
        yield Equality("CompactBFGS", CompactBFGS(S, Y, sigma) @ u, _bfgs(S, Y, sigma) @ u, 1e-9)
    s, y = S[:, :1], Y[:, :1]
    yield Equality("printed_product of a pair", printed_product(s, y, s[:, 0], 0.4), -y[:, 0])
    D, L = np.diag(np.diag(S.T @ Y)), np.tril(S.T @ Y, -1)
    J = np.linalg.cholesky(0.7 * S.T @ S + L @ D @ L.T)
    half, none = np.sqrt(D), np.zeros((3, 3))
    first = np.linalg.inv(np.block([[-half, -half @ L.T], [none, J.T]]))
    second = np.linalg.inv(np.block([[-half, none], [-half @ L.T, J.T]]))
    wide = np.hstack([Y, 0.7 * S])
    expected = 0.7 * u - wide @ (first @ (second @ (wide.T @ u)))
    yield Equality("printed_product", printed_product(S, Y, u, 0.7), expected, 1e-9)
    hand = LogisticRows()
    # Sets with a sample of the first batch: until one comes, pairs would be of rounding errors.
    for forget, (period, burn, pairs) in itertools.product(
        SETS[1::2], ((1, 0, 2), (3, 1, 2), (4, 2, 1))
    ):
        result = deltagrad(
            hand.model(), training(), forget, period=period, burn_in=burn, pairs=pairs
        )
        v, exact = _deltagrad(hand, forget, period, burn, pairs)
        yield Equality(f"deltagrad, {period}, {burn}, {pairs}", result.point, v, 1e-9)
        yield Equality("deltagrad, exact steps", result.exact_steps, exact)


def _bfgs(S: Array, Y: Array, sigma: float | None = None) -> Array:
    """By the updates of rank two, one pair after another."""
    last = float(S[:, -1] @ Y[:, -1] / (S[:, -1] @ S[:, -1]))
    B = (last if sigma is None else sigma) * np.eye(len(S))
    for s, y in zip(S.T, Y.T, strict=True):
        B = B - np.outer(B @ s, B @ s) / (s @ B @ s) + np.outer(y, y) / (s @ y)
    return B


def _deltagrad(
    hand: LogisticRows, forget: Sequence[int], period: int, burn: int, pairs: int
) -> tuple[Array, int]:
    """DeltaGrad step by step: its end, and how many steps were exact."""
    points, exact = path(hand)[0], 0
    v = points[0]
    moves: list[Array] = []
    bends: list[Array] = []
    for t, (rows, eta) in enumerate(zip(BATCHES, STEPS, strict=True)):
        lost = [i for i in rows if i in forget]
        if len(lost) == len(rows):
            continue
        old = _sums(hand, rows, points[t])[0] / len(rows)
        apart = v - points[t]
        if t <= burn or (t - burn) % period == 0 or not moves:
            exact += 1
            new = _sums(hand, rows, v)[0] / len(rows)
            if apart @ (new - old) > 0:
                moves = [*moves, apart][-pairs:]
                bends = [*bends, new - old][-pairs:]
        else:
            new = old + _bfgs(np.array(moves).T, np.array(bends).T) @ apart
        lost_gradient = sum((hand.gradient(i, v) for i in lost), np.zeros(3))
        v = v - eta / (len(rows) - len(lost)) * (len(rows) * new - lost_gradient)
    return v, exact


def _baselines() -> Iterator[Equality]:
    """Amnesiac, rewinding, and the chance that a batch is untouched."""
    hand = LogisticRows()
    model, run = hand.model(), training()
    points = path(hand)[0]
    for forget in SETS:
        amnesiac_point = points[0].copy()
        for before, after, rows in zip(points, points[1:], BATCHES, strict=False):
            if not set(rows) & set(forget):
                amnesiac_point = amnesiac_point + (after - before)
        yield Equality("amnesiac", amnesiac(model, run, forget), amnesiac_point)
        for k, scaling in itertools.product((0, 2, 6), ("linear", "mean")):
            w = points[6 - k]
            for rows, eta in zip(BATCHES[6 - k :], STEPS[6 - k :], strict=True):
                kept_rows = [i for i in rows if i not in forget]
                size = len(rows) if scaling == "linear" else max(len(kept_rows), 1)
                w = w - eta / size * sum((hand.gradient(i, w) for i in kept_rows), np.zeros(3))
            iterate = rewind(model, run, forget, k, scaling=scaling)
            yield Equality(f"rewind by {k}, {scaling}", iterate, w)
    for n, removals, b in ((9, 2, 3), (50, 7, 11), (6, 4, 3), (6, 0, 2)):
        expected = math.comb(n - removals, b) / math.comb(n, b)
        yield Equality("untouched_probability", untouched_probability(n, removals, b), expected)


def _membership() -> Iterator[Equality]:
    """AUC, rates and shadow models, over all pairs and model by model."""
    members, others = [0.3, 0.9, 0.9, -0.2], [0.1, 0.9, 0.4]
    wins = sum((a > b) + (a == b) / 2 for a in members for b in others) / 12
    yield Equality("auc", auc(members, others), wins)
    attack_rates = rates(members, others, 0.35)
    shares = [
        attack_rates.recall,
        attack_rates.false_positive_rate,
        attack_rates.prevalence,
        attack_rates.advantage,
    ]
    yield Equality("rates", shares, [0.5, 2 / 3, 4 / 7, 1 / 6])
    assert attack_rates.precision is not None
    yield Equality("rates, precision", attack_rates.precision, 0.5)
    edge = rates(members, others, 0.9)
    yield Equality("rates, none accused", edge.precision is None, True)
    hand, w = LogisticRows(), np.array([0.3, -0.2, 0.5])
    scores = loss_scores(hand.model(), w, np.array([4, 1]))
    yield Equality("loss_scores", scores, [-hand.value(4, w), -hand.value(1, w)])
    shadows = shadow_models(hand.model(), training(), 3, seed=2)
    yield Equality("shadow_models, sizes", shadows.member.sum(axis=1), [4, 4, 4])
    for losses, member in zip(shadows.losses, shadows.member, strict=True):
        last = path(hand, np.flatnonzero(~member).tolist(), "mean")[0][-1]
        yield Equality("shadow_models", losses, [hand.value(i, last) for i in range(7)])
    random = np.random.default_rng(3)
    shadow_set = Shadows(random.normal(size=(6, 2)), np.arange(12).reshape(6, 2) % 4 < 2)
    at, expected = np.array([0.2, -0.7]), []
    for i in (0, 1):
        logs = []
        for inside in (True, False):
            observations = shadow_set.losses[shadow_set.member[:, i] == inside, i]
            spread = math.sqrt(
                sum((x - observations.mean()) ** 2 for x in observations) / (len(observations) - 1)
            )
            logs.append(-((at[i] - observations.mean()) ** 2) / (2 * spread**2) - math.log(spread))
        expected.append(logs[0] - logs[1])
    yield Equality("Shadows.likelihood_ratios", shadow_set.likelihood_ratios(at), expected)
    few = Shadows(np.array([[0.1, 0.7], [0.4, 0.2]]), np.array([[True, False], [False, True]]))
    yield Equality("Shadows.threshold", few.threshold(), -0.3)


def _operations() -> Iterator[Equality]:
    """Counts against torch's own matrix products, as they run."""
    for hand in (LogisticRows(), SoftmaxRows()):
        model = hand.model()
        run = training(parameters=hand.parameters)
        visited = sum(len(b) for b in BATCHES)
        p = hand.parameters
        with operations.Counter() as counter:
            for _ in run.walk(model):
                pass
        yield Equality(
            "operations.training_run", operations.training_run(model, run).flops, counter.flops
        )
        with operations.Counter() as counter:
            differences(model, run, "each", Recursion("batch"))
        yield Equality(
            "operations.products", operations.products(model, run, 7).flops, counter.flops
        )
        yield Equality("operations.products, by hand", counter.flops, 4 * visited * p * 8)
        byte_counts = [
            operations.training_run(model, run).state_bytes,
            operations.products(model, run, 7).state_bytes,
            operations.one_by_one(model, run, 7).state_bytes,
        ]
        yield Equality("operations, bytes", byte_counts, [8 * p, 56 * p, 56 * p + 8 * 7 * p])
        expected = [difference(hand, s, "kept", "mean", None, "early")[-1] for s in SETS]
        for variant in ("auto", *operations.VARIANTS):
            result = follow(model, run, SETS, Recursion("kept", "mean"), variant=variant)
            yield Equality(f"follow by {variant}", result.vectors, expected)
        with operations.Counter() as counter:
            differences(Explicit(model), run, "each", Recursion("batch"))
        flops = operations.explicit(model, run, 7).flops
        yield Equality("operations.explicit", flops, counter.flops)
