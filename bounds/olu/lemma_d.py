"""Lemma D of olu: the Lipschitz constant of a gradient step."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.olu.symbols import beta, convexity_order, eta, mu

LEFT = r"\sup\frac{\|\psi(w)-\psi(w')\|}{\|w-w'\|},\quad\psi(w)=w-\eta\nabla\ell(w)"

smooth = Formula(
    id="olu.lemd.1",
    label="Lemma D (smooth)",
    left=LEFT,
    symbols=(eta, beta),
    requires=(Requirement("eta <= 2/beta", lambda eta, beta: eta * beta <= 2 * (1 + 1e-12)),),
)


@smooth.form(
    "printed",
    tex=r"(1-\eta M)",
    note="M is the smoothness; false already for linear losses",
)
def shrinking(eta: Array, beta: Array) -> Array:
    """The modulus of a gradient step on a convex, beta-smooth loss is at most this value.

    Source: olu, Lemma D, first bullet. False: smoothness bounds the curvature from above only.
    """
    return 1 - eta * beta


@shrinking.expression
def _(sp: Any, eta: Any, beta: Any) -> Any:
    return 1 - eta * beta


@smooth.form("corrected", tex="1", note="attained by linear losses")
def nonexpansive(eta: Array, beta: Array) -> Array:
    """The modulus of a gradient step on a convex, beta-smooth loss is at most 1, attained.

    Source: Feldman et al. 2018, Proposition 18, which the paper cites.
    """
    return np.ones(np.broadcast_shapes(np.shape(eta), np.shape(beta)))


@nonexpansive.expression
def _(sp: Any, eta: Any, beta: Any) -> Any:
    return sp.Integer(1)


curved = Formula(
    id="olu.lemd.2",
    label="Lemma D (strongly convex)",
    left=LEFT,
    symbols=(eta, mu, beta),
    requires=(convexity_order,),
)


@curved.form(
    "printed",
    tex=r"\frac{M/m-1}{M/m+1},\quad\eta=\frac{2}{M+m}",
    note="for this one step size, where it is attained",
)
def best(mu: Array, beta: Array) -> Array:
    """At eta = 2/(beta + mu) the modulus of a gradient step is at most this value, attained.

    Source: olu, Lemma D, second bullet.
    """
    return (beta - mu) / (beta + mu)


@best.expression
def _(sp: Any, mu: Any, beta: Any) -> Any:
    return (beta / mu - 1) / (beta / mu + 1)


@curved.form(
    "corrected",
    tex=r"\max(|1-\eta m|,|1-\eta M|)",
    note="for every step size; attained by quadratics of curvature m or M",
)
def general(eta: Array, mu: Array, beta: Array) -> Array:
    """The modulus of a gradient step is at most this value, for every eta > 0; attained."""
    return np.maximum(np.abs(1 - eta * mu), np.abs(1 - eta * beta))


@general.expression
def _(sp: Any, eta: Any, mu: Any, beta: Any) -> Any:
    return sp.Max(abs(1 - eta * mu), abs(1 - eta * beta))
