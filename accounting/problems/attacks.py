"""What a guarantee leaves to an attacker who tells two laws apart: advantage, and power at a level.

An event with Q(S) = x has P(S) <= min(e^epsilon x + delta, 1 - e^-epsilon (1 - delta - x), 1) under
(epsilon, delta), both ways (Kairouz, Oh and Viswanath 2015); the advantage is the largest
P(S) - Q(S).  A problem certifies an epsilon for every delta: every pair bounds, the least counts.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics.validation import broadcastable, real
from accounting.problems.answer import Answer
from accounting.problems.problem import Problem

Array = NDArray[np.float64]
_LARGEST = 700.0  # e^epsilon beyond it is hardly a float
_DELTAS = np.concatenate([np.geomspace(1e-10, 0.01, 17), np.linspace(0.02, 0.98, 49)])
_UP = 1 + 2.0**-50


def attack_power(fpr: ArrayLike, epsilon: ArrayLike, delta: ArrayLike) -> Array:
    """Return the largest true positive rate at a false positive rate, rounded up.

    fpr and delta in [0, 1], epsilon >= 0; arrays broadcast.  Raises ValueError out of range.
    """
    x, e, d = _checked(fpr, epsilon, delta)
    steep = np.exp(np.minimum(e, _LARGEST))
    # e^epsilon x in two factors: e^1400 admits everything from the least float on.
    with np.errstate(over="ignore"):
        first = steep * x * np.exp(np.clip(e - _LARGEST, 0.0, _LARGEST)) + d
    # The second bound, from the direction in which the roles of the laws change.
    rest = np.maximum(1 - d - x, 0.0) / steep
    power: Array = np.minimum(np.minimum(first * _UP, 1 - rest + 2.0**-52), 1.0)
    return power[()]


def attack_advantage(epsilon: ArrayLike, delta: ArrayLike) -> Array:
    """Return the largest true less false positive rate, (e^epsilon - 1 + 2 delta)/(e^epsilon + 1).

    Rounded up; epsilon >= 0, delta in [0, 1], arrays broadcast.  Raises ValueError out of range.
    """
    _, e, d = _checked(0.0, epsilon, delta)
    # (e^epsilon - 1)/(e^epsilon + 1) = tanh(epsilon/2), and 2/(e^epsilon + 1) = 1 - tanh.
    half = np.tanh(np.minimum(e, _LARGEST) / 2)
    advantage: Array = np.minimum((half + d * (1 - half)) * _UP, 1.0)
    return advantage[()]


@dataclass(frozen=True, eq=False)
class Attack:
    """Bounds on every attack: advantage, and power at each of the false positive rates."""

    advantage: float
    fpr: Array
    power: Array


def attack_on(problem: Problem, answer: Answer, fpr: ArrayLike = 0.01) -> Attack:
    """Return what an answer of the problem leaves to an attacker, from its epsilons at 66 deltas.

    Raises ValueError for an fpr outside [0, 1], and for an answer that is not certified.
    """
    if not isinstance(problem, Problem) or not isinstance(answer, Answer):
        raise ValueError(f"answer must be an Answer of a Problem, got {answer!r} of {problem!r}")
    if not answer.valid or not np.isfinite(answer.noise).all():
        raise ValueError(f"answer must be certified, got {answer.valid} of {answer.accountant}")
    x = real("fpr", fpr, low=0.0, high=1.0)
    guarantees = [problem.certified(answer.accountant, answer.noise, float(d)) for d in _DELTAS]
    # Noise may differ from place to place: the largest epsilon holds for all of them.
    pairs = (np.array([np.max(np.asarray(each.epsilon)) for each in guarantees]), _DELTAS)
    power = attack_power(x[..., None], *pairs).min(axis=-1)
    return Attack(float(attack_advantage(*pairs).min()), x, power)


def _checked(fpr: ArrayLike, epsilon: ArrayLike, delta: ArrayLike) -> tuple[Array, Array, Array]:
    x = real("fpr", fpr, low=0.0, high=1.0)
    e, d = real("epsilon", epsilon, low=0.0), real("delta", delta, low=0.0, high=1.0)
    broadcastable(fpr=x, epsilon=e, delta=d)
    return x, e, d
