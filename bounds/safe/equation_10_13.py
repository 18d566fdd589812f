"""(10) to (13) of safe: the risk of a round, and the same risk from R_0 and the deleted samples.

In closed form for losses (w - x)^2/2 and predictions N(w, 1).
"""

from typing import Any

import numpy as np

from bounds.forms import Array
from bounds.readings import Reading
from bounds.safe import stream
from bounds.safe.symbols import lam
from bounds.statements import Plot, Statement

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
    readings=(
        Reading("literal", "w_t* the minimiser over D_t", {"printed": "=="}),
        Reading(
            "minimum",
            "R_t(w) >= R_t(w_t*) for every w: w_t* minimises both terms",
            {"printed": ">="},
            stance="part",
        ),
    ),
    plot=Plot("w", _POINTS, {**stream.FOUR, "t": 1, "lam": 0.7}),
    quantity="risk of the round",
)
kept_loss = Statement(
    "safe.eq11",
    "Equation (11)",
    "equality",
    words="The mean loss over D_t is the sum over D_0 less the sums over F_1..F_t, over n_t.",
    left=r"\frac{1}{|D_{t}|}\sum_{(\mathbf{x},y)\in D_{t}}\ell(f(\mathbf{x};w),y)",
    symbols=(stream.data, stream.leaves, stream.t, stream.w),
    requires=_HYPOTHESES,
    readings=(
        Reading(
            "literal",
            "F_i inside D_{i-1}, hence disjoint",
            {"printed": "=="},
            proofs={"printed": "D_0 is the disjoint union of D_t, F_1, .., F_t"},
        ),
    ),
    plot=Plot("w", _POINTS, {**stream.FOUR, "t": 2}),
    quantity="mean loss over D_t",
)
start = Statement(
    "safe.eq12",
    "Equation (12)",
    "definition",
    words="R_0(w) is the mean loss over D_0.",
    left="R_0(w)",
    symbols=(stream.data, stream.w),
    readings=(Reading("literal", "no deletion yet", {"printed": "=="}),),
    plot=Plot("w", _POINTS, {"data": stream.FOUR["data"]}),
    quantity="risk before any deletion",
)
cumulative = Statement(
    "safe.eq13",
    "Equation (13)",
    "equality",
    words="R_t = (n_0/n_t) R_0 - (1/n_t) sum of the losses of F_1..F_t + forgetting term.",
    left="R_t(w)",
    symbols=(stream.data, stream.leaves, stream.t, stream.w, lam),
    requires=_HYPOTHESES,
    readings=(
        Reading(
            "literal",
            "F_i inside D_{i-1}",
            {"printed": "=="},
            proofs={"printed": "eqs (11) and (12) put into eq (10)"},
        ),
    ),
    plot=Plot("w", _POINTS, {**stream.FOUR, "t": 2, "lam": 0.7}),
    quantity="risk of the round",
)
_LOSS = r"\ell(f(\mathbf{x};w),y)"
_FORGET = (
    r"\frac{\lambda}{\sum_{i=1}^{t}|F_{i}|}\sum_{i=1}^{t}\sum_{(\mathbf{x},y)\in F_{i}}"
    r"d_{\mathrm{KL}}(f(\mathbf{x};w),f(\mathbf{x};w^{*}_{t}))"
)


def losses(data: Array, w: Array) -> Array:
    """(w - x)^2/2, one column for each sample."""
    return np.asarray((np.asarray(w)[..., None] - data) ** 2 / 2)


def without_deleted(data: Array, leaves: Array, t: Array, w: Array) -> Array:
    """[sum of the losses over D_0 - their sum over the deleted samples]/n_t."""
    each, there = losses(data, w), stream.staying(leaves, t)
    left = each.sum(axis=-1) - (each * (1 - there)).sum(axis=-1)
    return np.asarray(left / there.sum(axis=-1))


def exact_without_deleted(data: Any, leaves: Any, t: Any, w: Any) -> Any:
    """The same for the symbolic forms."""
    kept, gone = stream.exact_groups(data, leaves, t)
    return (sum((w - x) ** 2 for x in data) - sum((w - x) ** 2 for x in gone)) / (2 * len(kept))


