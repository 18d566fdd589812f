"""Algorithm 3 of sglu: how far Descent-to-Delete is from the optimum after a series of requests."""

from bounds import Plot, Statement
from bounds.sglu.descent import I_steps, settled, shrinkage
from bounds.sglu.symbols import L, M, S, convexity_order, m_positive, n

statement = Statement(
    "sglu.alg3",
    "Algorithm 3",
    "algorithm",
    words="After each request I gradient steps bring the noiseless model within "
    "2 M gamma^I/(mn(1 - gamma^I)) of its new optimum.",
    left=r"\|\mathbf w'_S-\mathbf w^*_S\|",
    symbols=(I_steps, S, n, m_positive, L, M),
    requires=(convexity_order,),
    plot=Plot("S", tuple(map(float, range(1, 16))), {"I": 2, "n": 50, "m": 0.2, "L": 1, "M": 1}),
    quantity="distance of the noiseless model to the optimum",
    correction="Line 3 must start from the noiseless w'_{i-1} (Theorem L.1) or the published one "
    "(Theorem L.2), line 9 must publish w'_I.",
)
statement.interpreted_as(
    "literal", "each request replaces one point and starts from the noiseless model"
)


@statement.form("printed", tex=r"\frac{2M\gamma^I}{mn(1-\gamma^I)},\quad\gamma=\frac{L-m}{L+m}")
def printed(xp, I, S, n, m, L, M):  # noqa: E741
    """The noiseless model is at most this far from the optimum after S requests of I steps.

    Approached as S grows. The learning phase must end within gamma^I 2M/(mn) of its optimum, and
    each request must start from the noiseless model.

    Note: the limit of many requests, as Theorem L.1 uses it
    Proof: e_i <= gamma^I (e_{i-1} + Delta), summed
    Source: sglu, Algorithm 3 with (74)
    """
    return settled(xp, I, n, m, L, M)


@statement.form(
    "tight",
    tex=r"e_0=\gamma^I\Delta,\ e_i=\gamma^I(e_{i-1}+\Delta)\ \Rightarrow\ "
    r"e_S=\gamma^I\Delta\frac{1-\gamma^{(S+1)I}}{1-\gamma^I}",
)
def tight(xp, I, S, n, m, L, M):  # noqa: E741
    """The noiseless model is at most this far from the optimum after S requests of I steps.

    Note: attained by quadratics whose optimum always moves the same way
    Proof: equality for quadratics whose optimum always moves the same way
    """
    return settled(xp, I, n, m, L, M) * shrinkage(xp, L, m, (S + 1) * I)
