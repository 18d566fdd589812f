"""Definition 1 of safe, evaluated on two Gaussian laws of one covariance."""

from typing import Any

import numpy as np

from accounting.gaussian import delta_gdp
from bounds.formula import Array, Formula
from bounds.safe.symbols import epsilon
from bounds.symbols import Symbol

_mu = Symbol("mu", "distance of the means over the noise's deviation", r"\mu", low=0, low_open=True)

formula = Formula(
    id="safe.def1",
    label="Definition 1",
    left=r"\text{least }\delta",
    symbols=(epsilon, _mu),
)
lower = Formula(
    id="safe.def1.lower",
    label="Definition 1, lower side",
    left=r"\sup_{\mathcal{T}}e^{-\epsilon}P_{\mathsf{A}}(\mathcal{T})-P_{\mathsf{M}}(\mathcal{T})",
    symbols=(epsilon, _mu),
)


def gaussian_profile(sp: Any, mu: Any, epsilon: Any) -> Any:
    """The Gaussian pair's delta in sympy: Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu)."""
    root = sp.sqrt(2)
    first = sp.erfc((epsilon / mu - mu / 2) / root) / 2
    return first - sp.exp(epsilon) * sp.erfc((epsilon / mu + mu / 2) / root) / 2


@formula.form(
    "printed",
    tex=r"e^{-\epsilon}\Pr[\mathsf{A}(D\setminus F)\in\mathcal{T}]-\delta\leq"
    r"\Pr[\mathsf{M}(\mathsf{A}(D),D,F)\in\mathcal{T}]\leq "
    r"e^{\epsilon}\Pr[\mathsf{A}(D\setminus F)\in\mathcal{T}]+\delta",
    note="evaluated on N(0, I) and N(mu, I); the upper side decides",
)
def printed(epsilon: Array, mu: Array) -> Array:
    """Two Gaussian laws mu deviations apart satisfy Definition 1 with this delta and no smaller.

    Source: safe, Definition 1. Attained by the half-space where the likelihood ratio is e^epsilon.
    """
    return delta_gdp(mu, epsilon)


@printed.expression
def _(sp: Any, epsilon: Any, mu: Any) -> Any:
    return gaussian_profile(sp, mu, epsilon)


@lower.form(
    "tight",
    tex=r"e^{-\epsilon}\,\delta_G(\epsilon,\mu)",
    note="weaker by e^epsilon than P_A <= e^epsilon P_M + delta",
)
def lower_side(epsilon: Array, mu: Array) -> Array:
    """The lower side of Definition 1 alone needs this delta and no smaller one.

    So P_A <= e^epsilon P_M + delta implies it, and it implies that with e^epsilon delta.
    """
    return np.asarray(np.exp(-epsilon) * delta_gdp(mu, epsilon))


@lower_side.expression
def _(sp: Any, epsilon: Any, mu: Any) -> Any:
    return sp.exp(-epsilon) * gaussian_profile(sp, mu, epsilon)
