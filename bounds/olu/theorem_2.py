"""Theorem 2 of olu: regret of the passive unlearner, strongly convex losses, 1/(mu t) steps."""

from typing import Any

from bounds import Plot, Statement
from bounds.olu.noise_terms import enough
from bounds.olu.series import g1, moving, odd_over_age
from bounds.olu.symbols import (
    L,
    T,
    beta,
    convexity_order,
    d,
    different,
    epsilon,
    late_enough,
    mu,
    paired,
    tau,
    u,
    within_rounds,
)

# So much noise, and a loss removed so late, that the printed regret is exceeded.
LOUD: dict[str, Any] = {
    "T": 5000,
    "d": 1,
    "epsilon": 1.25e-5,
    "L": 1.0,
    "mu": 1.0,
    "beta": 3.0,
    "u": [4],
    "tau": [1001],
}


SYMBOLS = (T, d, epsilon, L, mu, beta, u, tau)
REQUIRES = (convexity_order, late_enough, paired, different, enough, within_rounds)

statement = Statement(
    "olu.thm2",
    "Theorem 2",
    "inequality",
    words="Passive unlearning with steps 1/(mu t) and u_i >= 1/2 + beta/mu has expected "
    "regret (L^2/mu)(log T + 2 k^2 + sqrt(3) d k^1.7 G_1/eps).",
    left=r"\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\mathcal{S}^{\mathcal{U}},\mathcal{T})]",
    symbols=SYMBOLS,
    requires=REQUIRES,
    plot=Plot(
        "T",
        (1100, 1500, 2000, 3000, 5000, 8000),
        {key: LOUD[key] for key in LOUD if key != "T"},
        log_x=True,
    ),
    quantity="expected regret with noise that unlearns",
    correction="'<='; eta_u L gamma^(tau-u) must be L/(mu (tau - 1)), the noise "
    "(2i - 1) L^2/(2 eps mu^2 (tau_i - 1)^2); then (L^2/mu)((1 + log T)/2 + k + d k/(2 eps)).",
)
statement.interpreted_as(
    "literal",
    "Algorithm 1's own noise, which does not unlearn; '=' read as '<='; noise inside the "
    "projection, as in (12)",
    {"printed": "<="},
)
statement.interpreted_as("equality", "the same, with the '=' as printed", {"printed": "<="})
statement.interpreted_as(
    "valid", "the least noise for which D_alpha <= alpha eps, projected after it", stance="amended"
)
statement.interpreted_as(
    "useful",
    "below what discard-and-restart is proved to achieve without noise, at T <= 10^6",
    {"printed": "<="},
    stance="amended",
)


@statement.form(
    "printed",
    tex=r"\frac{L^{2}}{\mu}\left(\log T+2k^{2}+\frac{\sqrt{3}dk^{1.7}}{\varepsilon}"
    r"\mathcal{G}_{1}(\gamma,\mathcal{T},\mathcal{U})\right)",
)
def printed(xp, T, d, epsilon, L, mu, beta, u, tau):
    """At least the expected regret of Algorithm 1 with its own noise (omega = 1.2).

    That noise does not unlearn; with noise that does, false.

    Note: bounds the regret of noise too small to unlearn; printed with '='
    Proof (literal): (18) and (19); (1 + log T)/2 + k <= log T + 2 k^2 for T >= 2
    Fails (equality): The right side is an upper bound, not the regret: on losses z²/2, started at
        their minimiser 0, the regret is {measured} and the right side {bound}.
    Fails (valid): Algorithm 1's noise, which it counts, is too small to unlearn. With the least
        noise that does, one deletion at ε = {epsilon}, T = {T} has expected regret {measured},
        above the bound {bound}.
    Fails (useful): Discard-and-restart unlearns exactly, with regret at most {bound} at k = {k}, T
        = {T}; the theorem's bound without its noise term is {measured} already. At k = 1 this is so
        for every T.
    Source: olu, Theorem 2
    """
    k = xp.count(tau)
    noise = xp.sqrt(3) * d * k ** xp.rational(17, 10) / epsilon * g1(xp, mu, beta, u, tau)
    return L**2 / mu * (xp.log(T) + 2 * k**2 + noise)


@statement.form(
    "corrected", tex=r"\frac{L^2}{\mu}\left(\frac{1+\log T}{2}+k+\frac{dk}{2\varepsilon}\right)"
)
def corrected(xp, T, d, epsilon, L, mu, tau):
    """At least the expected regret of online descent with the least noise that unlearns.

    Note: least valid noise, projected after it; whatever the schedule
    Proof: from the tight form: H_T <= 1 + log T and tau_i - 1 >= i
    Source: olu, Theorem 2, repaired
    """
    k = xp.count(tau)
    return L**2 / mu * ((1 + xp.log(T)) / 2 + k + d * k / (2 * epsilon))


@statement.form(
    "tight",
    tex=r"\frac{L^2}{2\mu}H_T+\frac{L^2}{\mu}\sum_i\Big(1-\frac{\tau_i}{T}\Big)"
    r"+\frac{dL^2}{4\varepsilon\mu}\sum_i\frac{2i-1}{\tau_i-1}",
)
def tight(xp, T, d, epsilon, L, mu, tau):
    """At least the expected regret with sigma_i^2 = (2i-1) L^2/(2 eps mu^2 (tau_i - 1)^2).

    That noise gives D_alpha <= alpha eps at every request when it is projected after it is added
    and u_i + 1 >= (1 + beta/mu)/2.

    Note: regret, comparators, and noise, each with the constant that some stream attains
    Proof: one step in expectation, telescoped; comparators by Lemma 5; noise d sigma^2/(2 eta)
    Equality: the first term by adaptive quadratics, the second by Lemma 5's points, the third to
        first order in 1/tau by isotropic quadratics
    """
    noise = d / (4 * epsilon) * odd_over_age(xp, tau)
    return L**2 / mu * (xp.harmonic(T) / 2 + moving(xp, T, tau) + noise)
