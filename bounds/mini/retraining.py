"""Retraining as the paper's baseline does it: the same start, batches and step size, less D_U."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.forms import Array
from bounds.mini.symbols import eta, s
from bounds.namespaces import numeric

a = Symbol("a", "curvature of every loss", "a", low=0, unit="loss/parameter^2")
start = Symbol("start", "first iterate", r"w_0", unit="parameter")
centre = Symbol("centre", "mean of the retained data", r"\bar x_R", unit="parameter")

statement = Statement(
    "mini.base.retrain",
    "Traditional Retraining (Section 5.1)",
    "claim",
    words="Remove the unlearned samples and retrain from the beginning with the same "
    "initialisation and hyper-parameters: equation (2).",
    left=r"\mathbf{w}_s^*",
    symbols=(eta, s, a, start, centre),
    requires=(Hypothesis("eta a <= 1", lambda eta, a: eta * a <= 1),),
    plot=Plot(
        "s",
        tuple(map(float, range(41))),
        {"eta": 0.1, "a": 1, "start": 3, "centre": 1},
        log_y=False,
    ),
    quantity="retrained iterate",
    correction="(2) couples retraining to learning; kept batches have B - dB_l samples, not B, so "
    "that a step's noise has another variance than SGD on D_R.",
)
statement.interpreted_as(
    "literal", "the batches of learning without D_U, the mean of what they keep"
)
statement.interpreted_as(
    "optimum", "whole batches, many steps: the minimiser over the retained samples"
)
statement.interpreted_as("independent", "the law of SGD on D_R alone, batches of B samples")


@statement.form(
    "printed",
    tex=r"\mathbf{w}_s^*=\mathbf{w}_{s-1}^*-\frac{\eta}{B-\Delta B_s}\sum_{j\in\mathbb{B}_s/"
    r"\bar{\mathbb{B}}_s}\nabla F^{(s-1,j)}(\mathbf{w}_{s-1}^*)",
)
def printed(xp, eta, s, a, start, centre):
    """The retrained iterate of (2) for losses a (w - x_j)^2/2.

    A definition: the run that every unlearning method is measured against.

    Note: in closed form for whole batches of quadratics of one curvature on a line
    Proof (literal): the definition; quadratics have a closed form
    Proof (optimum): contraction with r < 1 of a strongly convex loss
    Fails (independent): (2) takes the forgotten samples out of the old batches, which then hold
        fewer than B. A step has another variance than SGD on D_R alone with batches of B = {B}:
        {measured}, not {bound}.
    Source: mini, (2) and Section 5.1
    """
    return centre + (1 - eta * a) ** s * (start - centre)


@printed.numeric
def _(eta: Array, s: Array, a: Array, start: Array, centre: Array) -> Array:
    """What is lost of the start is added of the centre, without 1 - (1 - eta a)^s where it may."""
    gap = eta * a
    with np.errstate(all="ignore"):
        retention = (1 - gap) ** s
        lost = np.where(gap < 1, gap * numeric.geometric(np.minimum(gap, 1.0), s), 1 - retention)
    return retention * start + lost * centre
