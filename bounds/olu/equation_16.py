"""(16) of olu: what the noise of the requests adds to the regret."""

from bounds import Plot, Statement
from bounds.olu.noise_terms import enough
from bounds.olu.series import odd_over_age, power
from bounds.olu.symbols import (
    L,
    beta,
    convexity_order,
    d,
    different,
    epsilon,
    late_enough,
    mu,
    omega,
    paired,
    tau,
    u,
)

statement = Statement(
    "olu.eq16",
    "(16)",
    "equality",
    words="E[B] = (d omega L^2/(4 eps mu (omega - 1))) sum_i ((tau_i - 1)/u_i^2) "
    "gamma^(2 (tau_i - u_i)) i^omega.",
    left=r"\mathbb{E}_{\xi_{1:k}}[B]",
    symbols=(d, epsilon, L, mu, beta, u, tau, omega),
    requires=(convexity_order, late_enough, paired, different, enough),
    plot=Plot(
        "epsilon",
        (0.01, 0.1, 1.0, 10.0),
        {"d": 2, "L": 1.0, "mu": 1.0, "beta": 2.0, "u": [3, 5], "tau": [6, 9]},
        log_x=True,
    ),
    quantity="E[B] with the noise of Algorithm 1",
    correction="No alpha in sigma_i^2; E[|xi|^2] for E[|xi|]^2; the valid noise gives "
    "(d L^2/(4 eps mu)) sum_i (2i - 1)/(tau_i - 1).",
)
statement.interpreted_as("algorithm", "sigma_i as in Algorithm 1, line 5", {"printed": "=="})
statement.interpreted_as(
    "displayed",
    "sigma_i^2 as displayed under (16), with a factor alpha (here alpha = 2)",
    {"printed": "=="},
)
statement.interpreted_as(
    "valid", "the least noise that unlearns", {"corrected": "=="}, stance="amended"
)


@statement.form(
    "printed",
    tex=r"\frac{d\omega L^2}{4\varepsilon\mu(\omega-1)}\sum_{i=1}^k\frac{\tau[i]-1}{u[i]^2}"
    r"\gamma^{2(\tau[i]-u[i])}i^{\omega}",
)
def printed(xp, d, epsilon, L, mu, beta, u, tau, omega=1.2):
    """sum_i d sigma_i^2/(2 eta_{tau_i - 1}) with Algorithm 1's sigma.

    Note: for the sigma of Algorithm 1; the sigma displayed with it has a stray alpha
    Proof (algorithm): E|xi_i|^2 = d sigma_i^2; the products with xi_i vanish
    Fails (displayed): The σ_i² displayed with step (c) has a factor α that Algorithm 1 and the
        right side lack: with it E[B] is {measured} at α = 2, and the right side {bound}.
    Source: olu, (16)
    """
    terms = xp.over(
        lambda i, t, v: (t - 1) / v**2 * power(xp, mu, beta, 2 * (t - v)) * i**omega, tau, u
    )
    return d * omega * L**2 / (4 * epsilon * mu * (omega - 1)) * terms


@statement.form("corrected", tex=r"\frac{dL^2}{4\varepsilon\mu}\sum_i\frac{2i-1}{\tau_i-1}")
def corrected(xp, d, epsilon, L, mu, tau):
    """sum_i d sigma_i^2/(2 eta_{tau_i - 1}) with the least noise that gives the guarantee.

    Note: for the least noise that unlearns
    Proof: E|xi_i|^2 = d sigma_i^2; shift L/(mu (tau - 1)), own.opt
    """
    return d * L**2 / (4 * epsilon * mu) * odd_over_age(xp, tau)
