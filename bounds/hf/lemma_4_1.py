"""Lemma 4.1 of hf: the drift of retraining when gradients are clipped and nothing else is known."""

from bounds import Hypothesis, Plot, Statement
from bounds.forms import Array
from bounds.hf.drift import drift_clip
from bounds.hf.symbols import B, C, b, b_u, eta, missing, q, sizes, steps, t

inside = Hypothesis("b_u < B", lambda b_u, B: b_u < B)

statement = Statement(
    "hf.lem4.1",
    "Lemma 4.1 (14)",
    "inequality",
    words="With gradients at most C and steps eta q^t, retraining without any set ends within "
    "2 eta C (1 - q^t)/(1 - q) of learning.",
    left=r"\|\mathbf{w}_{e,b}^{-U}-\mathbf{w}_{e,b}\|",
    symbols=(eta, C, q, t, B, b, b_u),
    requires=(inside,),
    aliases=("hf.eq14",),
    plot=Plot(
        "t",
        tuple(float(t) for t in range(41)),
        {"eta": 0.1, "C": 1.0, "q": 0.95, "B": 4, "b": 3, "b_u": 1},
        log_y=False,
    ),
    quantity="|v_t - w_t|",
    correction="Nothing differs before the first visit; with convex smooth losses 2n times less.",
)
statement.interpreted_as(
    "literal", "|grad l_i| <= C on both trajectories, one sample in batch b(u) of every epoch"
)


@statement.form("printed", tex=r"2\eta C\frac{1-q^t}{1-q}")
def printed(xp, eta, C, q, t):
    """Retraining without any set U ends within this distance of learning, gradients at most C.

    The ratio to the sharp form tends to 1 as q -> 1, t -> inf.

    Note: every step moves the two runs apart by both gradients; t in place of the quotient at q=1
    Proof: triangle inequality at every step
    Source: hf, Lemma 4.1 (14)
    """
    return 2 * eta * C * xp.geometric(1 - q, t)


@statement.form(
    "tight",
    tex=r"\eta C\Big[\frac{q^{b(u)}}{b}+2\sum_{k=b(u)+1}^{t-1}q^k-\frac1b"
    r"\sum_{j=1}^{\lceil(t-b(u))/B\rceil-1}q^{b(u)+jB}\Big]",
)
def tight(xp, eta, C, q, t, B, b, b_u):
    """Retraining without one sample, in batch b_u of every epoch, ends within this distance.

    It is 0 for t <= b_u.

    Note: one sample at a fixed place; attained by |w + theta| against a linear loss
    Proof: kept gradients cancel at the first visit, triangle inequality after it
    Source: hf, Lemma 4.1; sharp form (a) at m = 1, eta_t = eta q^t, batches of b
    """
    visits = xp.floor((t - 1 - b_u) / B)
    after = 2 * q ** (b_u + 1) * xp.geometric(1 - q, t - 1 - b_u)
    again = q ** (b_u + B) * xp.geometric(1 - q, visits * B) / xp.geometric(1 - q, B)
    return xp.where(t > b_u, eta * C * (q**b_u / b + after - again / b), 0)


clip = Statement(
    "hf.lem4.1.clip",
    "Lemma 4.1, any schedule",
    "inequality",
    words="The sharp form of Lemma 4.1 for any set, batches and steps.",
    left=r"\|\mathbf{v}_T-\mathbf{w}_T\|",
    reads={"t_0": r"\min\{t\ge0:1\le m_t\}", "T": r"\sum_t1"},
    symbols=(steps, missing, sizes, C),
    requires=(Hypothesis("missing <= sizes", lambda missing, sizes: missing <= sizes),),
    quantity="|v_T - w_T|",
)
clip.interpreted_as("literal", "|grad l_i| <= C on both trajectories; no smoothness")


@clip.form(
    "tight",
    tex=r"C\Big[\eta_{t_0}\frac{m_{t_0}}{b_{t_0}}+\sum_{k=t_0+1}^{T-1}\eta_k\Big(2-\frac{m_k}{b_k}"
    r"\Big)\Big]",
)
def clipped(xp, steps, missing, sizes, C):
    """|v_T - w_T| is at most this value for any losses with gradients at most C.

    Note: t_0 the first batch with a forgotten sample
    Proof: kept gradients cancel at the first visit, triangle inequality after
    """

    def moved(k, step, m, size):
        hits = xp.total(lambda j: missing[j], 1, k - 1)
        return step * xp.where(hits > 0, 2 - m / size, m / size)

    return C * xp.over(moved, steps, missing, sizes)


@clipped.numeric
def _(steps: Array, missing: Array, sizes: Array, C: Array) -> Array:
    """The same along the steps."""
    return drift_clip(steps, missing, sizes, C)[..., -1]
