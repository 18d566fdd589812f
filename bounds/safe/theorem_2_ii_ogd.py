"""What replaces Theorem 2(ii) of safe for convex risks: projected normalised descent.

u_t is the projection of u_{t-1} - gamma g_t/|g_t| onto the W-ball, g_t a subgradient of R_t at
u_{t-1} (not at w_0); round t costs R_t(u_{t-1}) - R_t(w_t*), as in online learning.
"""

from bounds import Statement, Symbol
from bounds.safe.symbols import U, W
from bounds.safe.theorem_2_ii_track import v

moving = Symbol("gamma", "length of a step", r"\gamma", low=0, low_open=True, unit="parameter")
_HYPOTHESES = "convex U-Lipschitz risks, every w_t* and u_0 in the W-ball"
statement = Statement(
    "safe.thm2ii.ogd",
    "Theorem 2(ii), replaced: projected normalised descent",
    "inequality",
    words="Unit steps from the last model, projected onto the W-ball, have a regret of at most "
    "U[(4 W^2 + 4 W V_T)/(2 gamma) + T gamma/2].",
    left=r"\sum_t\left(R_t(u_{t-1})-R_t(w_t^*)\right)",
    symbols=(U, W, moving, v),
    quantity="regret",
)
statement.interpreted_as("literal", _HYPOTHESES)
tuned = Statement(
    "safe.thm2ii.ogd.tuned",
    "Projected normalised descent, best step",
    "inequality",
    words="With gamma = sqrt(4 W (W + V_T)/T) it is at most 2 U sqrt(W (W + V_T) T).",
    left=statement.left,
    symbols=(U, W, v),
    quantity="regret",
)
tuned.interpreted_as("literal", _HYPOTHESES + ", V_T known beforehand")


@statement.form(
    "corrected",
    tex=r"U\left[\frac{4W^2+4WV_T}{2\gamma}+\frac{T\gamma}{2}\right],\quad V_T=\sum_t v_t",
)
def corrected(xp, U, W, gamma, v):
    """The regret is at most this value for convex U-Lipschitz risks with w_t* in the W-ball.

    2 gamma (g/|g|).(u_{t-1} - w_t*) <= |u_{t-1} - w_t*|^2 - |u_t - w_t*|^2 + gamma^2, and moving
    the minimiser by v_t changes the square of the distance by 4 W v_t at most.

    Note: Zinkevich (2003), for unit steps; the term in T is attained
    Proof: Zinkevich (2003) with normalised subgradients
    """
    T = xp.count(v)
    return U * ((4 * W**2 + 4 * W * xp.prefix(v, T)) / (2 * gamma) + T * gamma / 2)


@tuned.form("corrected", tex=r"2U\sqrt{W(W+V_T)T}=O(\sqrt{T(1+V_T)})")
def best(xp, U, W, v):
    """The regret with the best step is at most this value, if V_T is known beforehand.

    Note: of the best order for convex risks revealed after playing (Zhang, Lu and Zhou 2018)
    Proof: the least value over gamma
    """
    T = xp.count(v)
    return 2 * U * xp.sqrt(W * (W + xp.prefix(v, T)) * T)
