"""(14) to (16) of safe: the two terms of the risk, and the retention gradient without D_0.

The terms are in closed form for losses (w - x)^2/2 and predictions N(w, 1); the recursion of the
gradient takes any gradients, one coordinate at a time.
"""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.safe.equation_10_13 import exact_without_deleted, without_deleted
from bounds.safe.stream import (
    any_gone,
    apart,
    data,
    exact_groups,
    exact_mean,
    leaves,
    one_round_each,
    some_stay_at_t,
    t,
    w,
    whole_rounds,
)
from bounds.safe.symbols import lam, n
from bounds.symbols import Symbol

_HYPOTHESES = (one_round_each, some_stay_at_t, whole_rounds)
G = Symbol("G", "coordinate of the retention gradient of the round before", "G_{t-1}")
gradients = Symbol(
    "gradients", "that coordinate of the gradients of F_t at w_0", r"\nabla\ell(w_0)", kind="list",
    typical=(-4, 6),
)  # fmt: skip
fewer_leave = Requirement("fewer gradients than n", lambda gradients, n: len(gradients) < np.min(n))
retention = Formula(
    id="safe.eq14",
    label="Equation (14)",
    left=r"R_t^{\text{ret}}(w)",
    symbols=(data, leaves, t, w),
    requires=_HYPOTHESES,
)
recursion = Formula(
    id="safe.eq15",
    label="Equation (15)",
    left=r"\nabla_{w_0}R_t^{\text{ret}}(w_0)",
    symbols=(n, G, gradients),
    requires=(fewer_leave,),
)
trained = Formula(
    id="safe.eq15.trained",
    label="Equation (15) from a trained model",
    left=r"\nabla_{w_0}R_t^{\text{ret}}(w_0)",
    symbols=(n, gradients),
    requires=(fewer_leave,),
)
forgetting = Formula(
    id="safe.eq16",
    label="Equation (16)",
    left=r"R_t^{\text{fg}}(w)",
    symbols=(data, leaves, t, w, lam),
    requires=_HYPOTHESES,
)


@retention.form(
    "printed",
    tex=r"\frac{|D_{0}|}{|D_{t}|}R_{0}(w)-\frac{1}{|D_{t}|}\sum_{i=1}^{t}\sum_{(\mathbf{x},y)\in "
    r"F_{i}}\ell(f(\mathbf{x};w),y)",
    note="the mean loss on D_t, by eq (11)",
)
def retention_term(data: Array, leaves: Array, t: Array, w: Array) -> Array:
    """The retention term at w. Source: safe, eq (14), a definition."""
    return without_deleted(data, leaves, t, w)


@retention_term.expression
def _(sp: Any, data: Any, leaves: Any, t: Any, w: Any) -> Any:
    return exact_without_deleted(data, leaves, t, w)


@recursion.form(
    "printed",
    tex=r"\frac{|D_{t-1}|}{|D_{t}|}\nabla_{w_{0}}R_{t-1}^{\text{ret}}(w_{0})-\frac{1}{|D_{t}|}"
    r"\sum_{(\mathbf{x},y)\in F_{t}}\nabla_{w_{0}}\ell(f(\mathbf{x};w_{0}),y)",
    note="exact at the frozen point w_0 only; G_t = (n_0 G_0 - sum over all deleted)/n_t",
)
def next_gradient(n: Array, G: Array, gradients: Array) -> Array:
    """A coordinate of grad R_t^ret(w_0) equals this value; n is n_{t-1}. Source: safe, eq (15).

    All gradients are taken at one point w_0; at a moving point D_0 would be needed again.  With
    n = n_0, G = G_0 and the gradients of all that has left it is the closed form.
    """
    return np.asarray((n * G - gradients.sum()) / (n - gradients.size))


@next_gradient.expression
def _(sp: Any, n: Any, G: Any, gradients: Any) -> Any:
    left = n - len(gradients)
    return n / left * G - sum(gradients) / left


@trained.form(
    "tight",
    tex=r"-\frac{1}{n_t}\sum_{i\le t}\sum_{F_i}\nabla\ell(w_0)",
    note="SAFE with lambda = 0 is one normalised step of gradient ascent on what has left",
)
def gradient_from_trained(n: Array, gradients: Array) -> Array:
    """A coordinate of grad R_t^ret(w_0) equals this value when w_0 minimises R_0: G_0 = 0.

    n is n_0, and the gradients are those of all deleted samples, at w_0.
    """
    return np.asarray(-gradients.sum() / (n - gradients.size))


@gradient_from_trained.expression
def _(sp: Any, n: Any, gradients: Any) -> Any:
    return -sum(gradients) / (n - len(gradients))


@forgetting.form(
    "printed",
    tex=r"\frac{\lambda}{\sum_{i=1}^{t}|F_{i}|}\sum_{i=1}^{t}\sum_{(\mathbf{x},y)\in F_{i}}"
    r"d_{\mathrm{KL}}(f(\mathbf{x};w),f(\mathbf{x};w_{t}^{*}))",
    note="0/0 := 0 while nothing has left",
)
def forgetting_term(data: Array, leaves: Array, t: Array, w: Array, lam: Array) -> Array:
    """The forgetting term at w. Source: safe, eq (16), a definition."""
    return np.asarray(lam * any_gone(leaves, t) * apart(data, leaves, t, w))


@forgetting_term.expression
def _(sp: Any, data: Any, leaves: Any, t: Any, w: Any, lam: Any) -> Any:
    kept, gone = exact_groups(data, leaves, t)
    return lam * exact_mean([(w - exact_mean(kept)) ** 2 / 2 for _ in gone])
