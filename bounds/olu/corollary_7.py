"""Corollary 7 of olu and its (22): Theorem 2 without the indices of the deletions."""

from bounds import Plot, Statement, Symbol
from bounds.olu.series import rate_of_decay
from bounds.olu.symbols import L, T, beta, convexity_order, d, epsilon, k, mu, omega

gamma = Symbol("gamma", "the paper's contraction factor", r"\gamma", low=0, high=1, unit="1")


def _log_inverse(xp, gamma):
    """ln(1/gamma): inf at 0, and 0 (not -0) at 1."""
    return 0 - xp.log(gamma)


eq22 = Statement(
    "olu.eq22",
    "(22)",
    "inequality",
    words="tau_i gamma^(2 (tau_i - u_i))/u_i^2 <= 1 + 1/(e ln(1/gamma)).",
    left=r"\frac{\tau[i]}{u[i]^2}\gamma^{2(\tau[i]-u[i])}",
    symbols=(gamma, Symbol("u_i", "round of the deleted loss", "u[i]", low=1, kind="integer")),
    plot=Plot("gamma", (0.1, 0.3, 0.5, 0.7, 0.9, 0.97), {"u_i": 3}),
    quantity="largest summand over tau",
    correction="1 + 1/(2 e ln(1/gamma)).",
)
eq22.interpreted_as("literal", "1 <= u <= tau, 0 <= gamma < 1")


@eq22.form("printed", tex=r"1+\frac{1}{e\ln\frac1\gamma}")
def printed_22(xp, gamma):
    """At least the summand, whatever tau >= u >= 1.

    Note: gamma^{2m} used as if it were gamma^m
    Proof: from the corrected form
    Source: olu, (22)
    """
    return 1 + 1 / (xp.exp(1) * _log_inverse(xp, gamma))


@eq22.form("corrected", tex=r"1+\frac{1}{2e\ln\frac1\gamma}")
def corrected_22(xp, gamma):
    """At least the summand, whatever tau >= u >= 1.

    Note: m gamma^{2m} <= this - 1
    Proof: m gamma^(2m) <= 1/(2 e ln(1/gamma))
    """
    return 1 + 1 / (2 * xp.exp(1) * _log_inverse(xp, gamma))


@eq22.form("tight", tex=r"\sup_{m\ge0}\frac{u+m}{u^2}\gamma^{2m}", reads={"u": "u_i"})
def tight_22(xp, gamma, u_i):
    """The largest summand over tau = u + m, at a whole number beside 1/(2 ln(1/gamma)) - u.

    Note: 1/u as soon as u >= 1/2 + beta/mu
    Proof: the largest term of a unimodal sequence
    """

    def largest():
        best = xp.maximum(0, 1 / (2 * _log_inverse(xp, gamma)) - u_i)
        summand = lambda m: (u_i + m) / u_i**2 * gamma ** (2 * m)  # noqa: E731
        return xp.maximum(summand(xp.floor(best)), summand(xp.ceiling(best)))

    return xp.where(gamma < 1, largest, xp.inf)


SUDDEN: dict[str, float] = {
    "T": 5000,
    "k": 1,
    "d": 1,
    "epsilon": 7.5e-5,
    "L": 1.0,
    "mu": 1.0,
    "beta": 1.0,
}
statement = Statement(
    "olu.cor7",
    "Corollary 7",
    "inequality",
    words="Under Theorem 2's assumptions the expected regret is at most (L^2/mu)(1 + k + "
    "k^2 + log T) + d omega k^(omega+1) L^2/(2 sqrt(3) e ln(1/gamma) eps mu (omega - 1)).",
    left=r"\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\mathcal{S}^{\mathcal{U}},\mathcal{T})]",
    symbols=(T, k, d, epsilon, L, mu, beta, omega),
    requires=(convexity_order,),
    plot=Plot(
        "T",
        (1100, 1500, 2000, 3000, 5000),
        {k: v for k, v in SUDDEN.items() if k != "T"},
        log_x=True,
    ),
    quantity="expected regret, own noise, u = tau",
    correction="1 + 1/(2 e ln(1/gamma)) for 1/(e ln(1/gamma)); noise that unlearns: Theorem 2, "
    "corrected.",
)
statement.interpreted_as(
    "literal",
    "Algorithm 1's own noise, projected after it, u_i <= tau_i; log T for the "
    "(1 + log T)/2 of descent, so that half of it is the most to be reached",
)


def _bound(xp, cap, T, k, d, epsilon, L, mu, omega):
    """The bound with `cap` for the largest summand of G_1."""
    noise = d * omega * k ** (omega + 1) * L**2 * cap
    noise = noise / (2 * xp.sqrt(3) * epsilon * mu * (omega - 1))
    return L**2 / mu * (1 + k + k**2 + xp.log(T)) + noise


@statement.form(
    "printed",
    tex=r"\frac{L^2}{\mu}(1+k+k^2+\log T)+\frac{d\omega k^{\omega+1}L^2}"
    r"{2\sqrt3e\ln(\frac1\gamma)\varepsilon\mu(\omega-1)}",
)
def printed(xp, T, k, d, epsilon, L, mu, beta, omega=1.2):
    """Claimed to be at least the expected regret of Algorithm 1.

    Note: drops the 1 + of (22): no noise at all as gamma -> 0
    Fails (literal): (22) bounds each term by 1 + 1/(e ln(1/γ)), and the corollary drops the 1: its
        noise term vanishes as γ → 0, but not the noise for a loss deleted at once. At β = {beta}, μ
        = {mu} the regret is {measured}, above {bound}.
    Source: olu, Corollary 7
    """
    cap = 1 / (xp.exp(1) * rate_of_decay(xp, mu, beta))
    return _bound(xp, cap, T, k, d, epsilon, L, mu, omega)


@statement.form(
    "corrected",
    tex=r"\frac{L^2}{\mu}(1+k+k^2+\log T)+\frac{d\omega k^{\omega+1}L^2}"
    r"{2\sqrt3\varepsilon\mu(\omega-1)}\Big(1+\frac{1}{2e\ln\frac1\gamma}\Big)",
)
def corrected(xp, T, k, d, epsilon, L, mu, beta, omega=1.2):
    """At least the expected regret of Algorithm 1 with its own noise, projected after it.

    Note: still for noise that is too small to unlearn; valid noise: Theorem 2, corrected
    Proof: (18), (19), and (22) with its 1
    """
    cap = 1 + 1 / (2 * xp.exp(1) * rate_of_decay(xp, mu, beta))
    return _bound(xp, cap, T, k, d, epsilon, L, mu, omega)
