"""The least noise for deletions (in place of olu Algorithm 1, line 5)."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Written
from bounds.forms import Array
from bounds.olu import algorithm_1
from bounds.olu.symbols import (
    L,
    beta,
    convexity_order,
    different,
    epsilon,
    late_enough,
    mu,
    seen,
    tau,
    u,
)

statement = Statement(
    "own.opt.greedy",
    "Least noise for deletions",
    "inequality",
    words="sigma_i^2 = a_i (a_i + 2 Gamma_i S_{i-1})/(2 eps) keeps D_alpha <= alpha eps at "
    "every request, with the least cumulative variance for every i at once.",
    left=r"\sigma_k",
    reads={
        "a_i": r"\frac{L}{\mu u_i}\prod_{u_i<t<\tau_i}c_t",
        r"\Gamma_i": r"\prod_{\tau_{i-1}\le t<\tau_i}c_t",
    },
    symbols=(mu, beta, L, epsilon, u, tau),
    requires=(
        Hypothesis("whole numbers", lambda u: u == np.floor(u)),
        Hypothesis("whole numbers", lambda tau: tau == np.floor(tau)),
        convexity_order,
        seen,
        different,
        late_enough,
    ),
    aliases=("olu.opt.greedy",),
    plot=Plot(
        "epsilon",
        tuple(np.geomspace(0.01, 10, 13).tolist()),
        {"mu": 1.0, "beta": 1.0, "L": 1.0, "u": [2.0, 4.0, 3.0], "tau": [6.0, 14.0, 20.0]},
        log_x=True,
    ),
    quantity="least noise of the last request",
    correction="Project after the noise; without it a skipped step is no bounded shift.",
)
statement.interpreted_as(
    "literal", "chains with given shifts and factors; linear losses; all u_j < tau_1"
)
statement.interpreted_as(
    "projected", "projection on K after every step and after the noise, any schedule"
)
statement.interpreted_as(
    "unprojected",
    "strongly convex losses on R^d, a step skipped after the first noise",
    stance="amended",
)


@statement.form(
    "tight",
    tex=r"\sigma_i^2=\frac{a_i(a_i+2\Gamma_iS_{i-1})}{2\varepsilon},\quad S_i=a_i+\Gamma_iS_{i-1}",
    written=Written("least_noise.md", rests_on=("own.x2",), interpretations=("literal",)),
)
def least(xp, mu, beta, L, epsilon, u, tau):
    """Noise of the last request for which D_alpha <= alpha eps at every request, and no less.

    Least cumulative variance for the class of chains, for convex losses, and whenever every u_j <
    tau_1. The projection must follow the noise.

    Note: eta_t = 1/(mu t); every request then has D_alpha = alpha eps on linear chains
    Proof (literal): one segment for every i; equality on linear chains
    Proof (projected): the projection is 1-Lipschitz, skipping moves by <= eta L on K
    Fails (unprojected): Without a projection after the noise, a run that skips a step keeps more of
        the earlier noise, and the two laws differ in variance: at ε = {epsilon} D_α of order
        {alpha} is {measured}, and αε = {bound} is promised.
    Source: replaces olu Algorithm 1 line 5
    """
    return algorithm_1.tight.formula(xp, mu, beta, L, u, tau, epsilon)


@least.numeric
def _(mu: Array, beta: Array, L: Array, epsilon: Array, u: Array, tau: Array) -> Array:
    """Long schedules: sums of logarithms."""
    return np.asarray(algorithm_1.tight.value(mu, beta, L, u, tau, epsilon))
