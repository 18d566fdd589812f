"""Inequalities that certificates may use: few, named, each with its proof.

A lemma takes expressions and gives its premises, all of which must be >= 0, and its conclusion,
which then is >= 0.
"""

from collections.abc import Callable
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]

from bounds.namespaces.special import Phi, mu_star

Lemma = tuple[tuple[Any, ...], Any]


def power(base: Any, low: Any, high: Any) -> Lemma:
    """base^high <= base^low for 0 <= base <= 1, low <= high: base^(high - low) is at most 1."""
    return (base, 1 - base, high - low), base**low - base**high


def growth(base: Any, low: Any, high: Any) -> Lemma:
    """base^low <= base^high for base >= 1, low <= high: base^(high - low) is at least 1."""
    return (base - 1, high - low), base**high - base**low


def bernoulli(h: Any, N: Any) -> Lemma:
    """(1 - h)^N >= 1 - N h for 0 <= h <= 1, N >= 1: a convex function lies above its tangent."""
    return (h, 1 - h, N - 1), (1 - h) ** N - 1 + N * h


def tangent(h: Any) -> Lemma:
    """e^-h >= 1 - h: a convex function lies above its tangent at 0."""
    return (), sp.exp(-h) - 1 + h


def decays(h: Any, N: Any) -> Lemma:
    """(1 - h)^N <= e^(-h N) for 0 <= h <= 1, N >= 0: the power N of `tangent`."""
    return (h, 1 - h, N), sp.exp(-h * N) - (1 - h) ** N


def reciprocal(y: Any) -> Lemma:
    """e^-y <= 1/(1 + y) for y >= 0: the reciprocal of `tangent` at -y."""
    return (y,), 1 / (1 + y) - sp.exp(-y)


def exponentials(a: Any, b: Any) -> Lemma:
    """e^a <= e^b for a <= b."""
    return (b - a,), sp.exp(b) - sp.exp(a)


def logarithms(a: Any, b: Any) -> Lemma:
    """log a <= log b for 0 <= a <= b; at a = 0 the left side is -inf."""
    return (a, b - a), sp.log(b) - sp.log(a)


def inverse(x: Any) -> Lemma:
    """log(1/x) >= -log x for x > 0: they are equal."""
    return (x,), sp.log(1 / x) + sp.log(x)


def harmonics(T: Any) -> Lemma:
    """H_T <= 1 + log T for T >= 1.

    Equal at T = 1; from T to T + 1 the left side grows by 1/(T + 1), the right one by
    log((T + 1)/T) = -log(1 - 1/(T + 1)) >= 1/(T + 1), by `tangent`.
    """
    return (T - 1,), 1 + sp.log(T) - sp.harmonic(T)


def zetas(w: Any) -> Lemma:
    """zeta(w) <= w/(w - 1) for w > 1: 1 and the integral of x^-w from 1 bound the sum."""
    return (w - 1,), w / (w - 1) - sp.zeta(w)


def gammas(d: Any) -> Lemma:
    """Gamma((d + 1)/2) <= Gamma(d/2) sqrt(d/2) for d > 0.

    log Gamma is convex, and Gamma(d/2 + 1) = (d/2) Gamma(d/2): the middle is at most the root.
    """
    half = d / sp.Integer(2)
    middle = sp.gamma(half + sp.Rational(1, 2))
    return (d,), sp.gamma(half) * sp.sqrt(half) - middle


def squares(a: Any, b: Any) -> Lemma:
    """(a + b)^2 <= 2 a^2 + 2 b^2: the difference is (a - b)^2."""
    return (), 2 * a**2 + 2 * b**2 - (a + b) ** 2


def root_below(X: Any, Y: Any) -> Lemma:
    """sqrt(X) <= Y for Y >= 0, X <= Y^2."""
    return (Y, Y**2 - X), Y - sp.sqrt(X)


def root_above(X: Any, Y: Any) -> Lemma:
    """sqrt(X) >= Y for Y >= 0, X >= Y^2."""
    return (Y, X - Y**2), sp.sqrt(X) - Y


def least(node: Any, one: Any) -> Lemma:
    """A minimum is at most each of its arguments."""
    return (), one - node if isinstance(node, sp.Min) and one in node.args else sp.nan


def least_above(node: Any, low: Any) -> Lemma:
    """A minimum is at least what is at most each of its arguments."""
    return tuple(x - low for x in node.args), node - low if isinstance(node, sp.Min) else sp.nan


