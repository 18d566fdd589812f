"""(35) and (36) of olu: the regret bound of Theorem 4, implicit and solved."""

from typing import Any

import numpy as np

from bounds.forms import Array
from bounds.olu.equation_33_34 import X, root
from bounds.olu.regret_symbols import F, P, p_tau, p_u, sums_paired
from bounds.olu.series import precise_power
from bounds.olu.symbols import D, L, beta, d, epsilon, omega
from bounds.readings import Reading
from bounds.statements import Statement
from bounds.symbols import Symbol

B = Symbol("B", "cost of the noise, E sum |xi_i|^2/(2 eta)", r"\mathbb{E}[B]", low=0)

implicit = Statement(
    "olu.eq35",
    "(35)",
    "inequality",
    words="The expected regret is at most E B + (3D/2) sqrt(beta sum f_t(z_t)).",
    left=r"\sum_{i=0}^k\sum_tf_t(z_t)-f_t(z_i^\star)",
    reads={r"\sum_{t=1}^Tf_t(z_t)": "X"},
    symbols=(D, beta, X, B, P),
    readings=(
        Reading(
            "literal",
            "f_t >= 0, beta-smooth on R^d, eta_t = D/sqrt(p(t))",
            {"printed": "<=", "corrected": "<="},
            proofs={"corrected": "(31) with the path, Lemma 7, Lemma 8, Jensen"},
        ),
    ),
    correction="E B + (3D/2 + P) sqrt(2 beta E sum f_t(z_t)).",
)


@implicit.form(
    "printed",
    tex=r"\mathbb{E}[B]+\frac{3D}{2}\sqrt{\beta\sum_{t=1}^Tf_t(z_t)}",
    note="(33) without its 2, and no path length",
)
def printed_35(D: Array, beta: Array, X: Array, B: Array) -> Array:
    """The expected regret is claimed to be at most this value. Source: olu, (35). False."""
    return B + 1.5 * D * np.sqrt(beta * X)


printed_35.expr = lambda sp, D, beta, X, B: B + 3 * D * sp.sqrt(beta * X) / 2


@implicit.form(
    "corrected",
    tex=r"\mathbb{E}[B]+\big(\tfrac32D+P\big)\sqrt{2\beta\,\mathbb{E}\sum_{t=1}^Tf_t(z_t)}",
    note="(31) with the path, Lemma 8 with its 2",
)
def corrected_35(D: Array, beta: Array, X: Array, B: Array, P: Array) -> Array:
    """The expected regret is at most this value: E (3D/2 + P) sqrt(p(T)) + E B, Lemma 8, Jensen."""
    return B + (1.5 * D + P) * np.sqrt(2 * beta * X)


corrected_35.expr = lambda sp, D, beta, X, B, P: B + (3 * D / 2 + P) * sp.sqrt(2 * beta * X)


explicit = Statement(
    "olu.eq36",
    "(36)",
    "inequality",
    words="The regret is at most 9 D^2 beta/4 + 3D sqrt(sum f_t(z_i*)) + "
    "d k^{omega+1/2} omega L^2 D^2/(4 (omega-1) eps) sqrt(beta sum p(tau_i)/p(u_i)^2).",
    left=r"\sum_{i=0}^k\sum_tf_t(z_t)-f_t(z_i^\star)",
    symbols=(D, beta, F, d, L, epsilon, p_tau, p_u, omega, B, P),
    requires=(sums_paired,),
    readings=(
        Reading(
            "literal",
            "f_t >= 0, beta-smooth on R^d, eta_t = D/sqrt(p(t))",
            {"printed": "<=", "corrected": "<="},
            proofs={"corrected": "(35) corrected, Lemma 9 tight"},
        ),
        Reading(
            "algebra",
            "last step alone: 3D sqrt(beta (F* + B)) + B into 3D sqrt(F*) + sqrt(3 beta) D B",
            {"printed": "<="},
            stance="part",
        ),
    ),
    correction="B + a/2 + sqrt(a (F* + B) + a^2/4), a = 2 beta (3D/2 + P)^2.",
)


@explicit.form(
    "printed",
    tex=r"\frac{9D^2\beta}{4}+3D\sqrt{\sum_{i=0}^k\sum_tf_t(z_i^\star)}"
    r"+\frac{dk^{\omega+0.5}\omega L^2D^2}{4(\omega-1)\varepsilon}"
    r"\sqrt{\sum_{i=1}^k\frac{\beta\,p(\tau[i])}{p(u[i])^2}}",
    reads={r"\sum_{i=0}^k\sum_tf_t(z_i^\star)": r"F^\star"},
    note="drops beta under the root and merges sqrt(B) with B",
)
def printed_36(
    D: Array, beta: Array, F: Array, d: Array, L: Array, epsilon: Array, p_tau: Array, p_u: Array,
    omega: Array | float = 1.5,
) -> Array:  # fmt: skip
    """The expected regret is claimed to be at most this value. Source: olu, (36). False."""
    sums = np.sqrt(np.sum(p_tau / p_u**2) * beta)
    weight = d * np.size(p_u) ** (omega + 0.5) * omega * L**2 * D**2
    return 9 * D**2 * beta / 4 + 3 * D * np.sqrt(F) + weight / (4 * (omega - 1) * epsilon) * sums


@printed_36.expression
def _(
    sp: Any, D: Any, beta: Any, F: Any, d: Any, L: Any, epsilon: Any, p_tau: Any, p_u: Any,
    omega: Any = 1.5,
) -> Any:  # fmt: skip
    w = sp.Rational(omega)
    sums = sp.sqrt(beta) * root(sp, p_tau, p_u)
    weight = d * precise_power(sp, len(p_u), w + sp.Rational(1, 2)) * w * L**2 * D**2
    return 9 * D**2 * beta / 4 + 3 * D * sp.sqrt(F) + weight / (4 * (w - 1) * epsilon) * sums


@explicit.form(
    "corrected",
    tex=r"\mathbb{E}[B]+\frac a2+\sqrt{a(F^\star+\mathbb{E}[B])+\frac{a^2}4},\quad"
    r" a=2\beta\big(\tfrac32D+P\big)^2",
    note="(35) corrected, solved with the tight form of Lemma 9",
)
def corrected_36(D: Array, beta: Array, F: Array, B: Array, P: Array) -> Array:
    """The expected regret is at most this value, B being the cost of the noise that is used."""
    a = 2 * beta * (1.5 * D + P) ** 2
    return B + a / 2 + np.sqrt(a * (F + B) + a**2 / 4)


@corrected_36.expression
def _(sp: Any, D: Any, beta: Any, F: Any, B: Any, P: Any) -> Any:
    a = 2 * beta * (3 * D / 2 + P) ** 2
    return B + a / 2 + sp.sqrt(a * (F + B) + a**2 / 4)
