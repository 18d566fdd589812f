"""(14) to (16) of safe: the two terms of the risk, and the retention gradient without D_0.

The terms are in closed form for losses (w - x)^2/2 and predictions N(w, 1); the recursion of the
gradient takes any gradients, one coordinate at a time.
"""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.safe import stream
from bounds.safe.equation_10_13 import without_deleted
from bounds.safe.symbols import lam, n

_HYPOTHESES = (stream.one_round_each, stream.some_stay_at_t, stream.whole_rounds)
G = Symbol(
    "G",
    "coordinate of the retention gradient of the round before",
    "G_{t-1}",
    unit="loss/parameter",
)
gradients = Symbol(
    "gradients",
    "that coordinate of the gradients of F_t at w_0",
    r"\nabla\ell(w_0)",
    kind="list",
    typical=(-4, 6),
    unit="loss/parameter",
)
fewer_leave = Hypothesis("fewer gradients than n", lambda gradients, n: len(gradients) < np.min(n))
_POINTS = tuple(np.linspace(-2, 6, 33).tolist())
retention = Statement(
    "safe.eq14",
    "Equation (14)",
    "definition",
    words="R_t^ret is (n_0/n_t) R_0 less the losses of F_1..F_t over n_t: the mean over D_t.",
    left=r"R_t^{\text{ret}}(w)",
    symbols=(stream.data, stream.leaves, stream.t, stream.w),
    requires=_HYPOTHESES,
    plot=Plot("w", _POINTS, {**stream.FOUR, "t": 2}),
    quantity="retention term",
)
retention.interpreted_as("literal", "F_i inside D_{i-1}")
recursion = Statement(
    "safe.eq15",
    "Equation (15)",
    "recursion",
    words="grad R_t^ret(w_0) = (n_{t-1}/n_t) grad R_{t-1}^ret(w_0) - (1/n_t) sum over F_t of "
    "grad loss(w_0).",
    left=r"\nabla_{w_0}R_t^{\text{ret}}(w_0)",
    symbols=(n, G, gradients),
    requires=(fewer_leave,),
    plot=Plot(
        "G", tuple(np.linspace(-3, 3, 25).tolist()), {"n": 4, "gradients": (-9.0,)}, log_y=False
    ),
    quantity="retention gradient",
    correction="It holds at the frozen point only: after a step from w_{t-1} the gradient there "
    "needs D_0 again.",
)
recursion.interpreted_as("literal", "all gradients at one point w_0")
trained = Statement(
    "safe.eq15.trained",
    "Equation (15) from a trained model",
    "equality",
    words="If w_0 minimises R_0, grad R_t^ret(w_0) is minus the sum of the deleted samples' "
    "gradients over n_t.",
    left=r"\nabla_{w_0}R_t^{\text{ret}}(w_0)",
    symbols=(n, gradients),
    requires=(fewer_leave,),
    plot=Plot(
        "n", tuple(float(k) for k in range(4, 40, 2)), {"gradients": (-9.0, 2.0)}, log_y=False
    ),
    quantity="retention gradient",
)
trained.interpreted_as("literal", "grad R_0(w_0) = 0")
forgetting = Statement(
    "safe.eq16",
    "Equation (16)",
    "definition",
    words="R_t^fg is lambda times the mean KL divergence from f(x; w_t*) over what has left.",
    left=r"R_t^{\text{fg}}(w)",
    symbols=(stream.data, stream.leaves, stream.t, stream.w, lam),
    requires=_HYPOTHESES,
    plot=Plot("w", _POINTS, {**stream.FOUR, "t": 2, "lam": 0.7}, log_y=False),
    quantity="forgetting term",
)
forgetting.interpreted_as("literal", "some sample has left")


@retention.form(
    "printed",
    tex=r"\frac{|D_{0}|}{|D_{t}|}R_{0}(w)-\frac{1}{|D_{t}|}\sum_{i=1}^{t}\sum_{(\mathbf{x},y)\in "
    r"F_{i}}\ell(f(\mathbf{x};w),y)",
)
def retention_term(xp, data, leaves, t, w):
    """The retention term at w.

    Note: the mean loss on D_t, by eq (11)
    Source: safe, eq (14), a definition
    """
    return without_deleted(xp, data, leaves, t, w)


@recursion.form(
    "printed",
    tex=r"\frac{|D_{t-1}|}{|D_{t}|}\nabla_{w_{0}}R_{t-1}^{\text{ret}}(w_{0})-\frac{1}{|D_{t}|}"
    r"\sum_{(\mathbf{x},y)\in F_{t}}\nabla_{w_{0}}\ell(f(\mathbf{x};w_{0}),y)",
)
def next_gradient(xp, n, G, gradients):
    """A coordinate of grad R_t^ret(w_0) equals this value; n is n_{t-1}.

    All gradients are taken at one point w_0; at a moving point D_0 would be needed again. With n =
    n_0, G = G_0 and the gradients of all that has left it is the closed form.

    Note: exact at the frozen point w_0 only; G_t = (n_0 G_0 - sum over all deleted)/n_t
    Proof: n_t R_t^ret = n_{t-1} R_{t-1}^ret - the losses of F_t
    Source: safe, eq (15)
    """
    deletions = xp.count(gradients)
    return (n * G - xp.prefix(gradients, deletions)) / (n - deletions)


@trained.form("tight", tex=r"-\frac{1}{n_t}\sum_{i\le t}\sum_{F_i}\nabla\ell(w_0)")
def gradient_from_trained(xp, n, gradients):
    """A coordinate of grad R_t^ret(w_0) equals this value when w_0 minimises R_0: G_0 = 0.

    n is n_0, and the gradients are those of all deleted samples, at w_0.

    Note: SAFE with lambda = 0 is one normalised step of gradient ascent on what has left
    Proof: eq (15) unrolled from G_0 = 0
    """
    deletions = xp.count(gradients)
    return -xp.prefix(gradients, deletions) / (n - deletions)


@forgetting.form(
    "printed",
    tex=r"\frac{\lambda}{\sum_{i=1}^{t}|F_{i}|}\sum_{i=1}^{t}\sum_{(\mathbf{x},y)\in F_{i}}"
    r"d_{\mathrm{KL}}(f(\mathbf{x};w),f(\mathbf{x};w_{t}^{*}))",
)
def forgetting_term(xp, data, leaves, t, w, lam):
    """The forgetting term at w.

    Note: 0/0 := 0 while nothing has left
    Source: safe, eq (16), a definition
    """
    return lam * stream.divergence(xp, data, leaves, t, w)
