"""The symbols of paper `safe`, shared by its formulas.

Notation: n_t samples are kept after round t of T; F_t are the m_t samples that leave in it, M_t
those that have left so far.  R_t is the risk of round t, w_t* its minimiser, w_t the model that is
published; D_t = |w_0 - w_t*| and V_T = sum |w_t* - w_{t-1}*|.  gamma is the length of SAFE's step,
phi the variance of each coordinate of its perturbation b_t, U the Lipschitz constant of R_t, and W
bounds |w_0| and |w_t*|.
"""

from bounds import Symbol

T = Symbol("T", "rounds", "T", low=1, kind="integer")
n = Symbol("n", "samples before the deletion", "n", low=1, kind="integer", largest=float("inf"))
m = Symbol("m", "samples that leave", "m", low=0, kind="integer")
d = Symbol("d", "number of parameters", "d", low=1, kind="integer")
U = Symbol("U", "Lipschitz constant of the risk", "U", low=0, low_open=True, unit="loss/parameter")
W = Symbol("W", "radius of the optimal models", "W", low=0, low_open=True, unit="parameter")
K = Symbol("K", "constant of the step size", "K", low=0, low_open=True, unit="?")
L = Symbol("L", "Lipschitz constant of the loss", "L", low=0, low_open=True, unit="loss/parameter")
mu = Symbol("mu", "strong convexity", r"\mu", low=0, low_open=True, unit="loss/parameter^2")
V = Symbol("V", "path length of the optimal models", "V_T", low=0, unit="parameter")
gamma = Symbol("gamma", "length of a step", r"\gamma", low=0, unit="parameter")
phi = Symbol(
    "phi", "variance of a coordinate of the perturbation", r"\phi", low=0, unit="parameter^2"
)
D = Symbol("D", "distance |w_0 - w_t*|", "D_t", low=0, unit="parameter")
lam = Symbol("lam", "weight of the forgetting term", r"\lambda", low=0, unit="1")
epsilon = Symbol("epsilon", "privacy parameter", r"\epsilon", low=0, low_open=True, unit="1")
delta = Symbol(
    "delta", "privacy parameter", r"\delta", low=0, high=1, low_open=True, high_open=True, unit="1"
)
