"""The last lines of the proof of Theorem 2(ii) of safe: what they give, granting the first one."""

from bounds import Plot, Statement
from bounds.safe.symbols import K, T, U, V, W
from bounds.safe.theorem_2_ii import step_length

statement = Statement(
    "safe.thm2ii.const",
    "Theorem 2(ii), last lines of the proof",
    "inequality",
    words="Granting its first inequality, the proof's sum of U nabla_{t+1}.(w_t - w_t*) is at "
    "most U V_T/2 + T U gamma/2 + 9 U W^2/(2 gamma).",
    left=r"\sum_{t=0}^{T-1}U\,\nabla_{t+1}^\top(w_t-w_t^*)",
    symbols=(U, W, K, T, V),
    plot=Plot(
        "T",
        (4.0, 16.0, 36.0, 100.0, 400.0, 1600.0, 6400.0),
        {"U": 1.0, "W": 1.0, "K": 1.0, "V": 1.0},
        log_x=True,
    ),
    quantity="sum of the inner products",
    correction="U V_T + 2 T U gamma + 9 U W^2/(2 gamma), granting a false inequality.",
)
statement.interpreted_as(
    "literal", "unit vectors g_t/|g_t|, w_0 and w_t* in the W-ball, no noise; 0/0 = 0 at t = 0"
)


@statement.form("printed", tex=r"\frac{UV_T}{2}+\frac{TU\gamma}{2}+\frac{9UW^2}{2\gamma}")
def printed(xp, U, W, K, T, V):
    """The sum of the proof's inner products is at most this value, says safe; false.

    Note: with a term from nowhere, -4 w_0 for -2 w_0, and |nabla_t|^2 <= 1
    Fails: Even granting the first inequality the lines before do not give these constants, but U
        V_T + 2TUγ + 9UW²/(2γ). For alternating unit vectors the sum is {ratio} times the bound at T
        = {T}.
    Source: safe, proof of Theorem 2(ii), last three displays
    """
    gamma = step_length(xp, W, K, T)
    return U * V / 2 + T * U * gamma / 2 + 9 * U * W**2 / (2 * gamma)


@statement.form("corrected", tex=r"UV_T+2TU\gamma+\frac{9UW^2}{2\gamma}")
def corrected(xp, U, W, K, T, V):
    """The sum is at most this value for any unit vectors and any w_0, w_t* in the W-ball.

    Without noise 2 gamma nabla_t.(w_{t-1} - w_{t-1}*) telescopes, but for gamma^2 |nabla_t|^2 <= 4
    gamma^2 and 2 gamma (g_t/|g_t|).(w_t* - w_{t-1}*) <= 2 gamma |w_t* - w_{t-1}*|.

    Note: both new coefficients are attained as T grows: opposite unit vectors, w_t* = W g_t/|g_t|
    Proof: the sum telescopes; |nabla_t| <= 2; w_t = w_0 - gamma g_t/|g_t|
    """
    gamma = step_length(xp, W, K, T)
    return U * V + 2 * T * U * gamma + 9 * U * W**2 / (2 * gamma)
