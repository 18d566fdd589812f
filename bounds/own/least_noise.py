"""The least noise for deletions (in place of olu Algorithm 1, line 5)."""

import numpy as np

from accounting.deletion_noise import least_deletion_noise
from accounting.deletions import DeletionSchedule
from accounting.online_descent import OnlineDescent, inverse_time
from bounds.forms import Array
from bounds.hypotheses import Hypothesis
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
from bounds.readings import Proof, Reading
from bounds.statements import Plot, Statement

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
    readings=(
        Reading(
            "literal",
            "chains with given shifts and factors; linear losses; all u_j < tau_1",
            {"tight": "<="},
            proofs={
                "tight": Proof(
                    "one segment for every i; equality on linear chains",
                    level="written",
                    file="least_noise.md",
                    rests_on=("own.x2",),
                )
            },
        ),
        Reading(
            "projected",
            "projection on K after every step and after the noise, any schedule",
            {"tight": "<="},
            proofs={"tight": "the projection is 1-Lipschitz, skipping moves by <= eta L on K"},
        ),
        Reading(
            "unprojected",
            "strongly convex losses on R^d, a step skipped after the first noise",
            {"tight": "<="},
            stance="repair",
        ),
    ),
    plot=Plot(
        "epsilon",
        tuple(np.geomspace(0.01, 10, 13).tolist()),
        {"mu": 1.0, "beta": 1.0, "L": 1.0, "u": [2.0, 4.0, 3.0], "tau": [6.0, 14.0, 20.0]},
        log_x=True,
    ),
    quantity="least noise of the last request",
    correction="Project after the noise; without it a skipped step is no bounded shift.",
)


@statement.form(
    "tight",
    tex=r"\sigma_i^2=\frac{a_i(a_i+2\Gamma_iS_{i-1})}{2\varepsilon},\quad S_i=a_i+\Gamma_iS_{i-1}",
    note="eta_t = 1/(mu t); every request then has D_alpha = alpha eps on linear chains",
)
def least(ns, mu, beta, L, epsilon, u, tau):
    """Noise of the last request for which D_alpha <= alpha eps at every request, and no less.

    Source: replaces olu Algorithm 1 line 5. Least cumulative variance for the class of chains,
    for convex losses, and whenever every u_j < tau_1. The projection must follow the noise.
    """
    k = ns.count(tau)

    def carried(first, last):
        return ns.product(
            lambda t: ns.maximum(abs(1 - 1 / t), abs(1 - beta / (mu * t))), first, last
        )

    def shift(j):
        return L / (mu * u[j]) * carried(u[j] + 1, tau[j] - 1)

    earlier = ns.total(lambda j: shift(j) * carried(tau[j], tau[k] - 1), 1, k - 1)
    return ns.sqrt(shift(k) * (shift(k) + 2 * earlier) / (2 * epsilon))


@least.numeric
def _(mu: float, beta: float, L: float, epsilon: float, u: Array, tau: Array) -> Array:
    """The accountant's, rounded up: streams are long."""
    descent = OnlineDescent(mu, beta, L, inverse_time(mu))
    schedule = DeletionSchedule(u.astype(np.int64), tau.astype(np.int64))
    return least_deletion_noise(descent, schedule, epsilon)[-1:].reshape(())
