"""Theorem 2(ii) of safe: the regret of SAFE, printed with its proof's constants and corrected."""

from bounds import Plot, Statement
from bounds.safe.symbols import K, T, U, V, W, d, phi

statement = Statement(
    "safe.thm2ii",
    "Theorem 2(ii)",
    "inequality",
    words="With gamma = sqrt(W)/(K sqrt T) SAFE's accumulated regret is O(sqrt T + V_T); its "
    "proof gives U V_T/2 + T U gamma/2 + 9 U W^2/(2 gamma).",
    left=r"\mathbb{E}\sum_{t=1}^{T}\left(R_t(w_t)-R_t(w_t^*)\right)",
    symbols=(U, W, K, T, V, d, phi),
    plot=Plot(
        "T",
        (16.0, 25.0, 36.0, 64.0, 100.0, 256.0, 400.0, 1024.0, 2500.0, 6400.0),
        {"U": 1.0, "W": 1.0, "K": 1.0, "V": 1.0, "d": 1, "phi": 0.0},
        log_x=True,
    ),
    quantity="expected regret",
    correction="U T sqrt((V_T + gamma)^2 + d phi), which is of order T: a step of fixed length "
    "from w_0 with fixed noise follows no stream. Warm-started tracking does (safe.thm2ii.track).",
)
statement.interpreted_as(
    "literal", "|w_0|, |w_t*| <= W; Gaussian b_t of variance phi; constant risk"
)
statement.interpreted_as(
    "published", "|w| <= W for every model, w_t as well, and Gaussian b_t", {"printed": "<="}
)
statement.interpreted_as("ball", "every w_t projected onto the W-ball", stance="amended")
statement.interpreted_as("silent", "no noise", stance="amended")
statement.interpreted_as(
    "small", "no noise; 1 % of the data leave, losses (w - x)^2/2", stance="amended"
)
statement.interpreted_as(
    "order",
    "growth of the regret in T at fixed V_T, without noise: exponent 1/2 or 1",
    stance="component",
)


def step_length(xp, W, K, T):
    """gamma = sqrt(W)/(K sqrt T), as safe sets it."""
    return xp.sqrt(W / T) / K


@statement.form(
    "printed",
    tex=r"\frac{UV_T}{2}+\frac{TU\gamma}{2}+\frac{9UW^2}{2\gamma}=O(\sqrt{T}+V_T),\quad "
    r"\gamma=\frac{\sqrt{W}}{K\sqrt{T}}",
)
def printed(xp, U, W, K, T, V):
    """The expected regret is at most this value, says safe.

    It is false: the regret is of order T as soon as phi > 0, or once w_t* stays away from w_0.

    Note: the constants that its proof gives
    Fails (literal): The noise costs as much in every round, so that the regret grows like T. For
        the constant risk ‖w‖ with V_T = {V} and variance {phi} it is {ratio} times the bound of
        {bound} after {T} rounds.
    Fails (published): ‖w_t‖ ≤ W is assumed of every published model, but Gaussian noise leaves
        every ball: at W = {W} and variance {phi} with probability {measured} in a round. So no run
        of Algorithm 1 meets the hypothesis.
    Fails (ball): Projection onto the ball bounds the noise and does not end it, so that the regret
        still grows like T: for the constant risk ‖w‖ it is {measured} after {T} rounds, and the
        bound is {bound}.
    Fails (silent): Without noise every step still starts at w₀ and is γ long, so that optima that
        stay away from w₀ are not followed. On the mean of real data, one label leaving first, the
        regret is {measured}, {ratio} times the bound.
    Fails (small): Few deletions and smooth losses do not help: where 1 % of the data leave, the
        optimum moves by V_T = {V} once, every step from w₀ is γ long, and the regret is {measured}
        after {T} rounds; the bound is {bound}.
    Fails (order): At fixed V_T = {V} and without noise the regret grows like T, by the measured
        exponent {measured}, not like √T: the optimum moves once, and a step of length γ from w₀
        gets less near to it as T grows.
    Source: safe, Theorem 2(ii) and the last line of its proof (Theorem 3 of the appendix)
    """
    gamma = step_length(xp, W, K, T)
    return U * V / 2 + T * U * gamma / 2 + 9 * U * W**2 / (2 * gamma)


@statement.form("corrected", tex=r"UT\sqrt{(V_T+\gamma)^2+d\phi}")
def corrected(xp, U, W, K, T, V, d, phi):
    """The expected regret is at most this value for U-Lipschitz risks and w_0 = w_0*.

    |w_0 - gamma g/|g| - w_t*| <= V_T + gamma. phi may be the largest of the variances. Neither
    convexity nor a ball is needed.

    Note: no more is true: of order T, and approached where w_t* jumps once and the step goes away
    Proof (literal, silent, small): Lipschitz, Jensen, and |w_0 - w_t*| <= V_T
    Proof (ball): Lipschitz, Jensen, and |w_0 - w_t*| <= V_T; projection brings w_t nearer
    Proof (order): T U (c - gamma) on the median stream
    """
    return U * T * xp.sqrt((V + step_length(xp, W, K, T)) ** 2 + d * phi)
