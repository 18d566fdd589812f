"""The two noise terms of olu's strongly convex regret: the printed one and that of valid noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.forms import Array
from bounds.hypotheses import Hypothesis

enough = Hypothesis(
    "tau_i >= i + 1 (i different rounds are over by then)",
    lambda tau: np.all(np.asarray(tau) >= np.arange(np.size(tau)) + 2),
)
PAPERS_OMEGA = np.asarray(1.2)


def contraction(beta: Array, mu: Array) -> Array:
    """gamma = (beta/mu - 1)/(beta/mu + 1), the factor that the paper gives every step."""
    return (beta - mu) / (beta + mu)


def decay(beta: Array, mu: Array, u: Array, tau: Array) -> Array:
    """G_1 = sqrt(sum_i tau_i^2 gamma^{4 (tau_i - u_i)}/u_i^4) of olu Theorem 2."""
    gamma = contraction(beta, mu)[..., None]
    terms = tau * gamma ** (2 * (tau - u)) / u**2
    top = np.max(terms, axis=-1, keepdims=True)
    shares = np.divide(terms, top, out=np.zeros_like(terms), where=top > 0)
    return np.asarray(top[..., 0] * np.sqrt(np.sum(shares**2, axis=-1)))  # squares may underflow


def decay_expr(sp: Any, beta: Any, mu: Any, u: list[Any], tau: list[Any]) -> Any:
    """`decay` in sympy."""
    gamma = sp.sympify((beta / mu - 1) / (beta / mu + 1)).evalf(80)
    return sp.sqrt(sum(t**2 * gamma ** (4 * (t - v)) / v**4 for v, t in zip(u, tau, strict=True)))


def odd_over_age(tau: Array) -> Array:
    """sum_i (2i - 1)/(tau_i - 1): the price of least noise in units of d L^2/(4 eps mu)."""
    i = np.arange(1, np.size(tau) + 1)
    return np.asarray(np.sum((2 * i - 1) / (tau - 1)))


def odd_over_age_expr(tau: list[Any]) -> Any:
    """`odd_over_age` on exact numbers."""
    return sum((2 * i + 1) / (t - 1) for i, t in enumerate(tau))
