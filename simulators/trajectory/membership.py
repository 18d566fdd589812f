"""Membership inference and its exact controls.

For a retrained model and a set to forget that was drawn at random, forgotten samples and fresh ones
are exchangeable: every attack has AUC 1/2, true and false positive rates agree, and precision is
the prevalence of the forgotten among those tested.  Agreement with retraining is the target of an
unlearning method, not the least precision (mini.mia).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.trajectory.inputs import rows_of, vector_of
from simulators.trajectory.model import Model
from simulators.trajectory.training import Training


@dataclass(frozen=True)
class Rates:
    """An attack's performance with one threshold; `precision` is None where nothing is accused."""

    precision: float | None
    recall: float
    false_positive_rate: float
    prevalence: float

    @property
    def advantage(self) -> float:
        """|TPR - FPR|: an attack worse than chance is as good as its negation."""
        return abs(self.recall - self.false_positive_rate)


def auc(members: ArrayLike, others: ArrayLike) -> float:
    """Return P(a member's score > another's) + P(equal)/2, over all pairs, by ranks.

    Scores: any real numbers, high for members.  Raises ValueError on empty or non-finite scores.
    """
    first, second = _scores(members, others)
    order = np.sort(second)
    # Left ranks count the scores below, right ranks those below or equal: each tie is half of two.
    wins = (np.searchsorted(order, first, "left") + np.searchsorted(order, first, "right")).sum()
    return float(wins / (2 * len(first) * len(second)))


def rates(members: ArrayLike, others: ArrayLike, threshold: float) -> Rates:
    """Return the rates of the attack that accuses every score above the threshold."""
    first, second = _scores(members, others)
    cut = validation.scalar("threshold", threshold)
    hits, false = int((first > cut).sum()), int((second > cut).sum())
    return Rates(
        precision=hits / (hits + false) if hits + false else None,
        recall=hits / len(first),
        false_positive_rate=false / len(second),
        prevalence=len(first) / (len(first) + len(second)),
    )