def greatest(node: Any, one: Any) -> Lemma:
    """A maximum is at least each of its arguments."""
    return (), node - one if isinstance(node, sp.Max) and one in node.args else sp.nan


def greatest_below(node: Any, high: Any) -> Lemma:
    """A maximum is at most what is at least each of its arguments."""
    return tuple(high - x for x in node.args), high - node if isinstance(node, sp.Max) else sp.nan


def absolute(x: Any) -> Lemma:
    """|x| >= x."""
    return (), sp.Abs(x) - x


def absolute_below(x: Any, high: Any) -> Lemma:
    """|x| <= high for -high <= x <= high."""
    return (high - x, high + x), high - sp.Abs(x)


def powers_summed(w: Any, i: Any) -> Lemma:
    """sum_{j <= i} j^-w <= w/(w - 1) for w > 1: part of the sum of `zetas`."""
    j = sp.Symbol("j", integer=True, nonnegative=True)
    return (w - 1,), w / (w - 1) - sp.Sum(j**-w, (j, 1, i))


def gaussian(epsilon: Any, delta: Any) -> Lemma:
    """mu_star(eps, delta) >= sqrt 2 (sqrt(eps + l) - sqrt l), l = log(1/delta), for 0 < delta < 1.

    Call the right side mu: eps - mu^2/2 = mu sqrt(2 l). The divergence delta_G(eps, mu) is at most
    P[N(mu^2/2, mu^2) > eps] = P[N(0, 1) > sqrt(2 l)] <= e^-l = delta, and delta_G grows with mu.
    Multiplied by the sum of the roots.
    """
    big, small = sp.sqrt(epsilon - sp.log(delta)), sp.sqrt(-sp.log(delta))
    conclusion = mu_star(epsilon, delta) * (big + small) - sp.sqrt(2) * epsilon
    return (epsilon, delta, 1 - delta), conclusion


def profile(epsilon: Any, delta: Any, mu: Any) -> Lemma:
    """mu_star(eps, delta) >= mu where delta_G(eps, mu) <= delta, for mu > 0.

    delta_G(eps, mu) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) grows with mu, and is delta
    at mu_star.
    """
    gaussian_delta = Phi(mu / 2 - epsilon / mu) - sp.exp(epsilon) * Phi(-mu / 2 - epsilon / mu)
    return (epsilon, mu, delta - gaussian_delta), mu_star(epsilon, delta) - mu


def norms(d: Any, r: Any, phi: Any) -> Lemma:
    """E |N(r e, phi I_d)| <= sqrt(r^2 + d phi): a mean is at most the root of the mean square.

    The mean is sqrt(2 phi) Gamma((d + 1)/2)/Gamma(d/2) 1F1(-1/2; d/2; -r^2/(2 phi)).
    """
    half = sp.Rational(1, 2)
    kummer = sp.hyper((-half,), (d / 2,), -(r**2) / (2 * phi))
    mean = sp.sqrt(2 * phi) * sp.gamma(d / 2 + half) / sp.gamma(d / 2) * kummer
    return (d - 1, r, phi), sp.sqrt(r**2 + d * phi) - mean


def cauchy(a: Any, b: Any, k: Any) -> Lemma:
    """(sum a b)^2 <= sum a^2 sum b^2 over i = 1, ..., k, for real a and b (Cauchy-Schwarz)."""
    return (), _sum(a**2, k) * _sum(b**2, k) - _sum(a * b, k) ** 2


def termwise(a: Any, b: Any, k: Any) -> Lemma:
    """sum a <= sum b over i = 1, ..., k, where a <= b at every index."""
    return (k, b - a), _sum(b, k) - _sum(a, k)


def _sum(term: Any, k: Any) -> Any:
    i = sp.Symbol("i", integer=True, nonnegative=True)
    return sp.Sum(term, (i, 1, k)) if sp.sympify(term).has(i) else k * term


LEMMAS: dict[str, Callable[..., Lemma]] = {
    lemma.__name__: lemma
    for lemma in (
        power,
        growth,
        bernoulli,
        tangent,
        decays,
        reciprocal,
        exponentials,
        logarithms,
        inverse,
        harmonics,
        zetas,
        gammas,
        squares,
        root_below,
        root_above,
        least,
        least_above,
        greatest,
        greatest_below,
        absolute,
        absolute_below,
        powers_summed,
        gaussian,
        profile,
        norms,
        cauchy,
        termwise,
    )
}
