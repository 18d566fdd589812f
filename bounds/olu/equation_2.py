"""Equation (2) of olu: the regret of projected online gradient descent, with its constants."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula
from bounds.olu.series import harmonic
from bounds.olu.symbols import D, L, T, mu

strongly_convex = Formula(
    id="olu.eq2",
    label="Equation (2), strongly convex losses",
    left=r"\mathrm{Regret}_T",
    symbols=(mu, L, T),
)
convex = Formula(
    id="olu.eq2.convex",
    label="Equation (2), convex losses",
    left=r"\mathrm{Regret}_T",
    symbols=(D, L, T),
)
constant = Formula(
    id="olu.eq2.constant",
    label="Equation (2), convex losses and a constant step",
    left=r"\mathrm{Regret}_T",
    symbols=(D, L, T),
)


@strongly_convex.form(
    "corrected",
    tex=r"\frac{L^2}{2\mu}(1+\ln T)",
    note="the paper's O(log T) with its constant; eta_t = 1/(mu t)",
)
def logarithmic(mu: Array, L: Array, T: Array) -> Array:
    """The regret of mu-strongly convex losses is at most this value.

    Source: olu, Section 2.1 after eq (2) (Hazan, Agarwal and Kale 2007); loose by 1 + ln T - H_T.
    """
    return np.asarray(L**2 / (2 * mu) * (1 + np.log(T)))


@logarithmic.expression
def _(sp: Any, mu: Any, L: Any, T: Any) -> Any:
    return L**2 / (2 * mu) * (1 + sp.log(T))


@strongly_convex.form(
    "tight",
    tex=r"\frac{L^2}{2\mu}\sum_{t=1}^{T}\frac1t",
    note="attained by (mu/2)|z - x_t|^2 with x_t always L/mu away from w_t",
)
def harmonic_sum(mu: Array, L: Array, T: Array) -> Array:
    """The regret of mu-strongly convex losses is at most this value; quadratics attain it.

    sum_t |grad f_t(w_t)|^2/(2 mu t) is the regret itself for (mu/2)|z - x_t|^2 on R^d.
    """
    return L**2 / (2 * mu) * harmonic(T)


@harmonic_sum.expression
def _(sp: Any, mu: Any, L: Any, T: Any) -> Any:
    return L**2 / (2 * mu) * sp.harmonic(sp.Integer(T))


@convex.form(
    "corrected",
    tex=r"\frac32DL\sqrt T",
    note="the paper's O(sqrt T) with its constant; eta_t = D/(L sqrt t)",
)
def three_halves(D: Array, L: Array, T: Array) -> Array:
    """The regret of convex L-Lipschitz losses on a domain of diameter D is at most this value.

    Source: olu, Section 2.1 after eq (2) (Zinkevich 2003).
    """
    return 1.5 * D * L * np.sqrt(T)


@three_halves.expression
def _(sp: Any, D: Any, L: Any, T: Any) -> Any:
    return sp.Rational(3, 2) * D * L * sp.sqrt(T)


@constant.form(
    "tight",
    tex=r"DL\sqrt T",
    note="eta = D/(L sqrt T); attained by orthogonal linear losses on a ball, d >= T",
)
def one(D: Array, L: Array, T: Array) -> Array:
    """The regret of convex L-Lipschitz losses, T known in advance, is at most this value.

    D^2/(2 eta) + eta L^2 T/2 at its least. Attained by f_t = -L z_t on the ball whose diameter
    runs from the start to (D/sqrt T)(1, ..., 1).
    """
    return D * L * np.sqrt(T)


@one.expression
def _(sp: Any, D: Any, L: Any, T: Any) -> Any:
    return D * L * sp.sqrt(T)
