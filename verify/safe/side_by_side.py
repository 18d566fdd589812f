"""SAFE, certified tracking and retraining on one stream of deletions from real data.

Softmax regression with a ridge. All methods serve the same deletions; what they publish is compared
with w_t*, the minimiser over what is left. `epsilon` is what a method's noise certifies in round t
against "retrain, then the same noise", at one delta: data-independent with a public bound on the
rows' norms, and otherwise for the largest row at hand only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

import bounds
from accounting.publications.privacy import publication_epsilon
from bounds.safe.noise import Stream, certified, noise
from verify.safe.orders import deletions_of

METHODS = (
    "SAFE as printed",
    "SAFE as printed, no noise",
    "SAFE corrected",
    "SAFE corrected, no noise",
    "track and publish",
    "retraining, same noise",
    "retraining",
    "keep w_0",
)


@dataclass(frozen=True, eq=False)
class Problem:
    """One stream on one data set.

    train, test: data sets with class numbers as targets.  deletions: of all trials.  optimal:
    w_t* (T + 1, trials, d, classes), t = 0..T.  weight: lambda of SAFE.  epsilon, delta: the
    target, for `releases` published models together.
    """

    name: str
    train: Any
    test: Any
    risk: Any
    deletions: Any
    optimal: np.ndarray
    stream: Stream
    weight: float
    epsilon: float
    delta: float
    releases: int = 1

    @classmethod
    def of(
        cls,
        data: Any,
        name: str,
        *,
        rounds: int = 20,
        share: float = 0.01,
        schedule: str = "random",
        regularisation: float = 0.01,
        weight: float = 1.0,
        constant: float = 2.5,
        gamma: float | None = None,
        steps: int = 250,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        releases: int = 1,
        trials: int = 8,
        seed: int = 0,
        device: str = "auto",
        row_norm: float | None = None,
        test_share: float = 0.2,
    ) -> Problem:
        """`share` of the training rows leave in each round, as `verify.safe.orders` says.

        `test_share` of the rows, the last, are held out for testing.  steps: J of tracking.
        row_norm: as of Risk.
        """
        from simulators.losses.softmax import Softmax
        from simulators.streaming.minimise import Minimiser
        from simulators.streaming.risk import Risk

        train, test = data.split(test_share)
        classes = int(data.targets.max()) + 1
        risk = Risk(train, Softmax(classes, regularisation), device, row_norm)
        m = max(1, round(share * len(train)))
        deletions = deletions_of(schedule, risk, m, rounds, trials, seed)
        sizes = deletions.sizes.max(axis=0)
        constants = risk.lipschitz, risk.strong_convexity, risk.smoothness
        rule = {"constant": constant, "gamma": gamma, "steps": steps, "radius": risk.radius}
        stream = Stream(len(train), sizes, *constants, **rule)
        solve = Minimiser(risk)
        points = [solve.center[None].expand(trials, *solve.center.shape)]
        for t in range(1, rounds + 1):
            points.append(solve(deletions.kept(t), points[-1].contiguous()))
        optimal = np.stack([p.cpu().numpy() for p in points])
        target = epsilon, delta, releases
        return cls(name, train, test, risk, deletions, optimal, stream, weight, *target)

    @property
    def rounds(self) -> int:
        """T."""
        return int(self.deletions.rounds)


@dataclass(frozen=True, eq=False)
class Curve:
    """One method, round by round; means over the trials, all arrays (T,).

    regret: sum_{s <= t} of R_s^ret(w_s) - R_s^ret(w_s*).  kept, forgotten, test: accuracies (of
    what is forgotten: 0 before anything is).  distance: |w_t - w_t*|.
    sigma: of the noise per coordinate.  epsilon: certified for `releases` models as good as this
    one; joint: for all models together.
    gradients: sample gradients evaluated up to round t, training left out.
    last: w_T (trials, d, classes).
    """

    data: str
    method: str
    regret: np.ndarray
    kept: np.ndarray
    forgotten: np.ndarray
    test: np.ndarray
    distance: np.ndarray
    sigma: np.ndarray
    epsilon: np.ndarray
    joint: float
    gradients: np.ndarray
    last: np.ndarray


def compare(problem: Problem, seed: int = 0) -> list[Curve]:
    """Every method on the problem."""
    return [curve(problem, method, seed) for method in METHODS]


def path_length(problem: Problem) -> np.ndarray:
    """V_t = sum_{s <= t} |w_s* - w_{s-1}*| (T,), mean over the trials."""
    moves = np.diff(problem.optimal, axis=0)
    lengths = np.linalg.norm(moves.reshape(*moves.shape[:2], -1), axis=2)
    return np.asarray(lengths.mean(axis=1).cumsum())


def printed_regret(problem: Problem) -> np.ndarray:
    """sqrt(t) + V_t, the order of Theorem 2(ii) of safe without its constants (T,)."""
    return np.asarray(np.sqrt(np.arange(1, problem.rounds + 1)) + path_length(problem))


def corrected_regret(problem: Problem) -> np.ndarray:
    """The bound of safe.thm2ii.track on the regret of tracking up to round t (T,)."""
    s = problem.stream
    form = bounds.get("safe.thm2ii.track")["tight"]
    given = {"Ls": s.smoothness, "rho": s.contraction, "J": s.steps, "D0": s.initial}
    given |= {"d": problem.risk.size, "epsilon": problem.epsilon, "delta": problem.delta}
    return np.array([float(form(v=s.path[:t], **given)) for t in range(1, problem.rounds + 1)])


def curve(problem: Problem, method: str, seed: int = 0) -> Curve:
    """One method on the problem. Raises ValueError for an unknown one."""
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    weights, sigma, gradients = _METHODS[method](problem, seed)
    epsilon, joint = _certified(problem, method, sigma)
    rows = [_measure(problem, t, w) for t, w in enumerate(weights, start=1)]
    risk, kept, forgotten, test, distance = np.array(rows).T
    measured = risk.cumsum(), kept, forgotten, test, distance
    last = gradients.cumsum(), weights[-1]
    return Curve(problem.name, method, *measured, sigma, epsilon, joint, *last)


def published(problem: Problem, method: str, seed: int = 0) -> list[np.ndarray]:
    """The models of every round (trials, d, classes)."""
    return _METHODS[method](problem, seed)[0]


def regrets(problem: Problem, weights: Iterable[np.ndarray]) -> np.ndarray:
    """R_t(w_t) - R_t(w_t*) (T, trials) of the models of every round."""
    return np.array([_excess(problem, t, w) for t, w in enumerate(weights, start=1)])


def _excess(problem: Problem, t: int, weights: np.ndarray) -> np.ndarray:
    """R_t(w) - R_t(w_t*) (trials,)."""
    import torch

    kept, place = problem.deletions.kept(t), problem.risk.place
    found, best = (torch.tensor(w, device=place) for w in (weights, problem.optimal[t]))
    risk = problem.risk.value(found, kept) - problem.risk.value(best, kept)
    return np.asarray(risk.cpu())


def _measure(problem: Problem, t: int, weights: np.ndarray) -> tuple[float, ...]:
    """Regret, the three accuracies, and the distance of w_t (trials, d, classes)."""
    kept, risk = problem.deletions.kept(t), _excess(problem, t, weights)
    right = _right(problem.train, weights)
    away = np.linalg.norm((weights - problem.optimal[t]).reshape(len(weights), -1), axis=1)
    return (
        max(0.0, float(risk.mean())),
        float((right * kept).sum() / kept.sum()),
        float((right * ~kept).sum() / max((~kept).sum(), 1)),
        float(_right(problem.test, weights).mean()),
        float(away.mean()),
    )


def _right(data: Any, weights: np.ndarray) -> np.ndarray:
    """Which rows are classified rightly (trials, n)."""
    scores = np.einsum("nd,tdk->tnk", data.features, weights)
    found: np.ndarray = scores.argmax(axis=2) == data.targets
    return found


def _certified(problem: Problem, method: str, sigma: np.ndarray) -> tuple[np.ndarray, float]:
    """Certified epsilon of every round and of all rounds together."""
    rounds = problem.rounds
    if method.startswith("retraining"):
        return np.zeros(rounds), 0.0
    if not sigma.any():
        return np.full(rounds, np.inf), math.inf
    accountant = "tracking" if method == "track and publish" else "exact"
    each = certified(accountant, problem.stream, sigma, problem.delta, problem.releases)
    distances = problem.stream.distances(accountant)
    joint = publication_epsilon(distances, sigma, problem.delta, joint=True)
    return each, float(joint)


Published = tuple[list[np.ndarray], np.ndarray, np.ndarray]


def _safe(variant: str, accountant: str | None) -> Callable[[Problem, int], Published]:
    def run(problem: Problem, seed: int) -> Published:
        from simulators.streaming.safe import safe

        T = problem.rounds
        sigma = np.zeros(T)
        if accountant is not None:
            sigma = noise(
                accountant, problem.stream, problem.epsilon, problem.delta, problem.releases
            )
        rule = {"regularisation": problem.stream.strong_convexity, "gamma": problem.stream.gamma}
        begin = {"w0": problem.optimal[0, 0], "trials": problem.deletions.trials, "seed": seed}
        # A rare class may have all its rows among those held out.
        classes = problem.risk.loss.classes
        options = {
            "weight": problem.weight,
            "sigma": sigma,
            "variant": variant,
            "classes": classes,
        }
        found = safe(problem.train, problem.deletions, **rule, **begin, **options)
        weights = found.noiseless if found.weights is None else found.weights
        assert weights is not None
        seen = found.retention_gradients + found.forgetting_gradients
        return list(np.moveaxis(weights, 0, 1)), sigma, seen.mean(axis=0)

    return run


def _track(problem: Problem, seed: int) -> Published:
    from simulators.streaming.track import Tracker, track_and_publish

    tracker = Tracker(
        problem.stream.steps, problem.epsilon, problem.delta, releases=problem.releases
    )
    found = track_and_publish(tracker, problem.risk, problem.deletions, seed=seed)
    left = problem.deletions.remaining[:, 1:].mean(axis=0)
    weights = list(np.moveaxis(found.published, 0, 1))
    return weights, found.sigma.max(axis=0), problem.stream.steps * left


def _retrain(noisy: bool) -> Callable[[Problem, int], Published]:
    def run(problem: Problem, seed: int) -> Published:
        sigma = np.zeros(problem.rounds)
        points = problem.optimal[1:]
        if noisy:
            sigma = noise(
                "tracking", problem.stream, problem.epsilon, problem.delta, problem.releases
            )
            drawn = np.random.default_rng([seed, 1]).standard_normal(points.shape)
            points = points + sigma[:, None, None, None] * drawn
        # Newton's method: counted as one pass over what is left for every round.
        left = problem.deletions.remaining[:, 1:].mean(axis=0)
        return list(points), sigma, left

    return run


def _keep(problem: Problem, seed: int) -> Published:
    zero = np.zeros(problem.rounds)
    return [problem.optimal[0]] * problem.rounds, zero, zero


_METHODS: dict[str, Callable[[Problem, int], Published]] = {
    "SAFE as printed": _safe("printed", "printed"),
    "SAFE as printed, no noise": _safe("printed", None),
    "SAFE corrected": _safe("corrected", "exact"),
    "SAFE corrected, no noise": _safe("corrected", None),
    "track and publish": _track,
    "retraining, same noise": _retrain(True),
    "retraining": _retrain(False),
    "keep w_0": _keep,
}
