"""(16) of olu: what the noise of the requests adds to the regret."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.olu.noise_terms import (
    PAPERS_OMEGA,
    contraction,
    enough,
    odd_over_age,
    odd_over_age_expr,
    over,
)
from bounds.olu.series import precise_power
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
    tau,
    u,
)

formula = Formula(
    id="olu.eq16",
    label="(16)",
    left=r"\mathbb{E}_{\xi_{1:k}}[B]",
    symbols=(d, epsilon, L, mu, beta, u, tau, omega),
    requires=(convexity_order, late_enough, over, different, enough),
)


@formula.form(
    "printed",
    tex=r"\frac{d\omega L^2}{4\varepsilon\mu(\omega-1)}\sum_{i=1}^k\frac{\tau[i]-1}{u[i]^2}"
    r"\gamma^{2(\tau[i]-u[i])}i^{\omega}",
    note="for the sigma of Algorithm 1; the sigma displayed with it has a stray alpha",
)
def printed(
    d: Array, epsilon: Array, L: Array, mu: Array, beta: Array, u: Array, tau: Array,
    omega: Array = PAPERS_OMEGA,
) -> Array:  # fmt: skip
    """sum_i d sigma_i^2/(2 eta_{tau_i - 1}) with Algorithm 1's sigma. Source: olu (16)."""
    i = np.arange(1, np.size(tau) + 1)
    gamma, w = contraction(beta, mu)[..., None], omega[..., None]
    terms = (tau - 1) / u**2 * gamma ** (2 * (tau - u)) * i**w
    return np.asarray(d * omega * L**2 / (4 * epsilon * mu * (omega - 1)) * terms.sum(axis=-1))


@printed.expression
def _(
    sp: Any, d: Any, epsilon: Any, L: Any, mu: Any, beta: Any, u: Any, tau: Any,
    omega: Any = None,
) -> Any:  # fmt: skip
    w = sp.Rational(6, 5) if omega is None else omega
    gamma = (beta / mu - 1) / (beta / mu + 1)
    terms = sum(
        (t - 1) / v**2 * gamma ** (2 * (t - v)) * precise_power(sp, sp.Integer(i + 1), w)
        for i, (v, t) in enumerate(zip(u, tau, strict=True))
    )
    return d * w * L**2 / (4 * epsilon * mu * (w - 1)) * terms


@formula.form(
    "corrected",
    tex=r"\frac{dL^2}{4\varepsilon\mu}\sum_i\frac{2i-1}{\tau_i-1}",
    note="for the least noise that unlearns",
)
def corrected(d: Array, epsilon: Array, L: Array, mu: Array, tau: Array) -> Array:
    """sum_i d sigma_i^2/(2 eta_{tau_i - 1}) with the least noise that gives the guarantee."""
    return d * L**2 / (4 * epsilon * mu) * odd_over_age(tau)


@corrected.expression
def _(sp: Any, d: Any, epsilon: Any, L: Any, mu: Any, tau: Any) -> Any:
    return d * L**2 / (4 * epsilon * mu) * odd_over_age_expr(tau)
