"""(4) to (6) of safe: the model to aim at in every round, and the objective of the stream.

In closed form for losses (w - x)^2/2 and predictions N(w, 1); diff is that of eqs (7) and (8).
"""

import numpy as np

from bounds import Plot, Statement
from bounds.forms import Array
from bounds.safe import stream
from bounds.safe.symbols import lam

optimum = Statement(
    "safe.eq4",
    "Equation (4)",
    "definition",
    words="w_t* = argmin_w L(D_t, w), D_t = D_{t-1} without F_t.",
    left="w_t^*",
    symbols=(stream.data, stream.leaves, stream.t),
    requires=(stream.one_round_each, stream.some_stay_at_t, stream.whole_rounds),
    plot=Plot("t", (0.0, 1.0, 2.0), stream.FOUR, log_y=False),
    quantity="model to aim at",
)
optimum.interpreted_as("literal", "one minimiser in every round")
one_round = Statement(
    "safe.eq5",
    "Equation (5)",
    "definition",
    words="The objective of round t: diff over D_t plus lambda times diff over all that left.",
    left=r"\mathrm{Obj}_t(w)",
    symbols=(stream.data, stream.leaves, stream.t, stream.w, lam),
    requires=(stream.one_round_each, stream.some_stay_at_t, stream.whole_rounds),
    plot=Plot(
        "w",
        tuple(np.linspace(-1, 5, 31).tolist()),
        {**stream.FOUR, "t": 1, "lam": 0.7},
        log_y=False,
    ),
    quantity="objective of the round",
)
one_round.interpreted_as("literal", "diff as in eqs (7) and (8)")
whole = Statement(
    "safe.eq6",
    "Equation (6)",
    "definition",
    words="Obj_stream is the sum over the rounds of eq (5) at w_t.",
    left=r"\mathbf{Obj}_{\text{stream}}",
    symbols=(stream.data, stream.leaves, stream.models, lam),
    requires=(stream.one_round_each, stream.some_stay_at_T, stream.whole_rounds),
    plot=Plot(
        "lam",
        tuple(np.linspace(0, 3, 13).tolist()),
        {**stream.FOUR, "models": (1.0, 3.25)},
        log_y=False,
    ),
    quantity="objective of the stream",
)
whole.interpreted_as("literal", "diff as in eqs (7) and (8)")
whole.interpreted_as("regret", "the sum of R_t(w_t) - min R_t, R_t of eq (10)", stance="component")
_DIFF = r"\mathrm{diff}\big(f(\mathbf{x};w),f(\mathbf{x};w_t^{*})\big)"
_ROUND = (
    r"\sum_{(\mathbf{x},y)\in D_t}"
    + _DIFF
    + r"+\lambda\sum_{(\mathbf{x},y)\in\bigcup_{i=1}^{t}F_{i}}"
    + _DIFF
)


def _objective(xp, data, leaves, t, w, lam):
    """Eq (7) plus lambda times eq (8), of round t at w."""
    star = stream.best(xp, data, leaves, t)
    least = stream.mean_loss(xp, data, leaves, t, star)
    gap = stream.mean_loss(xp, data, leaves, t, w) - least
    return gap + lam * stream.divergence(xp, data, leaves, t, w)


def _without_cancelling(data: Array, leaves: Array, t: Array, w: Array, lam: Array) -> Array:
    return np.asarray((1 + lam * stream.any_gone(leaves, t)) * stream.apart(data, leaves, t, w))


@optimum.form(
    "printed", tex=r"w_t^{*}=\arg\min_{w}\mathcal{L}(D_t,w),\quad D_t=D_{t-1}\setminus F_t"
)
def model_to_aim_at(xp, data, leaves, t):
    """The model that retraining gives after round t.

    Path lengths (safe.vt) take for granted that there is one minimiser in every round.

    Note: the mean of D_t, for losses (w - x)^2/2
    Source: safe, eq (4), a definition
    """
    return stream.best(xp, data, leaves, t)


@one_round.form("printed", tex=_ROUND)
def objective(xp, data, leaves, t, w, lam):
    """The objective of round t at w. At t = 0 nothing left.

    Note: with the means of eqs (7) and (8) for its two sums
    Source: safe, eq (5), a definition
    """
    return _objective(xp, data, leaves, t, w, lam)


@objective.numeric
def _(data: Array, leaves: Array, t: Array, w: Array, lam: Array) -> Array:
    return _without_cancelling(data, leaves, t, w, lam)


@whole.form("printed", tex=r"\sum_{t=1}^{T}\Bigg(" + _ROUND + r"\Bigg)")
def objective_of_the_stream(xp, data, leaves, models, lam):
    """The sum of eq (5) over w_1..w_T, one model for each round.

    Note: the dynamic regret of the risks of eq (10), without remainder
    Source: safe, eq (6)
    """
    return xp.over(lambda t, w: _objective(xp, data, leaves, t, w, lam), models)


@objective_of_the_stream.numeric
def _(data: Array, leaves: Array, models: Array, lam: Array) -> Array:
    rounds, weight = np.arange(1.0, models.size + 1), np.asarray(lam)[..., None]
    return np.asarray(_without_cancelling(data, leaves, rounds, models, weight).sum(axis=-1))
