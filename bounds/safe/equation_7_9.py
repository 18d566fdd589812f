"""(7) to (9) of safe: the two discrepancies of a round, and the objective without its constant.

In closed form for losses (w - x)^2/2 and predictions N(w, 1).
"""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.safe.stream import (
    any_gone,
    apart,
    data,
    exact_groups,
    exact_mean,
    leaves,
    mean_loss,
    minimiser,
    one_round_each,
    some_stay_at_t,
    t,
    w,
    whole_rounds,
)

_HYPOTHESES = (one_round_each, some_stay_at_t, whole_rounds)
retained = Formula(
    id="safe.eq7",
    label="Equation (7)",
    left=r"\sum_{D_t}\mathrm{diff}",
    symbols=(data, leaves, t, w),
    requires=_HYPOTHESES,
)
forgotten = Formula(
    id="safe.eq8",
    label="Equation (8)",
    left=r"\sum_{\cup F_i}\mathrm{diff}",
    symbols=(data, leaves, t, w),
    requires=_HYPOTHESES,
)
constant = Formula(
    id="safe.eq9.gap",
    label="The constant that (9) drops",
    left=r"R_t(w)-\mathrm{Obj}_t(w)",
    symbols=(data, leaves, t),
    requires=_HYPOTHESES,
)


@retained.form(
    "printed",
    tex=r"\frac{1}{|D_{t}|}\sum_{(\mathbf{x},y)\in D_{t}}\ell(f(\mathbf{x};w),y)-\frac{1}{|D_{t}|}"
    r"\sum_{(\mathbf{x},y)\in D_{t}}\ell(f(\mathbf{x};w_{t}^{*}),y)",
    note="never negative: w_t* is the minimiser",
)
def retention_gap(data: Array, leaves: Array, t: Array, w: Array) -> Array:
    """What w loses on D_t against w_t*. Source: safe, eq (7), a definition."""
    return apart(data, leaves, t, w)


@retention_gap.expression
def _(sp: Any, data: Any, leaves: Any, t: Any, w: Any) -> Any:
    kept, _ = exact_groups(data, leaves, t)
    star = exact_mean(kept)
    return exact_mean([(w - x) ** 2 / 2 for x in kept]) - exact_mean(
        [(star - x) ** 2 / 2 for x in kept]
    )


@forgotten.form(
    "printed",
    tex=r"\frac{1}{\sum_{i=1}^{t}|F_{i}|}\sum_{(\mathbf{x},y)\in\bigcup_{i=1}^{t}F_{i}}"
    r"d_{\mathrm{KL}}(f(\mathbf{x};w),f(\mathbf{x};w_{t}^{*}))",
    note="the present model first; 0/0 := 0 while nothing has left",
)
def divergence(data: Array, leaves: Array, t: Array, w: Array) -> Array:
    """Mean divergence of w from w_t* on what has left. Source: safe, eq (8), a definition.

    Neither bounded nor Lipschitz on R^d; for softmax models not convex in w.
    """
    return np.asarray(any_gone(leaves, t) * apart(data, leaves, t, w))


@divergence.expression
def _(sp: Any, data: Any, leaves: Any, t: Any, w: Any) -> Any:
    kept, gone = exact_groups(data, leaves, t)
    star = exact_mean(kept)
    return exact_mean([(w - star) ** 2 / 2 for _ in gone])


@constant.form(
    "tight",
    tex=r"\frac{1}{|D_{t}|}\sum_{(\mathbf{x},y)\in D_{t}}\ell(f(\mathbf{x};w_{t}^{*}),y)",
    note="the same for every w: the two sides of (9) share their minimisers, not their values",
)
def dropped(data: Array, leaves: Array, t: Array) -> Array:
    """The objectives on the two sides of eq (9) differ by this value, which is also min R_t."""
    return mean_loss(data, leaves, t, minimiser(data, leaves, t))


@dropped.expression
def _(sp: Any, data: Any, leaves: Any, t: Any) -> Any:
    kept, _ = exact_groups(data, leaves, t)
    star = exact_mean(kept)
    return exact_mean([(star - x) ** 2 / 2 for x in kept])
