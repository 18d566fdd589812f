"""(33)-(36) of olu: the four steps of the proof of Theorem 4."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.olu.regret_symbols import F, P, p_tau, p_u, sums_paired
from bounds.olu.symbols import D, L, beta, d, epsilon, omega
from bounds.symbols import Symbol

X = Symbol("X", "loss of the iterates, E sum f_t(z_t)", "X", low=0)
B = Symbol("B", "cost of the noise, E sum |xi_i|^2/(2 eta)", r"\mathbb{E}[B]", low=0)

self_bound = Formula(
    id="olu.eq33",
    label="(33)",
    left=r"\frac{3D}{2}\sqrt{\sum_{t=1}^T\|\nabla f_t(z_t)\|^2}",
    symbols=(D, beta, X),
)


@self_bound.form(
    "printed",
    tex=r"\frac{3D}{2}\sqrt{\beta\sum_{t=1}^Tf_t(z_t)}",
    note="loses the 2 of Lemma 8",
)
def printed_33(D: Array, beta: Array, X: Array) -> Array:
    """The left side is claimed to be at most this value. Source: olu, (33). False."""
    return 1.5 * D * np.sqrt(beta * X)


@printed_33.expression
def _(sp: Any, D: Any, beta: Any, X: Any) -> Any:
    return 3 * D * sp.sqrt(beta * X) / 2


@self_bound.form(
    "corrected",
    tex=r"\frac{3D}{2}\sqrt{2\beta\sum_{t=1}^Tf_t(z_t)}",
    note="attained by quadratics (beta/2)|z - x|^2",
)
def corrected_33(D: Array, beta: Array, X: Array) -> Array:
    """The left side is at most this value for f_t >= 0 and smooth on R^d; quadratics attain it."""
    return 1.5 * D * np.sqrt(2 * beta * X)


@corrected_33.expression
def _(sp: Any, D: Any, beta: Any, X: Any) -> Any:
    return 3 * D * sp.sqrt(2 * beta * X) / 2


noise = Formula(
    id="olu.eq34",
    label="(34)",
    left=r"\mathbb{E}_{\xi_{1:k}}[B]",
    symbols=(D, L, d, epsilon, p_tau, p_u, omega),
    requires=(sums_paired,),
)


def _scale(D: Any, L: Any, d: Any, epsilon: Any, omega: Any) -> Any:
    return d * omega * L**2 * D / (4 * (omega - 1) * epsilon)


def _root(p_tau: Array, p_u: Array) -> Array:
    result: Array = np.sqrt(np.sum(p_tau / p_u**2))
    return result


def _sqrt_sum(sp: Any, p_tau: Any, p_u: Any) -> Any:
    return sp.sqrt(sum(t / r**2 for r, t in zip(p_u, p_tau, strict=True)))


@noise.form(
    "printed",
    tex=r"\frac{dk^{\omega+0.5}\omega L^2D}{4\sqrt3(\omega-1)\varepsilon}"
    r"\sqrt{\sum_{i=1}^k\frac{\sum_{j=1}^{\tau[i]}\|\nabla f_j(z_j)\|^2}"
    r"{\big(\sum_{j=1}^{u[i]}\|\nabla f_j(z_j)\|^2\big)^2}}",
    note="an integral below a sum of an increasing function, as in (17)",
)
def printed_34(
    D: Array,
    L: Array,
    d: Array,
    epsilon: Array,
    p_tau: Array,
    p_u: Array,
    omega: Array | float = 1.5,
) -> Array:
    """E B is claimed to be at most this value for the paper's noise. Source: olu, (34)(d).

    False for k <= 6 at omega = 1.5, where sqrt(sum i^3) = k (k + 1)/2 > k^2/sqrt 3.
    """
    weight = np.size(p_u) ** (omega + 0.5) / np.sqrt(3)
    result: Array = _scale(D, L, d, epsilon, omega) * weight * _root(p_tau, p_u)
    return result


@printed_34.expression
def _(sp: Any, D: Any, L: Any, d: Any, epsilon: Any, p_tau: Any, p_u: Any, omega: Any = 1.5) -> Any:
    w = sp.Rational(omega)
    weight = sp.Float(len(p_u), 80) ** (w + sp.Rational(1, 2)) / sp.sqrt(3)
    return _scale(D, L, d, epsilon, w) * weight * _sqrt_sum(sp, p_tau, p_u)


@noise.form(
    "corrected",
    tex=r"\frac{d\omega L^2D}{4(\omega-1)\varepsilon}\sqrt{\sum_{i=1}^ki^{2\omega}}"
    r"\sqrt{\sum_{i=1}^k\frac{p(\tau_i)}{p(u_i)^2}}",
    note="Cauchy-Schwarz with the sum itself, k (k + 1)/2 at omega = 1.5",
)
def corrected_34(
    D: Array,
    L: Array,
    d: Array,
    epsilon: Array,
    p_tau: Array,
    p_u: Array,
    omega: Array | float = 1.5,
) -> Array:
    """E B is at most this value. Source: olu, (34)(c), without the integral."""
    i = np.arange(1, np.size(p_u) + 1)
    weight = np.sqrt(np.sum(i[:, None] ** (2 * np.ravel(omega)), axis=0))
    weight = weight.reshape(np.shape(omega))
    result: Array = _scale(D, L, d, epsilon, omega) * weight * _root(p_tau, p_u)
    return result


@corrected_34.expression
def _(sp: Any, D: Any, L: Any, d: Any, epsilon: Any, p_tau: Any, p_u: Any, omega: Any = 1.5) -> Any:
    w = sp.Rational(omega)
    weight = sp.sqrt(sum(sp.Float(i, 80) ** (2 * w) for i in range(1, len(p_u) + 1)))
    return _scale(D, L, d, epsilon, w) * weight * _sqrt_sum(sp, p_tau, p_u)


@noise.form(
    "tight",
    tex=r"\frac{d\omega L^2D}{4(\omega-1)\varepsilon}\sum_{i=1}^k"
    r"\frac{i^\omega\sqrt{p(\tau_i)}}{p(u_i)}",
    note="(34)(b), with p(tau_i - 1) as p_tau E B itself",
)
def tight_34(
    D: Array,
    L: Array,
    d: Array,
    epsilon: Array,
    p_tau: Array,
    p_u: Array,
    omega: Array | float = 1.5,
) -> Array:
    """E B is at most this value; it is E B when p_tau holds the sums at tau_i - 1."""
    i = np.arange(1, np.size(p_u) + 1)
    terms = i[:, None] ** np.ravel(omega) * (np.sqrt(p_tau) / p_u)[:, None]
    result: Array = _scale(D, L, d, epsilon, omega) * np.sum(terms, axis=0).reshape(np.shape(omega))
    return result


@tight_34.expression
def _(sp: Any, D: Any, L: Any, d: Any, epsilon: Any, p_tau: Any, p_u: Any, omega: Any = 1.5) -> Any:
    w = sp.Rational(omega)
    pairs = zip(p_u, p_tau, strict=True)
    terms = sum(sp.Float(i, 80) ** w * sp.sqrt(t) / r for i, (r, t) in enumerate(pairs, 1))
    return _scale(D, L, d, epsilon, w) * terms


implicit = Formula(
    id="olu.eq35",
    label="(35)",
    left=r"\sum_{i=0}^k\sum_tf_t(z_t)-f_t(z_i^\star)",
    symbols=(D, beta, X, B, P),
)


@implicit.form(
    "printed",
    tex=r"\mathbb{E}[B]+\frac{3D}{2}\sqrt{\beta\sum_{t=1}^Tf_t(z_t)}",
    note="(33) without its 2, and no path length",
)
def printed_35(D: Array, beta: Array, X: Array, B: Array) -> Array:
    """The expected regret is claimed to be at most this value. Source: olu, (35). False."""
    return B + 1.5 * D * np.sqrt(beta * X)


@printed_35.expression
def _(sp: Any, D: Any, beta: Any, X: Any, B: Any) -> Any:
    return B + 3 * D * sp.sqrt(beta * X) / 2


@implicit.form(
    "corrected",
    tex=r"\mathbb{E}[B]+\big(\tfrac32D+P\big)\sqrt{2\beta\,\mathbb{E}\sum_{t=1}^Tf_t(z_t)}",
    note="(31) with the path, Lemma 8 with its 2",
)
def corrected_35(D: Array, beta: Array, X: Array, B: Array, P: Array) -> Array:
    """The expected regret is at most this value: E (3D/2 + P) sqrt(p(T)) + E B, Lemma 8, Jensen."""
    return B + (1.5 * D + P) * np.sqrt(2 * beta * X)


@corrected_35.expression
def _(sp: Any, D: Any, beta: Any, X: Any, B: Any, P: Any) -> Any:
    return B + (3 * D / 2 + P) * sp.sqrt(2 * beta * X)


explicit = Formula(
    id="olu.eq36",
    label="(36)",
    left=r"\sum_{i=0}^k\sum_tf_t(z_t)-f_t(z_i^\star)",
    symbols=(D, beta, F, d, L, epsilon, p_tau, p_u, omega, B, P),
    requires=(sums_paired,),
)


@explicit.form(
    "printed",
    tex=r"\frac{9D^2\beta}{4}+3D\sqrt{\sum_{i=0}^k\sum_tf_t(z_i^\star)}"
    r"+\frac{dk^{\omega+0.5}\omega L^2D^2}{4(\omega-1)\varepsilon}"
    r"\sqrt{\sum_{i=1}^k\frac{\beta\,p(\tau[i])}{p(u[i])^2}}",
    note="drops beta under the root and merges sqrt(B) with B",
)
def printed_36(
    D: Array, beta: Array, F: Array, d: Array, L: Array, epsilon: Array, p_tau: Array, p_u: Array,
    omega: Array | float = 1.5,
) -> Array:  # fmt: skip
    """The expected regret is claimed to be at most this value. Source: olu, (36). False."""
    root = np.sqrt(np.sum(p_tau / p_u**2) * beta)
    weight = d * np.size(p_u) ** (omega + 0.5) * omega * L**2 * D**2
    return 9 * D**2 * beta / 4 + 3 * D * np.sqrt(F) + weight / (4 * (omega - 1) * epsilon) * root


@printed_36.expression
def _(
    sp: Any, D: Any, beta: Any, F: Any, d: Any, L: Any, epsilon: Any, p_tau: Any, p_u: Any,
    omega: Any = 1.5,
) -> Any:  # fmt: skip
    w = sp.Rational(omega)
    root = sp.sqrt(beta) * _sqrt_sum(sp, p_tau, p_u)
    weight = d * sp.Float(len(p_u), 80) ** (w + sp.Rational(1, 2)) * w * L**2 * D**2
    return 9 * D**2 * beta / 4 + 3 * D * sp.sqrt(F) + weight / (4 * (w - 1) * epsilon) * root


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
