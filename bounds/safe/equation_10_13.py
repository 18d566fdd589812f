"""(10) to (13) of safe: the risk of a round, and the same risk from R_0 and the deleted samples.

In closed form for losses (w - x)^2/2 and predictions N(w, 1).
"""

import numpy as np

from bounds import Plot, Statement
from bounds.safe import stream
from bounds.safe.symbols import lam

_HYPOTHESES = (stream.one_round_each, stream.some_stay_at_t, stream.whole_rounds)
_POINTS = tuple(np.linspace(-2, 6, 33).tolist())
risk = Statement(
    "safe.eq10",
    "Equation (10)",
    "definition",
    words="R_t(w) is the mean loss over D_t plus lambda times the mean KL divergence from "
    "f(x; w_t*) over what has left.",
    left="R_t(w)",
    symbols=(stream.data, stream.leaves, stream.t, stream.w, lam),
    requires=_HYPOTHESES,
    plot=Plot("w", _POINTS, {**stream.FOUR, "t": 1, "lam": 0.7}),
    quantity="risk of the round",
)
risk.interpreted_as("literal", "w_t* the minimiser over D_t")
risk.interpreted_as(
    "minimum",
    "R_t(w) >= R_t(w_t*) for every w: w_t* minimises both terms",
    {"printed": ">="},
    stance="component",
)
kept_loss = Statement(
    "safe.eq11",
    "Equation (11)",
    "equality",
    words="The mean loss over D_t is the sum over D_0 less the sums over F_1..F_t, over n_t.",
    left=r"\frac{1}{|D_{t}|}\sum_{(\mathbf{x},y)\in D_{t}}\ell(f(\mathbf{x};w),y)",
    symbols=(stream.data, stream.leaves, stream.t, stream.w),
    requires=_HYPOTHESES,
    plot=Plot("w", _POINTS, {**stream.FOUR, "t": 2}),
    quantity="mean loss over D_t",
)
kept_loss.interpreted_as("literal", "F_i inside D_{i-1}, hence disjoint")
start = Statement(
    "safe.eq12",
    "Equation (12)",
    "definition",
    words="R_0(w) is the mean loss over D_0.",
    left="R_0(w)",
    symbols=(stream.data, stream.w),
    plot=Plot("w", _POINTS, {"data": stream.FOUR["data"]}),
    quantity="risk before any deletion",
)
start.interpreted_as("literal", "no deletion yet")
cumulative = Statement(
    "safe.eq13",
    "Equation (13)",
    "equality",
    words="R_t = (n_0/n_t) R_0 - (1/n_t) sum of the losses of F_1..F_t + forgetting term.",
    left="R_t(w)",
    symbols=(stream.data, stream.leaves, stream.t, stream.w, lam),
    requires=_HYPOTHESES,
    plot=Plot("w", _POINTS, {**stream.FOUR, "t": 2, "lam": 0.7}),
    quantity="risk of the round",
)
cumulative.interpreted_as("literal", "F_i inside D_{i-1}")
_LOSS = r"\ell(f(\mathbf{x};w),y)"
_FORGET = (
    r"\frac{\lambda}{\sum_{i=1}^{t}|F_{i}|}\sum_{i=1}^{t}\sum_{(\mathbf{x},y)\in F_{i}}"
    r"d_{\mathrm{KL}}(f(\mathbf{x};w),f(\mathbf{x};w^{*}_{t}))"
)


def without_deleted(xp, data, leaves, t, w):
    """[sum of the losses over D_0 - their sum over the deleted samples]/n_t."""

    def loss(x):
        return (w - x) ** 2 / 2

    everything = xp.over(lambda _, x: loss(x), data)
    deleted = xp.over(lambda _, x, left: loss(x) * (1 - xp.step(left - t)), data, leaves)
    return (everything - deleted) / stream.kept_size(xp, leaves, t)


@risk.form(
    "printed", tex=r"\frac{1}{|D_{t}|}\sum_{(\mathbf{x},y)\in D_{t}}" + _LOSS + "+" + _FORGET
)
def risk_of_a_round(xp, data, leaves, t, w, lam):
    """The risk of round t at w. At t = 0 it is R_0.

    Note: w_t* minimises both terms, so that min R_t = R_t(w_t*)
    Source: safe, eq (10), a definition
    """
    forgetting = lam * stream.divergence(xp, data, leaves, t, w)
    return stream.mean_loss(xp, data, leaves, t, w) + forgetting


@kept_loss.form(
    "printed",
    tex=r"\frac{1}{|D_{t}|}\sum_{(\mathbf{x},y)\in D_{0}}"
    + _LOSS
    + r"-\frac{1}{|D_{t}|}\sum_{i=1}^{t}\sum_{(\mathbf{x},y)\in F_{i}}"
    + _LOSS,
)
def loss_without_deleted(xp, data, leaves, t, w):
    """The mean loss on D_t equals this value. The F_i are disjoint.

    Note: needs F_i inside D_{i-1}: a sample that is asked to leave twice counts once
    Proof: D_0 is the disjoint union of D_t, F_1, .., F_t
    Source: safe, eq (11)
    """
    return without_deleted(xp, data, leaves, t, w)


@start.form("printed", tex=r"R_{0}(w)=\frac{1}{|D_{0}|}\sum_{(\mathbf{x},y)\in D_{0}}" + _LOSS)
def first_risk(xp, data, w):
    """The risk before any deletion, at w.

    Source: safe, eq (12), a definition
    """
    return xp.over(lambda _, x: (w - x) ** 2 / 2, data) / xp.count(data)


@cumulative.form(
    "printed",
    tex=r"\underbrace{\frac{|D_{0}|}{|D_{t}|}R_{0}(w)-\frac{1}{|D_{t}|}\sum_{i=1}^{t}"
    r"\sum_{(\mathbf{x},y)\in F_{i}}"
    + _LOSS
    + r"}_{(a)\text{ Retention Term}}\underbrace{+"
    + _FORGET
    + r"}_{(b)\text{ Forgetting Term}}",
)
def cumulative_risk(xp, data, leaves, t, w, lam):
    """R_t(w) equals this value: D_0 enters through R_0 only.

    Note: exact
    Proof: eqs (11) and (12) put into eq (10)
    Source: safe, eq (13)
    """
    forgetting = lam * stream.divergence(xp, data, leaves, t, w)
    return without_deleted(xp, data, leaves, t, w) + forgetting
