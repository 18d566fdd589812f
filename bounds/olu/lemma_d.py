"""Lemma D of olu: the Lipschitz constant of a gradient step."""

import numpy as np

from bounds import Hypothesis, Plot, Statement
from bounds.olu.symbols import beta, convexity_order, eta, mu

LEFT = r"\sup\frac{\|\psi(w)-\psi(w')\|}{\|w-w'\|},\quad\psi(w)=w-\eta\nabla\ell(w)"

smooth = Statement(
    "olu.lemd.1",
    "Lemma D (smooth)",
    "inequality",
    words="A gradient step on a convex, M-smooth loss is contractive with parameter 1 - eta M "
    "for eta <= 2/M.",
    left=LEFT,
    reads={"M": r"\beta"},
    symbols=(eta, beta),
    requires=(Hypothesis("eta <= 2/beta", lambda eta, beta: eta * beta <= 2 * (1 + 1e-12)),),
    aliases=("olu.lemD", "olu.lemD.1"),
    plot=Plot("eta", tuple(np.linspace(0.02, 2, 40).tolist()), {"beta": 1.0}, log_y=False),
    quantity="largest |psi(w) - psi(w')|/|w - w'|",
    correction="The factor is 1, attained by linear losses.",
)
smooth.interpreted_as("literal", "convex, twice differentiable, M-smooth, eta <= 2/M")


@smooth.form("printed", tex=r"(1-\eta M)")
def shrinking(xp, eta, beta):
    """The modulus of a gradient step on a convex, beta-smooth loss is at most this value.

    It is false: smoothness bounds the curvature from above only.

    Note: M is the smoothness; false already for linear losses
    Fails (literal): A linear loss is convex and M-smooth for every M, and a step on it keeps all
        distances: the factor is 1 and not 1 - ηM. For η > 1/M the stated parameter is even
        negative.
    Source: olu, Lemma D, first bullet
    """
    return 1 - eta * beta


@smooth.form("corrected", tex="1")
def nonexpansive(xp, eta, beta):
    """The modulus of a gradient step on a convex, beta-smooth loss is at most 1.

    Note: attained by linear losses
    Proof: I - eta H has its eigenvalues in [1 - eta M, 1]
    Source: Feldman et al. 2018, Proposition 18, which the paper cites
    """
    return xp.rational(1)


curved = Statement(
    "olu.lemd.2",
    "Lemma D (strongly convex)",
    "inequality",
    words="A gradient step of size 2/(M + m) on an m-strongly convex, M-smooth loss is "
    "contractive with parameter (M/m - 1)/(M/m + 1).",
    left=LEFT,
    reads={"M": r"\beta", "m": r"\mu"},
    symbols=(eta, mu, beta),
    requires=(convexity_order,),
    aliases=("olu.lemD.2",),
    plot=Plot(
        "eta", tuple(np.linspace(0.02, 0.7, 40).tolist()), {"mu": 1.0, "beta": 3.0}, log_y=False
    ),
    quantity="largest |psi(w) - psi(w')|/|w - w'|",
    correction="max(|1 - eta m|, |1 - eta M|) for every step size.",
)
curved.interpreted_as(
    "literal",
    "eta = 2/(M + m)",
    where=(Hypothesis("eta = 2/(M + m)", sets={"eta": lambda mu, beta: 2 / (mu + beta)}),),
)
curved.interpreted_as(
    "any", "another step size eta > 0, as the corollaries and theorems use it", stance="amended"
)


@curved.form("printed", tex=r"\frac{M/m-1}{M/m+1},\quad\eta=\frac{2}{M+m}")
def best(xp, mu, beta):
    """At eta = 2/(beta + mu) the modulus of a gradient step is at most this value.

    Note: for this one step size, where it is attained
    Proof (literal): I - eta H has its eigenvalues in [-gamma, gamma]
    Fails (any): γ belongs to η = 2/(M + m) alone; a shorter step contracts by 1 - ηm only, which is
        larger. At η = {eta}, m = {mu}, M = {beta} the factor is {measured}, not {bound}.
    Source: olu, Lemma D, second bullet
    """
    return (beta - mu) / (beta + mu)


@curved.form("corrected", tex=r"\max(|1-\eta m|,|1-\eta M|)")
def general(xp, eta, mu, beta):
    """The modulus of a gradient step is at most this value, for every eta > 0.

    Note: for every step size; attained by quadratics of curvature m or M
    Proof: I - eta H has its eigenvalues in [1 - eta M, 1 - eta m]
    """
    return xp.maximum(abs(1 - eta * mu), abs(1 - eta * beta))