@typed
def loss_scores(model: Model, w: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The threshold attack's scores: minus each row's loss at w."""
    at = model.tensor(vector_of("w", w, model.parameters))
    scores: np.ndarray = -model.values(at, rows_of("rows", rows, model.size)).cpu().numpy()
    return scores


@typed
@dataclass(frozen=True, eq=False)
class Shadows:
    """Losses of all n rows under shadow models, shape (shadows, n), and who was in each."""

    losses: np.ndarray
    member: np.ndarray

    def __post_init__(self) -> None:
        losses = validation.real("losses", self.losses, low_open=True, high_open=True)
        member = np.asarray(self.member)
        if losses.ndim != 2 or member.shape != losses.shape or member.dtype != bool:
            raise ValueError(
                "losses and member must be two arrays (shadows, n), member of bool, got shapes "
                f"{losses.shape} and {member.shape}"
            )
        object.__setattr__(self, "losses", losses)
        object.__setattr__(self, "member", member)

    def likelihood_ratios(self, losses: np.ndarray) -> np.ndarray:
        """log p(loss | in)/p(loss | out) for every row, Gaussians fitted row by row, shape (n,).

        Raises ValueError for a row that was in, or out of, fewer than two shadow models.
        """
        observations = vector_of("losses", losses, self.losses.shape[1])
        inside, outside = self.member.sum(axis=0), (~self.member).sum(axis=0)
        if min(inside.min(), outside.min()) < 2:
            raise ValueError("shadows must be enough for every row to be in and out at least twice")
        ratios = np.zeros(self.losses.shape[1])
        for member, sign in ((self.member, 1.0), (~self.member, -1.0)):
            mean = self.losses.mean(axis=0, where=member)
            deviation = self.losses.std(axis=0, ddof=1, where=member)
            # Twin shadow models agree on a row's loss; a deviation at rounding level is a spike.
            width = np.maximum(deviation, 1e-12 * (1.0 + np.abs(mean)))
            ratios += sign * (-0.5 * ((observations - mean) / width) ** 2 - np.log(width))
        return ratios

    def threshold(self) -> float:
        """The cut on minus the loss that tells the shadows' members from others best.

        TPR - FPR over all rows of all shadows is largest there; the attack of Shokri et al. 2017
        with one feature, learned on shadows and then used on another model (`rates`).
        """
        scores, member = -self.losses.reshape(-1), self.member.reshape(-1)
        if member.all() or not member.any():
            raise ValueError("member must have True and False entries, got one kind only")
        order = np.argsort(-scores, kind="stable")
        levels, inside = scores[order], member[order]
        # TPR - FPR of the attack that accuses the first j + 1 in order of falling score.
        gained = np.cumsum(inside) / inside.sum() - np.cumsum(~inside) / (~inside).sum()
        # A cut lies between different scores: all above it are accused.
        ends = np.append(levels[:-1] > levels[1:], True)
        best = int(np.flatnonzero(ends)[gained[ends].argmax()])
        if best + 1 == len(levels):
            return float(np.nextafter(levels[best], -np.inf))
        # The lower end where rounding leaves nothing between.
        middle = levels[best + 1] + (levels[best] - levels[best + 1]) / 2
        return float(middle if middle < levels[best] else levels[best + 1])


@typed
def shadow_models(model: Model, training: Training, shadows: int, *, seed: int = 0) -> Shadows:
    """Train shadow models, each without a random half of the rows (steps take the kept mean)."""
    count = validation.count("shadows", shadows, low=2)
    random = np.random.default_rng(validation.count("seed", seed, low=0))
    losses = np.empty((count, model.size))
    member = np.zeros((count, model.size), dtype=bool)
    for shadow in range(count):
        member[shadow, random.permutation(model.size)[: (model.size + 1) // 2]] = True
        w = None
        for _, point, _ in training.walk(model, np.flatnonzero(~member[shadow]), "mean"):
            w = point
        assert w is not None
        losses[shadow] = model.values(w, model.everything()).cpu().numpy()
    return Shadows(losses, member)


@typed
def gaussian_mean_auc(weight: ArrayLike, others_square: ArrayLike, dimension: int) -> np.ndarray:
    """Return the exact AUC of the statistic <x, w> for a point of weight a in w = sum a_i x_i.

    The rows are independent N(0, I_d); `others_square` is sum a_i^2 over all other points.  Proof:
    for a fresh x', with u = (x - x')/sqrt 2 and v = (x + x')/sqrt 2, <x - x', w> has the sign of
    a (|u| + <u/|u|, v>) + sqrt 2 tau N, tau^2 = others_square, hence
    AUC = P(N sqrt(2 tau^2 + a^2) < a chi_d) = F_d(a sqrt(d)/sqrt(2 tau^2 + a^2)), F_d Student's law
    of d degrees of freedom.  (mini.kpriv has its normal limit.)  a >= 0, others_square >= 0.
    Raises ValueError out of range, or where both are 0.
    """
    a = validation.real("weight", weight, low=0.0, high_open=True)
    rest = validation.real("others_square", others_square, low=0.0, high_open=True)
    d = validation.count("dimension", dimension, low=1)
    validation.broadcastable(weight=a, others_square=rest)
    spread = np.sqrt(2.0 * rest + a**2)
    if not (spread > 0).all():
        raise ValueError("weight must be > 0 where others_square is 0, got 0")
    area: np.ndarray = stdtr(d, a / spread * np.sqrt(d))
    return area


def mini_mean_weights(n: int, forgotten: int, rate: float, k: int) -> tuple[float, float]:
    """Weights of a forgotten and of a kept point in the mean after Mini with k steps (mini.kpriv).

    Full batch at stationarity, contraction `rate` a step: mean_R + r^k (n_U/n)(mean_U - mean_R).
    """
    total = validation.count("n", n, low=2)
    u = validation.count("forgotten", forgotten, low=1, high=total - 1)
    r = validation.scalar("rate", rate, low=0.0, high=1.0)
    share = r ** validation.count("k", k, low=0)
    return share / total, (1.0 - share * u / total) / (total - u)


def _scores(members: ArrayLike, others: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    first = validation.real("members", members, low_open=True, high_open=True)
    second = validation.real("others", others, low_open=True, high_open=True)
    return first.reshape(-1), second.reshape(-1)
