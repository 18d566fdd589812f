"""Conditions C2 and C3 of olu: the modulus of a step of gradient descent, and its length."""

import numpy as np

from bounds import Plot, Statement
from bounds.olu.symbols import L, beta, convexity_order, eta, mu

contraction = Statement(
    "olu.c2",
    "(C2)",
    "definition",
    words="gamma-contraction: ||g_t(f, z_1) - g_t(f, z_2)|| <= gamma ||z_1 - z_2||.",
    quote="gamma-Contraction: |g_t(f, z_1) - g_t(f, z_2)| <= gamma |z_1 - z_2|",
    left=r"\sup_{f,z_1\ne z_2}\frac{\|g_t(f,z_1)-g_t(f,z_2)\|_2}{\|z_1-z_2\|_2}",
    symbols=(eta, mu, beta),
    requires=(convexity_order,),
    aliases=("olu.C2",),
    plot=Plot(
        "eta", tuple(np.linspace(0.02, 1, 50).tolist()), {"mu": 1.0, "beta": 3.0}, log_y=False
    ),
    quantity="Lipschitz constant of the step",
    correction="c_t = max(|1 - eta_t mu|, |1 - eta_t beta|), which may exceed 1 in early steps.",
)
contraction.interpreted_as(
    "literal",
    "projected online gradient descent; gamma is c_t, another one at each step",
    {"corrected": "<="},
)


@contraction.form("corrected", tex=r"c_t=\max(|1-\eta_t\mu|,|1-\eta_t\beta|)")
def modulus(xp, eta, mu, beta):
    """The step z -> P[z - eta grad f(z)] has this Lipschitz constant over the class.

    Note: the least gamma of (C2) for online gradient descent; it moves with t and may exceed 1
    Equality: quadratics
    Source: olu, (C2), for mu-strongly convex, beta-smooth losses
    """
    return xp.maximum(abs(1 - eta * mu), abs(1 - eta * beta))


sensitivity = Statement(
    "olu.c3",
    "(C3)",
    "definition",
    words="Delta-sensitivity: ||g_t(f, x) - x|| <= Delta_t.",
    left=r"\sup_{x}\|g_t(f,x)-x\|_2",
    symbols=(eta, L),
    aliases=("olu.C3",),
    plot=Plot("eta", tuple(np.linspace(0.02, 1, 50).tolist()), {"L": 1.0}, log_y=False),
    quantity="length of the step",
    correction="Ask (C3) of every reachable point, or project after the noise.",
)
sensitivity.interpreted_as(
    "literal", "projected online gradient descent, x in K", {"printed": "<="}
)
sensitivity.interpreted_as(
    "reachable", "x wherever noise after the projection drives it", {"printed": "<="}
)


@sensitivity.form("printed", tex=r"\left\lVert g_{t}(f,x)-x\right\rVert_{2}\leq\Delta_{t}=\eta_tL")
def length(xp, eta, L):
    """The projected gradient step moves a point of K by at most this value.

    The deleted step is compared at every point that the iterates reach, so (C3) must hold there.

    Note: for x in K only; at points that noise has driven out of K the step is longer
    Fails (reachable): (C3) is asked for in K only, but noise after the projection leads out of K,
        where the projected step is longer: from x = {x} outside K = [-1, 1] it has length
        {measured}, and ηL = {bound}.
    Equality: linear losses
    Source: olu, (C3)
    """
    return eta * L


markov = Statement(
    "olu.c1",
    "(C1)",
    "definition",
    words="Markovian output: g_t(f_{1:t}, z_{1:t-1}) = g_t(f_t, z_{t-1}).",
    aliases=("olu.C1", "olu.C1-C3"),
)
markov.interpreted_as("literal", "projected online gradient descent", {"printed": "=="})
