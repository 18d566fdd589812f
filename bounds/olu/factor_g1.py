"""G_1 of olu Theorem 2, and the sum that takes its place under noise that unlearns."""

import numpy as np

from bounds import Plot, Statement
from bounds.forms import Array
from bounds.olu.noise_terms import enough
from bounds.olu.series import g1, odd_over_age
from bounds.olu.symbols import beta, convexity_order, different, late_enough, mu, paired, tau, u

statement = Statement(
    "olu.g1",
    "G_1 (after Theorem 2)",
    "asymptotic",
    words="Each summand of G_1 is O(1) for any deletion times and indices, so that the noise "
    "costs O(d k^2.2/eps).",
    left=r"\text{noise term of the regret, without its powers of } k \text{ and constants}",
    symbols=(mu, beta, u, tau),
    requires=(convexity_order, late_enough, paired, different, enough),
    growth="sums over the deletions, whose number is the length of a list",
    aliases=("olu.G1",),
    plot=Plot("beta", (1.5, 2, 3, 4, 6, 8), {"mu": 1.0, "u": [9, 12], "tau": [20, 40]}, log_y=True),
    quantity="price of valid noise, in units of d L^2/(4 eps mu)",
    correction="G_1 <= 0.81, so k^1.7 and not k^2.2; with valid noise sum (2i-1)/(tau_i-1) <= 2k.",
)
statement.interpreted_as(
    "order",
    "tau_i gamma^(2 (tau_i - u_i))/u_i^2 <= 1/u_i for u_i >= 1/2 + beta/mu, and so "
    "G_1 <= sqrt(pi^2/6 - 1)",
    {"printed": "<="},
)
statement.interpreted_as(
    "price",
    "what noise costs that unlearns: printed in units of sqrt(3) d k^1.7 L^2/(eps mu), "
    "corrected in units of d L^2/(4 eps mu)",
    stance="component",
)


@statement.form(
    "printed",
    tex=r"\mathcal{G}_1(\gamma,\mathcal{T},\mathcal{U})"
    r"=\sqrt{\sum_{i=1}^k\tau[i]^2\gamma^{4(\tau[i]-u[i])}/u[i]^4}",
)
def printed(xp, beta, mu, u, tau):
    """G_1 as printed.

    Note: at most sqrt(sum 1/u_i^2) < 0.81 under the theorem's hypothesis on u
    Proof (order): 1/(2 log(1/gamma)) <= beta/(4 mu) < u_i; the u_i differ
    Fails (price): G₁ prices noise that is too small to unlearn. Noise that does unlearn costs
        {measured} in units of dL²/(4εμ), and the term with G₁ is {bound} in them: the effect of f_u
        falls like 1/τ, not like γ^(τ-u).
    Source: olu, Theorem 2
    """
    return g1(xp, mu, beta, u, tau)


@printed.numeric
def _(beta: Array, mu: Array, u: Array, tau: Array) -> Array:
    """The largest term is taken out: squares may underflow."""
    gamma = ((beta - mu) / (beta + mu))[..., None]
    terms = tau * gamma ** (2 * (tau - u)) / u**2
    top = np.max(terms, axis=-1, keepdims=True)
    shares = np.divide(terms, top, out=np.zeros_like(terms), where=top > 0)
    return np.asarray(top[..., 0] * np.sqrt(np.sum(shares**2, axis=-1)))


@statement.form("corrected", tex=r"\sum_{i=1}^k\frac{2i-1}{\tau_i-1}\le 2k")
def corrected(xp, tau):
    """sum_i (2i - 1)/(tau_i - 1), the exact price of the least noise on isotropic quadratics.

    Note: valid noise costs d L^2/(4 eps mu) times this
    Proof: d sigma_i^2/(2 eta) with the least sigma_i
    """
    return odd_over_age(xp, tau)


def summand_cap(u: Array) -> Array:
    """1/u_i >= tau_i gamma^{2 (tau_i - u_i)}/u_i^2 for u_i >= 1/2 + beta/mu.

    (u + m) gamma^{2m} decreases in m once u >= 1/(2 log(1/gamma)), and with r = beta/mu
    log(1/gamma) = 2 artanh(1/r) >= 2/r, so that 1/(2 log(1/gamma)) <= r/4 < u.
    """
    return 1.0 / np.asarray(u, dtype=float)
