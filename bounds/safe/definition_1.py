"""Definition 1 of safe, evaluated on two Gaussian laws of one covariance."""

import numpy as np

from bounds import Plot, Statement, Symbol
from bounds.safe.symbols import epsilon

_mu = Symbol(
    "mu", "distance of the means over the noise's deviation", r"\mu", low=0, low_open=True, unit="1"
)

_NATURAL = Plot("mu", tuple(np.geomspace(0.05, 6, 40).tolist()), {"epsilon": 1.0}, log_x=True)
statement = Statement(
    "safe.def1",
    "Definition 1",
    "definition",
    words="e^{-epsilon} P_A(T) - delta <= P_M(T) <= e^epsilon P_A(T) + delta for every T.",
    left=r"\text{least }\delta",
    symbols=(epsilon, _mu),
    plot=_NATURAL,
    quantity="least delta",
    correction="The usual second side is P_A <= e^epsilon P_M + delta.",
)
statement.interpreted_as("literal", "two Gaussian laws of one covariance", {"printed": "<="})
lower = Statement(
    "safe.def1.lower",
    "Definition 1, lower side",
    "equality",
    words="The lower side needs e^{-epsilon} times the delta of P_A <= e^epsilon P_M + delta.",
    left=r"\sup_{\mathcal{T}}e^{-\epsilon}P_{\mathsf{A}}(\mathcal{T})-P_{\mathsf{M}}(\mathcal{T})",
    symbols=(epsilon, _mu),
    plot=_NATURAL,
    quantity="least delta of the lower side",
)
lower.interpreted_as("literal", "two Gaussian laws of one covariance")
lower.interpreted_as("any", "any two laws")


@statement.form(
    "printed",
    tex=r"e^{-\epsilon}\Pr[\mathsf{A}(D\setminus F)\in\mathcal{T}]-\delta\leq"
    r"\Pr[\mathsf{M}(\mathsf{A}(D),D,F)\in\mathcal{T}]\leq "
    r"e^{\epsilon}\Pr[\mathsf{A}(D\setminus F)\in\mathcal{T}]+\delta",
)
def printed(xp, epsilon, mu):
    """Two Gaussian laws mu deviations apart satisfy Definition 1 with this delta and no smaller.

    Note: evaluated on N(0, I) and N(mu, I); the upper side decides
    Equality: the half-space where the likelihood ratio is e^epsilon
    Source: safe, Definition 1
    """
    return xp.gaussian_delta(epsilon, mu)


@lower.form("tight", tex=r"e^{-\epsilon}\,\delta_G(\epsilon,\mu)")
def lower_side(xp, epsilon, mu):
    """The lower side of Definition 1 alone needs this delta and no smaller one.

    So P_A <= e^epsilon P_M + delta implies it, and it implies that with e^epsilon delta.

    Note: weaker by e^epsilon than P_A <= e^epsilon P_M + delta
    Proof (literal): multiply by e^{-epsilon}; the Gaussian pair is symmetric
    Proof (any): multiply the inequality by e^{-epsilon} and rearrange
    """
    return xp.exp(-epsilon) * xp.gaussian_delta(epsilon, mu)
