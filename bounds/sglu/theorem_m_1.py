"""Theorem M.1 of sglu: Langevin unlearning under a log-Sobolev inequality."""

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.sglu.symbols import K, alpha, contractive, eta, m_positive, sigma

eps0 = Symbol(
    "eps0", "Rényi difference of the two stationary laws", r"\varepsilon_0", low=0, unit="1"
)
C = Symbol(
    "C",
    "log-Sobolev constant of the stationary laws",
    r"C_{\mathrm{LSI}}",
    low=0,
    low_open=True,
    unit="parameter^2",
)

statement = Statement(
    "sglu.thmm.1",
    "Theorem M.1",
    "inequality",
    words="Under a log-Sobolev inequality, K unlearning epochs of full-batch noisy gradient "
    "descent shrink the Rényi difference by exp(-2 sigma^2 eta K / (alpha C_LSI)).",
    left=r"d_\alpha(\rho_K, \nu_{\mathcal D'})",
    symbols=(alpha, eps0, sigma, eta, K, C, m_positive),
    requires=(
        contractive,
        Hypothesis(
            "eta <= (2/m)(1 - sigma^2/(m C))",
            lambda eta, m, sigma, C: m * C * (2 - eta * m) >= 2 * sigma**2 * (1 - 1e-12),
        ),
    ),
    aliases=("sglu.thmM.1", "sglu.eq77"),
    plot=Plot(
        "K",
        tuple(map(float, range(0, 41))),
        {"alpha": 2, "eps0": 1, "sigma": 0.5, "eta": 0.2, "C": 1, "m": 0.5},
    ),
    quantity="Rényi difference after K epochs",
    correction="On quadratics the decay is c^{2K} at every order, at least alpha times faster.",
)
statement.interpreted_as(
    "literal", "full batch, stationary laws C-log-Sobolev, eta <= (2/m)(1 - sigma^2/(m C))"
)


@statement.form(
    "printed",
    tex=r"\exp\left(-\frac{1}{\alpha}\frac{2\sigma^2\eta K}{C_{\mathrm{LSI}}}\right)\varepsilon_0",
)
def printed(xp, alpha, eps0, sigma, eta, K, C):
    """d_alpha after K full-batch epochs is at most this value when it was eps0 before.

    Under added variance v = 2 eta sigma^2 d_alpha falls by exp(-v/(alpha C)).

    Note: the rate slows down with the order alpha; quadratics decay as c^{2K} at every order
    Proof: both laws stay C-log-Sobolev while a step's noise is added, which shrinks d_alpha at rate
        1/(alpha C) per unit of variance
    Equality: approached as alpha -> 1 and eta m -> 0
    Source: sglu, Theorem M.1 and (77)
    """
    return xp.exp(-2 * sigma**2 * eta * K / (alpha * C)) * eps0
