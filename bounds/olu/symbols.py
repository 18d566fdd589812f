"""The symbols of paper `olu`, shared by its formulas.

Notation: T rounds; loss f_t is mu-strongly convex, beta-smooth, and L-Lipschitz on the domain K of
diameter D in R^d; request i asks at time tau_i to remove f_{u_i}, i = 1..k; eps is the budget of
the guarantee D_alpha <= alpha eps for every alpha; omega > 1 is the exponent of the paper's
allocation of the noise; gamma = (beta - mu)/(beta + mu) is its contraction factor.  Everything is
in the causal index convention (w_{t+1} is made from f_t) unless a formula says otherwise.
"""

import numpy as np

from bounds import Hypothesis, Symbol

alpha = Symbol("alpha", "Rényi order", r"\alpha", low=1, low_open=True, unit="1")
epsilon = Symbol(
    "epsilon", "Rényi budget per order", r"\varepsilon", low=0, low_open=True, unit="1"
)
delta = Symbol(
    "delta",
    "probability of failure",
    r"\delta",
    low=0,
    high=1,
    low_open=True,
    high_open=True,
    unit="1",
)
mu = Symbol("mu", "strong convexity", r"\mu", low=0, low_open=True, unit="loss/parameter^2")
beta = Symbol("beta", "smoothness", r"\beta", low=0, low_open=True, unit="loss/parameter^2")
L = Symbol(
    "L", "Lipschitz constant on the domain", "L", low=0, low_open=True, unit="loss/parameter"
)
D = Symbol("D", "diameter of the domain", "D", low=0, low_open=True, unit="parameter")
T = Symbol("T", "number of rounds", "T", low=1, kind="integer")
k = Symbol("k", "number of deletions", "k", low=1, kind="integer")
i = Symbol("i", "number of the deletion", "i", low=1, kind="integer")
d = Symbol("d", "dimension", "d", low=1, kind="integer")
eta = Symbol("eta", "step size", r"\eta", low=0, low_open=True, unit="parameter^2/loss")
gamma = Symbol(
    "gamma",
    "the paper's contraction factor (beta - mu)/(beta + mu)",
    r"\gamma",
    low=0,
    high=1,
    unit="1",
)
omega = Symbol(
    "omega", "exponent of the noise allocation", r"\omega", low=1, low_open=True, unit="1"
)
kappa = Symbol(
    "kappa", "quadratic growth", r"\kappa", low=0, low_open=True, unit="loss/parameter^2"
)
sigma = Symbol("sigma", "noise standard deviation", r"\sigma", low=0, unit="parameter")
u = Symbol(
    "u", "round of each deleted loss, u_1..u_k", "u_i", low=1, kind="list", typical=(3, 7), unit="1"
)
tau = Symbol(
    "tau",
    "time of each deletion, tau_1..tau_k",
    r"\tau_i",
    low=1,
    kind="list",
    increasing=True,
    typical=(8, 20),
    unit="1",
)

convexity_order = Hypothesis("mu <= beta", lambda mu, beta: mu <= beta)
within_rounds = Hypothesis("tau_k <= T", lambda tau, T: np.max(tau) <= T)
paired = Hypothesis(
    "u_i <= tau_i, one for each time",
    lambda u, tau: np.shape(u) == np.shape(tau) and np.all(np.asarray(u) <= np.asarray(tau)),
)
seen = Hypothesis(
    "u_i <= tau_i - 1, one for each time",
    lambda u, tau: np.shape(u) == np.shape(tau) and np.all(np.asarray(u) <= np.asarray(tau) - 1),
)
different = Hypothesis("u_i all different", lambda u: np.unique(np.asarray(u)).size == np.size(u))
late_enough = Hypothesis(
    "u_i >= 1/2 + beta/mu (steps no longer than 2/(beta + mu))",
    lambda u, beta, mu: np.min(u) >= (0.5 + beta / mu) * (1 - 1e-12),
)
