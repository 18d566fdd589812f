"""A stream of deletions on a line: its symbols, and the means that its risks are made of.

Losses (w - x)^2/2 and predictions N(w, 1), so that KL(f(w) || f(w')) = (w - w')^2/2.  `data` holds
x_1..x_n0 and `leaves` the round at whose end each of them is gone: D_t are those with leaves > t.
"""

import numpy as np

from bounds import Hypothesis, Symbol
from bounds.forms import Array

# A stream of four samples, drawn in pictures.
FOUR = {"data": (0.0, 1.0, 5.0, 10.0), "leaves": (3.0, 2.0, 3.0, 1.0)}


data = Symbol("data", "samples x of D_0", "D_0", kind="list", typical=(-4, 6), unit="parameter")
leaves = Symbol(
    "leaves",
    "round at which each sample leaves (any number > T: it stays)",
    r"\tau",
    low=1,
    kind="list",
    typical=(1, 8),
    unit="1",
)
t = Symbol("t", "round", "t", low=0, kind="integer")
w = Symbol("w", "model", "w", unit="parameter")
models = Symbol(
    "models",
    "models w_1..w_T",
    "w_1,\\dots,w_T",
    kind="list",
    typical=(-3, 5),
    length="T",
    unit="parameter",
)
kept = Symbol(
    "kept",
    "samples of D without F",
    r"D\setminus F",
    kind="list",
    typical=(-4, 6),
    unit="parameter",
)
gone = Symbol(
    "gone", "samples of F", "F", kind="list", typical=(-4, 6), length="m", unit="parameter"
)

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


def over_kept(xp, term, data, leaves, t):
    """The sum of term(x) over D_t."""
    return xp.over(lambda _, x, left: term(x) * xp.step(left - t), data, leaves)


def kept_size(xp, leaves, t):
    """n_t, the size of D_t."""
    return xp.over(lambda _, left: xp.step(left - t), leaves)


def best(xp, data, leaves, t):
    """w_t*: the mean of D_t."""
    return over_kept(xp, lambda x: x, data, leaves, t) / kept_size(xp, leaves, t)


def mean_loss(xp, data, leaves, t, w):
    """The mean of (w - x)^2/2 over D_t."""
    return over_kept(xp, lambda x: (w - x) ** 2 / 2, data, leaves, t) / kept_size(xp, leaves, t)


def divergence(xp, data, leaves, t, w):
    """The mean of (w - w_t*)^2/2 over what has left; 0 while nothing has."""
    some_left = xp.step(xp.count(leaves) - kept_size(xp, leaves, t))
    return some_left * (w - best(xp, data, leaves, t)) ** 2 / 2


def minimiser(data: Array, leaves: Array, t: Array) -> Array:
    """w_t* over arrays, with one entry for each t."""
    there = np.asarray(leaves > np.asarray(t)[..., None], dtype=np.float64)
    return np.asarray((there * data).sum(axis=-1) / there.sum(axis=-1))


def apart(data: Array, leaves: Array, t: Array, w: Array) -> Array:
    """(w - w_t*)^2/2 over arrays: what w loses on D_t, and its divergence on any sample."""
    return np.asarray((w - minimiser(data, leaves, t)) ** 2 / 2)


def any_gone(leaves: Array, t: Array) -> Array:
    """1 where a sample has left by round t and else 0."""
    return np.asarray(leaves.min() <= np.asarray(t), dtype=np.float64)
