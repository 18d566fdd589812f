"""Corollary 7 of olu and its (22): Theorem 2 without the indices of the deletions."""

from typing import Any

import numpy as np

from bounds.forms import Array
from bounds.olu.noise_terms import PAPERS_OMEGA, contraction
from bounds.olu.series import precise_power
from bounds.olu.symbols import L, T, beta, convexity_order, d, epsilon, k, mu, omega
from bounds.readings import Reading
from bounds.statements import Plot, Statement
from bounds.symbols import Symbol

gamma = Symbol("gamma", "the paper's contraction factor", r"\gamma", low=0, high=1)
eq22 = Statement(
    "olu.eq22",
    "(22)",
    "inequality",
    words="tau_i gamma^(2 (tau_i - u_i))/u_i^2 <= 1 + 1/(e ln(1/gamma)).",
    left=r"\frac{\tau[i]}{u[i]^2}\gamma^{2(\tau[i]-u[i])}",
    symbols=(gamma, Symbol("u_i", "round of the deleted loss", "u[i]", low=1, kind="integer")),
    readings=(
        Reading(
            "literal",
            "1 <= u <= tau, 0 <= gamma < 1",
            {"printed": "<=", "corrected": "<=", "tight": "<="},
            proofs={
                "printed": "from the corrected form",
                "corrected": "m gamma^(2m) <= 1/(2 e ln(1/gamma))",
                "tight": "the largest term of a unimodal sequence",
            },
        ),
    ),
    plot=Plot("gamma", (0.1, 0.3, 0.5, 0.7, 0.9, 0.97), {"u_i": 3}),
    quantity="largest summand over tau",
    correction="1 + 1/(2 e ln(1/gamma)).",
)


@eq22.form(
    "printed", tex=r"1+\frac{1}{e\ln\frac1\gamma}", note="gamma^{2m} used as if it were gamma^m"
)
def printed_22(gamma: Array) -> Array:
    """At least the summand, whatever tau >= u >= 1. Source: olu (22)."""
    return 1 + 1 / (np.e * np.abs(np.log(gamma)))


printed_22.expr = lambda sp, gamma: 1 - 1 / (sp.E * sp.log(gamma))


@eq22.form("corrected", tex=r"1+\frac{1}{2e\ln\frac1\gamma}", note="m gamma^{2m} <= this - 1")
def corrected_22(gamma: Array) -> Array:
    """At least the summand, whatever tau >= u >= 1."""
    return 1 + 1 / (2 * np.e * np.abs(np.log(gamma)))


corrected_22.expr = lambda sp, gamma: 1 - 1 / (2 * sp.E * sp.log(gamma))


@eq22.form(
    "tight",
    tex=r"\sup_{m\ge0}\frac{u+m}{u^2}\gamma^{2m}",
    note="1/u as soon as u >= 1/2 + beta/mu",
    reads={"u": "u_i"},
)
def tight_22(gamma: Array, u_i: Array) -> Array:
    """The largest summand over tau = u + m, at a whole number beside 1/(2 ln(1/gamma)) - u."""
    best = np.maximum(0.0, 0.5 / np.abs(np.log(gamma)) - u_i)

    def summand(m: Array) -> Array:
        return (u_i + m) / u_i**2 * gamma ** (2 * m)

    found = np.maximum(summand(np.floor(best)), summand(np.ceil(best)))
    return np.asarray(np.where(gamma < 1, found, np.inf))


@tight_22.expression
def _(sp: Any, gamma: Any, u_i: Any) -> Any:
    best = sp.Max(0, -1 / (2 * sp.log(gamma)) - u_i)
    beside = (sp.floor(best), sp.ceiling(best))
    return sp.Max(*((u_i + m) / u_i**2 * gamma ** (2 * m) for m in beside))


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
    readings=(
        Reading(
            "literal",
            "Algorithm 1's own noise, projected after it, u_i <= tau_i; log T for the "
            "(1 + log T)/2 of descent, so that half of it is the most to be reached",
            {"printed": "<=", "corrected": "<="},
            proofs={"corrected": "(18), (19), and (22) with its 1"},
        ),
    ),
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


def _cap(form: str, gamma: Array) -> Array:
    """What each form puts for the largest summand of G_1."""
    if form == "printed":
        return 1 / (np.e * np.abs(np.log(gamma)))
    return 1 + 1 / (2 * np.e * np.abs(np.log(gamma)))


def _bound(
    cap: Array, T: Array, k: Array, d: Array, epsilon: Array, L: Array, mu: Array, omega: Array
) -> Array:
    noise = d * omega * k ** (omega + 1) * L**2 * cap
    noise = noise / (2 * np.sqrt(3) * epsilon * mu * (omega - 1))
    return np.asarray(L**2 / mu * (1 + k + k**2 + np.log(T)) + noise)


def _bound_expr(
    sp: Any, cap: Any, T: Any, k: Any, d: Any, epsilon: Any, L: Any, mu: Any, omega: Any
) -> Any:
    w = sp.Rational(6, 5) if omega is None else omega
    noise = d * w * precise_power(sp, k, w + 1) * L**2 * cap
    noise = noise / (2 * sp.sqrt(3) * epsilon * mu * (w - 1))
    return L**2 / mu * (1 + k + k**2 + sp.log(T)) + noise


@statement.form(
    "printed",
    tex=r"\frac{L^2}{\mu}(1+k+k^2+\log T)+\frac{d\omega k^{\omega+1}L^2}"
    r"{2\sqrt3e\ln(\frac1\gamma)\varepsilon\mu(\omega-1)}",
    note="drops the 1 + of (22): no noise at all as gamma -> 0",
)
def printed(
    T: Array, k: Array, d: Array, epsilon: Array, L: Array, mu: Array, beta: Array,
    omega: Array = PAPERS_OMEGA,
) -> Array:  # fmt: skip
    """Claimed to be at least the expected regret of Algorithm 1. Source: olu Corollary 7."""
    cap = _cap("printed", contraction(beta, mu))
    return _bound(cap, T, k, d, epsilon, L, mu, omega)


@printed.expression
def _(
    sp: Any, T: Any, k: Any, d: Any, epsilon: Any, L: Any, mu: Any, beta: Any, omega: Any = None
) -> Any:
    cap = -1 / (sp.E * sp.log((beta - mu) / (beta + mu))) if beta > mu else 0
    return _bound_expr(sp, cap, T, k, d, epsilon, L, mu, omega)


@statement.form(
    "corrected",
    tex=r"\frac{L^2}{\mu}(1+k+k^2+\log T)+\frac{d\omega k^{\omega+1}L^2}"
    r"{2\sqrt3\varepsilon\mu(\omega-1)}\Big(1+\frac{1}{2e\ln\frac1\gamma}\Big)",
    note="still for noise that is too small to unlearn; valid noise: Theorem 2, corrected",
)
def corrected(
    T: Array, k: Array, d: Array, epsilon: Array, L: Array, mu: Array, beta: Array,
    omega: Array = PAPERS_OMEGA,
) -> Array:  # fmt: skip
    """At least the expected regret of Algorithm 1 with its own noise, projected after it."""
    cap = _cap("corrected", contraction(beta, mu))
    return _bound(cap, T, k, d, epsilon, L, mu, omega)


@corrected.expression
def _(
    sp: Any, T: Any, k: Any, d: Any, epsilon: Any, L: Any, mu: Any, beta: Any, omega: Any = None
) -> Any:
    inverse = 1 / (2 * sp.E * sp.log((beta + mu) / (beta - mu))) if beta > mu else 0
    return _bound_expr(sp, 1 + inverse, T, k, d, epsilon, L, mu, omega)
