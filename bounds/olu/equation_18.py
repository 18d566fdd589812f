"""(18) of olu: regret of the passive unlearner against one fixed point."""

from bounds import Plot, Statement
from bounds.olu.series import g1, odd_over_age
from bounds.olu.symbols import omega
from bounds.olu.theorem_2 import LOUD, REQUIRES, SYMBOLS

statement = Statement(
    "olu.eq18",
    "(18)",
    "inequality",
    words="Against one fixed point the expected regret is at most (L^2/mu)(1 + log T) + "
    "d omega k^(omega + 1/2) L^2 G_1/(2 sqrt(3) eps mu (omega - 1)).",
    left=r"\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\emptyset,\mathcal{T})]",
    symbols=(*SYMBOLS, omega),
    requires=REQUIRES,
    plot=Plot(
        "T",
        (1100, 1500, 2000, 3000, 5000, 8000),
        {k: LOUD[k] for k in LOUD if k != "T"},
        log_x=True,
    ),
    quantity="expected regret against one point, with noise that unlearns",
    correction="(L^2/2mu) H_T + (d L^2/(4 eps mu)) sum_i (2i - 1)/(tau_i - 1), valid noise.",
)
statement.interpreted_as(
    "literal",
    "Algorithm 1's own noise, inside the projection; the left side is the regret against z_0*",
    {"printed": "<="},
)
statement.interpreted_as(
    "valid", "the least noise for which D_alpha <= alpha eps, projected after it", stance="amended"
)


def noise(xp, d, epsilon, L, mu, beta, u, tau, omega):
    """The noise term of (18)."""
    k = xp.count(tau)
    size = d * omega * k ** (omega + xp.rational(1, 2)) * L**2
    return size / (2 * xp.sqrt(3) * epsilon * mu * (omega - 1)) * g1(xp, mu, beta, u, tau)


@statement.form(
    "printed",
    tex=r"\frac{L^2}{\mu}(1+\log T)+\frac{d\omega k^{\omega+0.5}L^2}"
    r"{2\sqrt3\varepsilon\mu(\omega-1)}\sqrt{\sum_{i=1}^k\Big(\frac{\tau[i]}{u[i]^2}"
    r"\gamma^{2(\tau[i]-u[i])}\Big)^2}",
)
def printed(xp, T, d, epsilon, L, mu, beta, u, tau, omega=1.2):
    """At least the expected regret of Algorithm 1, own noise, one comparator.

    Note: an unexplained factor 2 makes up for (17)
    Proof (literal): (15), (16), sum i^(2 omega) <= (4/3) k^(2 omega + 1)
    Fails (valid): (18) counts noise that is too small to unlearn. With the least noise that does,
        one deletion at ε = {epsilon}, T = {T} has an expected regret of {measured} against one
        point, above the bound {bound}.
    Source: olu, (18)
    """
    return L**2 / mu * (1 + xp.log(T)) + noise(xp, d, epsilon, L, mu, beta, u, tau, omega)


@statement.form(
    "corrected", tex=r"\frac{L^2}{2\mu}H_T+\frac{dL^2}{4\varepsilon\mu}\sum_i\frac{2i-1}{\tau_i-1}"
)
def corrected(xp, T, d, epsilon, L, mu, tau):
    """At least the expected regret against one point, least valid noise projected after it.

    Note: with the least noise that unlearns
    Proof: (15) and (16) with their constants
    """
    return L**2 / (2 * mu) * xp.harmonic(T) + d * L**2 / (4 * epsilon * mu) * odd_over_age(xp, tau)
