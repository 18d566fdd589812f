"""(7) to (9) of safe: the two discrepancies of a round, and the objective without its constant.

In closed form for losses (w - x)^2/2 and predictions N(w, 1).
"""

import numpy as np

from bounds import Edit, Plot, Statement
from bounds.forms import Array
from bounds.safe import stream

_HYPOTHESES = (stream.one_round_each, stream.some_stay_at_t, stream.whole_rounds)
_POINTS = tuple(np.linspace(-1, 5, 31).tolist())
retained = Statement(
    "safe.eq7",
    "Equation (7)",
    "definition",
    words="The discrepancy on D_t is the mean loss at w less the mean loss at w_t*.",
    left=r"\sum_{D_t}\mathrm{diff}",
    symbols=(stream.data, stream.leaves, stream.t, stream.w),
    requires=_HYPOTHESES,
    plot=Plot("w", _POINTS, {**stream.FOUR, "t": 1}, log_y=False),
    quantity="retention gap",
)
retained.interpreted_as("literal", "w_t* the minimiser over D_t")
retained.interpreted_as("sign", "never negative", {"printed": ">="}, stance="component")
forgotten = Statement(
    "safe.eq8",
    "Equation (8)",
    "definition",
    words="The discrepancy on what has left is the mean KL divergence of f(x; w) from "
    "f(x; w_t*), over all samples of F_1..F_t.",
    left=r"\sum_{\cup F_i}\mathrm{diff}",
    symbols=(stream.data, stream.leaves, stream.t, stream.w),
    requires=_HYPOTHESES,
    plot=Plot("w", _POINTS, {**stream.FOUR, "t": 2}, log_y=False),
    quantity="divergence",
    correction="0 while nothing has left. The divergence is not bounded and not convex in w for "
    "softmax models: what needs convex or Lipschitz risks does not apply with lambda > 0.",
)
forgotten.interpreted_as("literal", "some sample has left")
forgotten.interpreted_as("empty", "no sample has left: 0/0")
constant = Statement(
    "safe.eq9.gap",
    "The constant that (9) drops",
    "equality",
    words="R_t(w) - Obj_t(w) is the mean loss over D_t at w_t*, for every w; it is min R_t.",
    left=r"R_t(w)-\mathrm{Obj}_t(w)",
    symbols=(stream.data, stream.leaves, stream.t),
    requires=_HYPOTHESES,
    plot=Plot("t", (0.0, 1.0, 2.0), stream.FOUR, log_y=False),
    quantity="R_t(w) - Obj_t(w)",
)
constant.interpreted_as("literal", "any w")


@retained.form(
    "printed",
    tex=r"\frac{1}{|D_{t}|}\sum_{(\mathbf{x},y)\in D_{t}}\ell(f(\mathbf{x};w),y)-\frac{1}{|D_{t}|}"
    r"\sum_{(\mathbf{x},y)\in D_{t}}\ell(f(\mathbf{x};w_{t}^{*}),y)",
)
def retention_gap(xp, data, leaves, t, w):
    """What w loses on D_t against w_t*.

    Note: never negative: w_t* is the minimiser
    Source: safe, eq (7), a definition
    """
    star = stream.best(xp, data, leaves, t)
    least = stream.mean_loss(xp, data, leaves, t, star)
    return stream.mean_loss(xp, data, leaves, t, w) - least


@retention_gap.numeric
def _(data: Array, leaves: Array, t: Array, w: Array) -> Array:
    return stream.apart(data, leaves, t, w)


@forgotten.form(
    "printed",
    tex=r"\frac{1}{\sum_{i=1}^{t}|F_{i}|}\sum_{(\mathbf{x},y)\in\bigcup_{i=1}^{t}F_{i}}"
    r"d_{\mathrm{KL}}(f(\mathbf{x};w),f(\mathbf{x};w_{t}^{*}))",
)
def divergence(xp, data, leaves, t, w):
    """Mean divergence of w from w_t* on what has left.

    Neither bounded nor Lipschitz on R^d; for softmax models not convex in w.

    Note: the present model first; 0/0 := 0 while nothing has left
    Fails (empty): While nothing has left, the mean is over no points, 0/0, and no value is given
        for it. (12) leaves the term out at t = 0, as if it were 0.
    Source: safe, eq (8), a definition
    """
    return stream.divergence(xp, data, leaves, t, w)


@constant.form(
    "tight", tex=r"\frac{1}{|D_{t}|}\sum_{(\mathbf{x},y)\in D_{t}}\ell(f(\mathbf{x};w_{t}^{*}),y)"
)
def dropped(xp, data, leaves, t):
    """The objectives on the two sides of eq (9) differ by this value, which is also min R_t.

    Note: the same for every w: the two sides of (9) share their minimisers, not their values
    Proof: eqs (7) and (10), subtracted
    """
    return stream.mean_loss(xp, data, leaves, t, stream.best(xp, data, leaves, t))


eq9 = Statement(
    "safe.eq9",
    "Equation (9)",
    "equality",
    words="argmin_w of (7) + lambda (8) = argmin_{w_t} of the mean loss + lambda (8).",
    quantity="minimiser",
    correction="argmin_w on both sides. The minimisers agree; the values differ by the mean loss "
    "at w_t*.",
)
eq9.interpreted_as(
    "literal",
    "one minimiser",
    {"printed": "==", "corrected": "=="},
    proofs={"corrected": "the objectives differ by the constant of safe.eq9.gap"},
    edits={"printed": Edit("argmin over w on both sides", "argmin_{w_t}", "argmin_w")},
    fails={
        "printed": "On the right the minimum is taken over w_t, which the objective does not "
        "contain; w is meant. The minimisers of the two sides agree, their values "
        "differ by the mean loss at w_t*."
    },
)
