"""Removal by Newton steps, against Newton's method by hand on twelve rows."""

import math
from collections.abc import Iterator
from dataclasses import astuple
from typing import Any

import numpy as np
from scipy.optimize import brentq

from simulators.runs.newton_steps import PerturbedRemoval
from simulators.trajectory.removal import CertifiedRemoval, exact_delta, printed_delta
from verify.guo.views.residuals import RemovalResiduals
from verify.hf.self_tests.runs import LAM, REMAINING, ROWS, SETTINGS, equality, norm
from verify.self_tests import Equality
from verify.self_tests.experiments import gaussian_delta

GAM = 1 / (6 * math.sqrt(3))
FIELDS = ("data", "rows", "dimension", "test_share", "regularisation", "forget")


def removal_run(**settings: Any) -> Any:
    """A run of certified removal on the twelve rows."""
    return PerturbedRemoval(**{name: SETTINGS[name] for name in FIELDS}, **settings).run()


class SumsByHand:
    """Sums of logistic losses over rows, with <b, w> added."""

    def __init__(self, run: Any) -> None:
        self.x, self.y = run.task.data.features, run.task.data.targets

    def gradient(self, w: Any, rows: Any, b: Any = 0.0) -> Any:
        """Of the sum over rows (3,)."""
        x, y = self.x[rows], self.y[rows]
        return -(y / (1 + np.exp(y * (x @ w)))) @ x + len(x) * LAM * w + b

    def hessian(self, w: Any, rows: Any) -> Any:
        """Of the sum over rows (3, 3)."""
        x = self.x[rows]
        s = 1 / (1 + np.exp(-(x @ w)))
        return (x.T * (s * (1 - s))) @ x + len(x) * LAM * np.eye(3)

    def minimiser(self, b: Any = 0.0, rows: Any = range(ROWS)) -> Any:
        """By 40 Newton steps from 0 (3,)."""
        w, rows = np.zeros(3), list(rows)
        for _ in range(40):
            w = w - np.linalg.solve(self.hessian(w, rows), self.gradient(w, rows, b))
        return w

    def newton_step(self, b: Any = 0.0) -> tuple[Any, float]:
        """On the rows that stay, from the minimiser over all (3,), and the gradient after it."""
        w = self.minimiser(b)
        step = -np.linalg.solve(self.hessian(w, REMAINING), self.gradient(w, REMAINING, b))
        return step, norm(self.gradient(w + step, REMAINING, b))


def equalities() -> Iterator[Equality]:
    """The residual of one Newton step, with noise and without, and what noise moves."""
    run = removal_run(noise=0.3)
    run.view(RemovalResiduals)
    hand = SumsByHand(run)
    yield from _residuals(run, hand)
    for name in ("release_delta", "small_release_delta"):
        pairs = zip(run[name].at["epsilon"], run[name].at["c"], strict=True)
        yield equality(run, name, [gaussian_delta(e / c, e) for e, c in pairs])
    yield Equality("gam, C", [run.constants["gam"], run.constants["C"]], [GAM, 1.0])
    yield from _formulas()
    yield from _budget(run, hand)


def _residuals(run: Any, hand: SumsByHand) -> Iterator[Equality]:
    """What Newton steps leave, and how far noise moves the minimiser."""
    step, residual = hand.newton_step()
    yield equality(run, "residual", residual, 1e-6)
    rows = hand.x[REMAINING]
    scores = rows @ step
    norms = {
        "norm_X": np.linalg.norm(rows, 2),
        "norm_D": norm(step),
        "norm_XD": norm(scores),
        "norm_XD2": norm(scores**2),
    }
    sizes = [run["residual"].at[name] for name in norms]
    yield Equality("sizes of the step", sizes, list(norms.values()), 1e-8)
    draws = 0.3 * np.random.default_rng(0).standard_normal((32, 3))
    noisy = [hand.newton_step(b)[1] for b in draws[:8]]
    yield equality(run, "noisy_residual", noisy, 1e-6)
    centre = hand.minimiser()
    squares = [norm(hand.minimiser(b) - centre) ** 2 for b in draws]
    yield equality(run, "shift", math.sqrt(np.mean(squares)))


def _formulas() -> Iterator[Equality]:
    """The authors' delta, and that of two Gaussians epsilon/c deviations apart."""
    pairs = ((0.5, 2.0), (1.0, 3.0), (20.0, 2.0))
    printed = [1.5 / math.exp(c * c / 2) for _, c in pairs]
    yield Equality("printed delta", [printed_delta(e, c) for e, c in pairs], printed)
    exact = [gaussian_delta(e / c, e) for e, c in pairs]
    yield Equality("exact delta", [exact_delta(e, c) for e, c in pairs], exact, 1e-8)


def _budget(run: Any, hand: SumsByHand) -> Iterator[Equality]:
    """Noise whose budget serves the first two requests: the third has the model trained again."""
    draws = np.random.default_rng(5).standard_normal((2, 3))
    noise = 0.0044
    mu = brentq(lambda mu: gaussian_delta(mu, 1.0) - 1e-3, 1e-3, 9.0)
    server = CertifiedRemoval(run.model, noise, 1.0, 1e-3, seed=5)
    yield Equality("budget of residuals", server.budget, noise * mu)
    rows = list(range(ROWS))
    w = hand.minimiser(noise * draws[0])
    total = np.float64(0.0)
    yield Equality("certified removal, learned", server.point, w, 1e-7)
    for removed in ([1, 6], [3], [0, 2, 8]):
        residual: Any = server.remove(removed)
        rows = [i for i in rows if i not in removed]
        step, expected = _removal(hand, w, rows, removed)
        yield Equality(f"residuals of {removed}", list(astuple(residual)), expected, 1e-6)
        w = w + step
        total += expected[1]
        again = total > noise * mu
        if again:  # with a fresh b, and nothing spent
            w = hand.minimiser(noise * draws[1], rows)
            total = np.float64(0.0)
        yield Equality(f"certified removal of {removed}", server.point, w, 1e-7)
        yield Equality(f"spent after {removed}", server.spent, total, 1e-6)
        yield Equality(f"trained again after {removed}", server.retrainings, float(again))


def _removal(hand: SumsByHand, w: Any, rows: Any, removed: Any) -> tuple[Any, list[float]]:
    """The Newton step of a request (3,), its residual, and the three bounds on that."""
    lost = hand.gradient(w, removed)
    step = np.linalg.solve(hand.hessian(w, rows), lost)
    residual = hand.gradient(w + step, rows) - hand.gradient(w, rows) - lost
    scores = hand.x[rows] @ step
    largest = float(np.linalg.norm(hand.x[rows], 2))
    bounds = [
        GAM / 2 * largest * norm(scores**2),
        GAM * largest * norm(step) * norm(scores),
        4 * GAM * len(removed) ** 2 / (LAM**2 * len(rows)),
    ]
    return step, [norm(residual), *bounds]
