"""The symbols of paper `mini`, shared by its formulas.

Notation: s steps were taken, the last k are followed; step l uses a batch of size B of which dB_l
samples are forgotten, beta = max dB_l/B.  Every per-sample loss is mu-strongly convex, L-smooth,
with an M-Lipschitz Hessian; r = max(|1 - eta mu|, |1 - eta L|); Dw_l is the retrained minus the
learned iterate, G the injected gradient difference, Gm a bound on the un-regularised gradients.
"""

from bounds import Hypothesis, Symbol

eta = Symbol("eta", "step size", r"\eta", low=0, low_open=True, unit="parameter^2/loss")
mu = Symbol("mu", "strong convexity", r"\mu", low=0, unit="loss/parameter^2")
L = Symbol("L", "smoothness", "L", low=0, low_open=True, unit="loss/parameter^2")
M = Symbol("M", "Lipschitz constant of the Hessian", "M", low=0, unit="loss/parameter^3")
k = Symbol("k", "steps followed", "k", low=0, kind="integer")
s = Symbol("s", "steps taken", "s", low=0, kind="integer")
B = Symbol("B", "batch size", "B", low=1, kind="integer")
beta = Symbol("beta", "largest forgotten share of a batch", r"\beta", low=0, high=1, unit="1")
Gm = Symbol("Gm", "bound on the un-regularised gradients", "G_m", low=0, unit="loss/parameter")
n = Symbol("n", "number of samples", "n", low=1, kind="integer")
u = Symbol("u", "number of forgotten samples", "|D_U|", low=0, kind="integer")
p = Symbol("p", "number of parameters", "p", low=1, kind="integer")
distance = Symbol(
    "distance", "distance |Dw_{s-k}| before the steps followed", "D", low=0, unit="parameter"
)
k_several = Symbol("k", "steps followed", "k", low=2, kind="integer")
u_some = Symbol("u", "number of forgotten samples", "|D_U|", low=1, kind="integer")

smoothness_order = Hypothesis("mu <= L", lambda mu, L: mu <= L)
followed = Hypothesis("k <= s", lambda k, s: k <= s)
small_steps = Hypothesis("eta <= 2/(L + mu)", lambda eta, L, mu: eta <= 2 / (L + mu))
quadratic = Hypothesis("quadratic losses", sets={"M": lambda: 0.0})
some_kept = Hypothesis("u < n", lambda u, n: u < n)
