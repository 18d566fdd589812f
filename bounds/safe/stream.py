"""A stream of deletions on a line: its symbols, and the means that its risks are made of.

Losses (w - x)^2/2 and predictions N(w, 1), so that KL(f(w) || f(w')) = (w - w')^2/2.  `data` holds
x_1..x_n0 and `leaves` the round at whose end each of them is gone: D_t are those with leaves > t.
"""

from typing import Any

import numpy as np

from bounds.forms import Array
from bounds.hypotheses import Hypothesis
from bounds.symbols import Symbol

# A stream of four samples, drawn in pictures.
FOUR = {"data": (0.0, 1.0, 5.0, 10.0), "leaves": (3.0, 2.0, 3.0, 1.0)}


data = Symbol("data", "samples x of D_0", "D_0", kind="list", typical=(-4, 6))
leaves = Symbol(
    "leaves", "round at which each sample leaves (any number > T: it stays)", r"\tau", low=1,
    kind="list", typical=(1, 8),
)  # fmt: skip
t = Symbol("t", "round", "t", low=0, kind="integer")
w = Symbol("w", "model", "w")
models = Symbol("models", "models w_1..w_T", "w_1,\\dots,w_T", kind="list", typical=(-3, 5))
kept = Symbol("kept", "samples of D without F", r"D\setminus F", kind="list", typical=(-4, 6))
gone = Symbol("gone", "samples of F", "F", kind="list", typical=(-4, 6))

one_round_each = Hypothesis(
    "one round of leaving for every sample", lambda data, leaves: np.shape(data) == np.shape(leaves)
)
some_stay_at_t = Hypothesis(
    "some sample stays after round t", lambda leaves, t: np.max(leaves) > np.max(t)
)
some_stay_at_T = Hypothesis(
    "some sample stays after the last round", lambda leaves, models: np.max(leaves) > len(models)
)
whole_rounds = Hypothesis("whole rounds", lambda leaves: np.mod(leaves, 1) == 0)


def staying(leaves: Array, t: Array) -> Array:
    """1 for the samples of D_t and 0 for the others, with one row for each t."""
    return np.asarray(leaves > np.asarray(t)[..., None], dtype=np.float64)


def minimiser(data: Array, leaves: Array, t: Array) -> Array:
    """w_t*: the mean of D_t."""
    there = staying(leaves, t)
    return np.asarray((there * data).sum(axis=-1) / there.sum(axis=-1))


def mean_loss(data: Array, leaves: Array, t: Array, w: Array) -> Array:
    """The mean of (w - x)^2/2 over D_t, about its minimiser so that nothing cancels."""
    there, centre = staying(leaves, t), minimiser(data, leaves, t)
    spread = (there * (data - centre[..., None]) ** 2).sum(axis=-1) / there.sum(axis=-1)
    return np.asarray((spread + (w - centre) ** 2) / 2)


def apart(data: Array, leaves: Array, t: Array, w: Array) -> Array:
    """(w - w_t*)^2/2: what a model loses on D_t, and its divergence from w_t* on any sample."""
    return np.asarray((w - minimiser(data, leaves, t)) ** 2 / 2)


def any_gone(leaves: Array, t: Array) -> Array:
    """1 if M_t > 0 and else 0: a mean over no forgotten samples counts as 0."""
    return np.asarray(staying(leaves, t).min(axis=-1) == 0, dtype=np.float64)


def exact_groups(data: Any, leaves: Any, t: Any) -> tuple[list[Any], list[Any]]:
    """D_t and the samples that have left, for the symbolic forms."""
    pairs = list(zip(data, leaves, strict=True))
    return [x for x, r in pairs if r > t], [x for x, r in pairs if r <= t]


def exact_mean(values: Any) -> Any:
    """The mean of a list, 0 for an empty one."""
    return sum(values) / len(values) if values else 0
