"""Lemma 4.1 of hf with smooth losses: the drift contracts, and for convex ones is 2n times less."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.forms import Array
from bounds.hf.drift import drift_smooth
from bounds.hf.symbols import B, C, E, M, b, b_u, curvatures, eta, lam, missing, q, sizes, steps

fitting = Hypothesis("missing <= sizes", lambda missing, sizes: missing <= sizes)
kept_C = Symbol(
    "kept_C", "bound on the gradient of a kept sample", "C'", low=0, unit="loss/parameter"
)

statement = Statement(
    "hf.lem4.1.smooth",
    "Lemma 4.1, smooth losses",
    "recursion",
    words="|v_t - w_t| <= d_t with d_{t+1} = min(r_t, rho_t) d_t + eta_t (m_t/b_t) C.",
    left=r"\|\mathbf{v}_T-\mathbf{w}_T\|",
    symbols=(steps, missing, sizes, C, lam, M),
    requires=(fitting, curvatures),
    quantity="|v_T - w_T|",
)
statement.interpreted_as(
    "literal", "Hessians in [lam, M] on the segments, |g_u| <= C on both trajectories"
)


def rates(xp, eta, share, lam, M):
    """(r_t, rho_t) of a step."""
    kept_step = eta * (1 - share)
    return (
        xp.maximum(abs(1 - kept_step * lam), abs(1 - kept_step * M)),
        xp.maximum(abs(1 - eta * lam), abs(1 - eta * M)),
    )


def drift(xp, steps, missing, sizes, C, lam, M, T):
    """d_T of d_{t+1} = min(r_t, rho_t) d_t + eta_t (m_t/b_t) C from d_0 = 0; steps from 1."""

    def factor(k):
        return xp.minimum(*rates(xp, steps[k], missing[k] / sizes[k], lam, M))

    def arrived(t):
        return steps[t] * missing[t] / sizes[t] * C * xp.product(factor, t + 1, T)

    return xp.total(arrived, 1, T)


@statement.form("tight", tex=r"d_{t+1}=\min(r_t,\rho_t)\,d_t+\eta_t\frac{m_t}{b_t}C")
def smooth(xp, steps, missing, sizes, C, lam, M):
    """|v_T - w_T| is at most d_T.

    Note: Hessians in [lam, M], |g_u| <= C on both trajectories; attained by quadratics
    Proof: mean value theorem on the kept part (r_t), or on the whole batch (rho_t)
    Source: hf, Lemma 4.1, sharp form (b)
    """
    return drift(xp, steps, missing, sizes, C, lam, M, xp.count(steps))


@smooth.numeric
def _(steps: Array, missing: Array, sizes: Array, C: Array, lam: Array, M: Array) -> Array:
    """The recursion, step by step."""
    return drift_smooth(steps, missing, sizes, C, lam, M)[..., -1]


capped = Statement(
    "hf.lem4.1.capped",
    "Lemma 4.1, smooth losses with clipped gradients",
    "recursion",
    words="The same with the kept gradients at most C' besides: a step adds 2 eta_t beta_t C' "
    "at most.",
    left=r"\|\mathbf{v}_T-\mathbf{w}_T\|",
    reads={"f_t": r"\min(r_t,\rho_t)"},
    symbols=(steps, missing, sizes, C, kept_C, lam, M),
    requires=(fitting, curvatures),
    quantity="|v_T - w_T|",
)
capped.interpreted_as(
    "literal", "Hessians in [lam, M], |g_u| <= C and kept |g_i| <= C' on both trajectories"
)


@capped.form("corrected", tex=r"d_{t+1}=\min(f_td_t,\,d_t+2\eta_t\beta_tC')+\eta_t\frac{m_t}{b_t}C")
def both(xp, steps, missing, sizes, C, kept_C, lam, M):
    """|v_T - w_T| is at most d_T where kept gradients are at most C'.

    Note: the better of contraction and clipping at every step, f_t = min(r_t, rho_t)
    Proof: mean value theorem on the kept part (r_t), or on the whole batch (rho_t); or the triangle
        inequality
    Source: hf, Lemma 4.1, sharp form (d)
    """

    def step(t, d):
        eta, share = steps[t], missing[t] / sizes[t]
        shift = d + 2 * eta * (1 - share) * kept_C
        stretched = xp.minimum(*rates(xp, eta, share, lam, M)) * d
        return xp.minimum(stretched, shift) + eta * share * C

    return xp.orbit(step, 0)[xp.count(steps) + 1]


convex = Statement(
    "hf.lem4.1.convex",
    "Lemma 4.1, convex smooth losses",
    "inequality",
    words="For convex M-smooth losses and eta_t M <= 2, |v_T - w_T| <= C sum eta_t m_t/b_t.",
    left=r"\|\mathbf{v}_T-\mathbf{w}_T\|",
    symbols=(eta, C, q, E, B, b, b_u),
    requires=(Hypothesis("b_u < B", lambda b_u, B: b_u < B),),
    plot=Plot(
        "E",
        tuple(float(e) for e in range(20)),
        {"eta": 0.05, "C": 10.0, "q": 0.995, "B": 16, "b": 64, "b_u": 3},
        log_y=False,
    ),
    quantity="|v_T - w_T|",
)
convex.interpreted_as(
    "literal", "one sample, in batch b(u) of every epoch; |g_u| <= C on the learned trajectory"
)


@convex.form("tight", tex=r"\frac{C\eta}{b}\,q^{b(u)}\,\frac{1-q^{T}}{1-q^{B}},\quad T=(E+1)B")
def sum_of_steps(xp, eta, C, q, E, B, b, b_u):
    """|v_T - w_T| is at most this value for convex losses.

    (14) is 2 b (1 - q^B)/((1 - q) q^{b(u)}) times larger, which tends to 2n as q -> 1.

    Note: one sample, eta_t M <= 2; attained where the kept losses are linear
    Proof: a step on convex smooth losses does not expand
    Source: hf, Lemma 4.1, sharp form (c)
    """
    epochs = xp.geometric(1 - q, (E + 1) * B) / xp.geometric(1 - q, B)
    return C * eta / b * q**b_u * epochs
