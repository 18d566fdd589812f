"""(18) of olu: regret of the passive unlearner against one fixed point."""

from typing import Any

import numpy as np

from bounds.forms import Array
from bounds.olu.noise_terms import PAPERS_OMEGA, decay, decay_expr, odd_over_age, odd_over_age_expr
from bounds.olu.series import harmonic, precise_power
from bounds.olu.symbols import omega
from bounds.olu.theorem_2 import LOUD, REQUIRES, SYMBOLS
from bounds.readings import Reading
from bounds.statements import Plot, Statement

statement = Statement(
    "olu.eq18",
    "(18)",
    "inequality",
    words="Against one fixed point the expected regret is at most (L^2/mu)(1 + log T) + "
    "d omega k^(omega + 1/2) L^2 G_1/(2 sqrt(3) eps mu (omega - 1)).",
    left=r"\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\emptyset,\mathcal{T})]",
    symbols=(*SYMBOLS, omega),
    requires=REQUIRES,
    readings=(
        Reading(
            "literal",
            "Algorithm 1's own noise, inside the projection; the left side is the regret "
            "against z_0*",
            {"printed": "<="},
            proofs={"printed": "(15), (16), sum i^(2 omega) <= (4/3) k^(2 omega + 1)"},
        ),
        Reading(
            "valid",
            "the least noise for which D_alpha <= alpha eps, projected after it",
            {"printed": "<=", "corrected": "<="},
            proofs={"corrected": "(15) and (16) with their constants"},
            stance="repair",
        ),
    ),
    plot=Plot(
        "T",
        (1100, 1500, 2000, 3000, 5000, 8000),
        {k: LOUD[k] for k in LOUD if k != "T"},
        log_x=True,
    ),
    quantity="expected regret against one point, with noise that unlearns",
    correction="(L^2/2mu) H_T + (d L^2/(4 eps mu)) sum_i (2i - 1)/(tau_i - 1), valid noise.",
)


def noise(
    d: Array, epsilon: Array, L: Array, mu: Array, beta: Array, u: Array, tau: Array, omega: Array
) -> Array:
    """The noise term of (18)."""
    k = np.size(tau)
    size = d * omega * k ** (omega + 0.5) * L**2 / (2 * np.sqrt(3) * epsilon * mu * (omega - 1))
    return np.asarray(size * decay(beta, mu, u, tau))


def noise_expr(
    sp: Any, d: Any, epsilon: Any, L: Any, mu: Any, beta: Any, u: Any, tau: Any, omega: Any
) -> Any:
    """`noise` in sympy; the paper's omega where none is given."""
    w = sp.Rational(6, 5) if omega is None else omega
    k = sp.Integer(len(tau))
    size = d * w * precise_power(sp, k, w + sp.Rational(1, 2)) * L**2
    size = size / (2 * sp.sqrt(3) * epsilon * mu * (w - 1))
    return size * decay_expr(sp, beta, mu, u, tau)


@statement.form(
    "printed",
    tex=r"\frac{L^2}{\mu}(1+\log T)+\frac{d\omega k^{\omega+0.5}L^2}"
    r"{2\sqrt3\varepsilon\mu(\omega-1)}\sqrt{\sum_{i=1}^k\Big(\frac{\tau[i]}{u[i]^2}"
    r"\gamma^{2(\tau[i]-u[i])}\Big)^2}",
    note="an unexplained factor 2 makes up for (17)",
)
def printed(
    T: Array, d: Array, epsilon: Array, L: Array, mu: Array, beta: Array, u: Array, tau: Array,
    omega: Array = PAPERS_OMEGA,
) -> Array:  # fmt: skip
    """At least the expected regret of Algorithm 1, own noise, one comparator. Source: olu (18)."""
    return np.asarray(L**2 / mu * (1 + np.log(T)) + noise(d, epsilon, L, mu, beta, u, tau, omega))


@printed.expression
def _(
    sp: Any, T: Any, d: Any, epsilon: Any, L: Any, mu: Any, beta: Any, u: Any, tau: Any,
    omega: Any = None,
) -> Any:  # fmt: skip
    return L**2 / mu * (1 + sp.log(T)) + noise_expr(sp, d, epsilon, L, mu, beta, u, tau, omega)


@statement.form(
    "corrected",
    tex=r"\frac{L^2}{2\mu}H_T+\frac{dL^2}{4\varepsilon\mu}\sum_i\frac{2i-1}{\tau_i-1}",
    note="with the least noise that unlearns",
)
def corrected(T: Array, d: Array, epsilon: Array, L: Array, mu: Array, tau: Array) -> Array:
    """At least the expected regret against one point, least valid noise projected after it."""
    return L**2 / (2 * mu) * harmonic(T) + d * L**2 / (4 * epsilon * mu) * odd_over_age(tau)


@corrected.expression
def _(sp: Any, T: Any, d: Any, epsilon: Any, L: Any, mu: Any, tau: Any) -> Any:
    regret = L**2 / (2 * mu) * sp.harmonic(T)
    return regret + d * L**2 / (4 * epsilon * mu) * odd_over_age_expr(tau)
