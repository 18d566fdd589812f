"""The symbols of paper `hf`, shared by its formulas.

Notation: n samples, p = d parameters; E + 1 epochs of B steps, T = (E + 1) B; step t uses the
batch B_t of b_t samples with eta_t = eta q^t; U the set to forget, m_t = |B_t and U|,
beta_t = (b_t - m_t)/b_t.  lam I <= Hessian of every loss <= M I on the segments between the learned
and the retrained iterates, Lam its Lipschitz constant, C a bound on the forgotten gradients.
rho_t = max(|1 - eta_t lam|, |1 - eta_t M|) contracts a whole batch, r_t (with eta_t beta_t) the
kept part of it.
"""

from bounds import Hypothesis, Symbol

eta = Symbol("eta", "first step size", r"\eta", low=0, low_open=True, unit="parameter^2/loss")
q = Symbol("q", "decay of the step size", "q", low=0, high=1, low_open=True, unit="1")
C = Symbol("C", "bound on the gradient of a forgotten sample", "C", low=0, unit="loss/parameter")
T = Symbol("T", "number of steps", "T", low=0, kind="integer")
t = Symbol("t", "step", "t", low=0, kind="integer")
# T = (E + 1) B has to be a 64-bit integer.
B = Symbol("B", "steps an epoch", "B", low=1, high=10**9, kind="integer")
E = Symbol("E", "number of the last epoch (the first is 0)", "E", low=0, high=10**9, kind="integer")
b = Symbol("b", "samples a batch", "b", low=1, kind="integer")
b_u = Symbol("b_u", "position of the forgotten sample's batch", "b(u)", low=0, kind="integer")
n = Symbol("n", "number of samples", "n", low=1, kind="integer")
m = Symbol("m", "number of forgotten samples", "m", low=0, kind="integer")
d = Symbol("d", "number of parameters", "d", low=1, kind="integer")
lam = Symbol("lam", "lower bound on the Hessian (any sign)", r"\lambda", unit="loss/parameter^2")
lam_positive = Symbol(
    "lam", "strong convexity", r"\lambda", low=0, low_open=True, unit="loss/parameter^2"
)
M = Symbol("M", "upper bound on the Hessian", "M", low=0, low_open=True, unit="loss/parameter^2")
Lam = Symbol("Lam", "Lipschitz constant of the Hessian", r"\Lambda", low=0, unit="loss/parameter^3")
L = Symbol("L", "Lipschitz constant of the loss", "L", low=0, low_open=True, unit="loss/parameter")
rho = Symbol("rho", "contraction of a step", r"\rho", low=0, unit="1")
beta = Symbol("beta", "kept share of the batch", r"\beta", low=0, high=1, unit="1")
epsilon = Symbol("epsilon", "privacy loss", r"\epsilon", low=0, low_open=True, unit="1")
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
sigma = Symbol("sigma", "noise standard deviation", r"\sigma", low=0, unit="parameter")
error = Symbol("error", "bound on the approximation error", r"\bar\Delta", low=0, unit="parameter")
gamma = Symbol("gamma", "excess risk level", r"\gamma", low=0, low_open=True, unit="loss")
steps = Symbol(
    "steps",
    "step sizes eta_0..eta_{T-1}",
    r"\eta_t",
    low=0,
    low_open=True,
    kind="list",
    unit="parameter^2/loss",
)
missing = Symbol(
    "missing",
    "forgotten samples in each batch, m_0..m_{T-1}",
    "m_t",
    low=0,
    kind="list",
    typical=(0, 3),
    whole=True,
    unit="1",
)
sizes = Symbol(
    "sizes",
    "samples in each batch, b_0..b_{T-1}",
    "b_t",
    low=1,
    kind="list",
    typical=(4, 7),
    whole=True,
    unit="1",
)

curvatures = Hypothesis("lam <= M", lambda lam, M: lam <= M)
