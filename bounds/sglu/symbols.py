"""The symbols of paper `sglu`, shared by its formulas.

Notation: n points, batches of b (b divides n), J = n/b batches an epoch, c = 1 - eta m,
q = 2 eta M / b (largest one-step shift caused by one replaced point), true noise variance of one
step 2 eta sigma^2, j0 the batch that holds the replaced point (J - 1 is the worst).
"""

import numpy as np

from bounds import Hypothesis, Symbol

alpha = Symbol("alpha", "Rényi order", r"\alpha", low=1, low_open=True, unit="1")
eta = Symbol("eta", "step size", r"\eta", low=0, low_open=True, unit="parameter^2/loss")
m = Symbol("m", "strong convexity", "m", low=0, unit="loss/parameter^2")
m_positive = Symbol("m", "strong convexity", "m", low=0, low_open=True, unit="loss/parameter^2")
L = Symbol("L", "smoothness", "L", low=0, low_open=True, unit="loss/parameter^2")
M = Symbol(
    "M", "half the largest difference of two points' gradients", "M", low=0, unit="loss/parameter"
)
sigma = Symbol(
    "sigma",
    "noise scale; a step adds N(0, 2 eta sigma^2)",
    r"\sigma",
    low=0,
    low_open=True,
    unit="loss^(1/2)",
)
R = Symbol("R", "radius of the domain", "R", low=0, low_open=True, infinite=True, unit="parameter")
n = Symbol("n", "number of data points", "n", low=1, kind="integer")
b = Symbol("b", "batch size", "b", low=1, kind="integer")
J = Symbol("J", "batches an epoch, n / b", "J", low=1, kind="integer")
T = Symbol("T", "learning epochs", "T", low=0, kind="integer", infinite=True)
K = Symbol("K", "unlearning epochs", "K", low=0, kind="integer")
j0 = Symbol("j0", "batch position of the replaced point", "j_0", low=0, kind="integer")
d = Symbol("d", "dimension", "d", low=1, kind="integer")
S = Symbol("S", "number of replaced points or requests", "S", low=1, kind="integer")
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
epsilon = Symbol("epsilon", "privacy loss", r"\epsilon", low=0, unit="1")
hits = Symbol("hits", "points replaced in each batch position", r"S_{j}", kind="hits")
epochs = Symbol(
    "epochs", "unlearning epochs of each request, K_1..K_S", "K_s", low=0, kind="list", unit="1"
)
K_positive = Symbol("K", "unlearning epochs", "K", low=1, kind="integer")
R_finite = Symbol("R", "radius of the domain", "R", low=0, low_open=True, unit="parameter")
T_finite = Symbol("T", "learning epochs", "T", low=1, kind="integer")
T_positive = Symbol("T", "learning epochs", "T", low=1, kind="integer", infinite=True)
Z = Symbol("Z", "distance that one replaced point adds", "Z", low=0, unit="parameter")
c = Symbol("c", "contraction factor of one step", "c", low=0, high=1, unit="1")
n_data = Symbol("n", "data points (lambda = 1e-6 n, delta = 1/n)", "n", low=2, kind="integer")
target = Symbol("epsilon", "target epsilon", r"\epsilon", low=0, low_open=True, unit="1")
target_each = Symbol(
    "epsilon", "target epsilon of every request", r"\epsilon", low=0, low_open=True, unit="1"
)

contractive = Hypothesis("eta m <= 1 (so that c = 1 - eta m >= 0)", lambda eta, m: eta * m <= 1)
position_in_epoch = Hypothesis("j0 <= J - 1", lambda j0, J: j0 <= J - 1)
convexity_order = Hypothesis("m <= L", lambda m, L: m <= L)
hits_in_epoch = Hypothesis("positions <= J - 1", lambda hits, J: max(hits) <= np.min(J) - 1)
hits_in_batch = Hypothesis(
    "at most b points a batch", lambda hits, b: max(hits.values()) <= np.min(b)
)
forgetting = Hypothesis("eta m < 1", lambda eta, m: eta * m < 1)
enough_points = Hypothesis("n >= S", lambda n, S: n >= S)