def _exact_forgetting(data: Any, leaves: Any, t: Any, w: Any, lam: Any) -> Any:
    kept, gone = stream.exact_groups(data, leaves, t)
    return lam * stream.exact_mean([(w - stream.exact_mean(kept)) ** 2 / 2 for _ in gone])


@risk.form(
    "printed",
    tex=r"\frac{1}{|D_{t}|}\sum_{(\mathbf{x},y)\in D_{t}}" + _LOSS + "+" + _FORGET,
    note="w_t* minimises both terms, so that min R_t = R_t(w_t*)",
)
def risk_of_a_round(data: Array, leaves: Array, t: Array, w: Array, lam: Array) -> Array:
    """The risk of round t at w. Source: safe, eq (10), a definition. At t = 0 it is R_0."""
    forgetting = lam * stream.any_gone(leaves, t) * stream.apart(data, leaves, t, w)
    return stream.mean_loss(data, leaves, t, w) + forgetting


@risk_of_a_round.expression
def _(sp: Any, data: Any, leaves: Any, t: Any, w: Any, lam: Any) -> Any:
    kept, _ = stream.exact_groups(data, leaves, t)
    forgetting = _exact_forgetting(data, leaves, t, w, lam)
    return stream.exact_mean([(w - x) ** 2 / 2 for x in kept]) + forgetting


@kept_loss.form(
    "printed",
    tex=r"\frac{1}{|D_{t}|}\sum_{(\mathbf{x},y)\in D_{0}}" + _LOSS
    + r"-\frac{1}{|D_{t}|}\sum_{i=1}^{t}\sum_{(\mathbf{x},y)\in F_{i}}" + _LOSS,
    note="needs F_i inside D_{i-1}: a sample that is asked to leave twice counts once",
)  # fmt: skip
def loss_without_deleted(data: Array, leaves: Array, t: Array, w: Array) -> Array:
    """The mean loss on D_t equals this value. Source: safe, eq (11). The F_i are disjoint."""
    return without_deleted(data, leaves, t, w)


@loss_without_deleted.expression
def _(sp: Any, data: Any, leaves: Any, t: Any, w: Any) -> Any:
    return exact_without_deleted(data, leaves, t, w)


@start.form("printed", tex=r"R_{0}(w)=\frac{1}{|D_{0}|}\sum_{(\mathbf{x},y)\in D_{0}}" + _LOSS)
def first_risk(data: Array, w: Array) -> Array:
    """The risk before any deletion, at w. Source: safe, eq (12), a definition."""
    return np.asarray(losses(data, w).mean(axis=-1))


@first_risk.expression
def _(sp: Any, data: Any, w: Any) -> Any:
    return stream.exact_mean([(w - x) ** 2 / 2 for x in data])


@cumulative.form(
    "printed",
    tex=r"\underbrace{\frac{|D_{0}|}{|D_{t}|}R_{0}(w)-\frac{1}{|D_{t}|}\sum_{i=1}^{t}"
    r"\sum_{(\mathbf{x},y)\in F_{i}}" + _LOSS + r"}_{(a)\text{ Retention Term}}\underbrace{+"
    + _FORGET + r"}_{(b)\text{ Forgetting Term}}",
    note="exact",
)  # fmt: skip
def cumulative_risk(data: Array, leaves: Array, t: Array, w: Array, lam: Array) -> Array:
    """R_t(w) equals this value: D_0 enters through R_0 only. Source: safe, eq (13)."""
    forgetting = lam * stream.any_gone(leaves, t) * stream.apart(data, leaves, t, w)
    return without_deleted(data, leaves, t, w) + forgetting


@cumulative_risk.expression
def _(sp: Any, data: Any, leaves: Any, t: Any, w: Any, lam: Any) -> Any:
    return exact_without_deleted(data, leaves, t, w) + _exact_forgetting(data, leaves, t, w, lam)
