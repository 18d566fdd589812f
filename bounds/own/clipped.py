"""Clipped gradients: when they contract, and what bounded ones cost where they do not."""

import numpy as np

from accounting.contraction.common_steps import log_delta_after
from bounds import Plot, Statement, Symbol, Written
from bounds.forms import Array

_MOST = 12

eta = Symbol("eta", "step size", r"\eta", low=0, low_open=True, unit="parameter^2/loss")
lam = Symbol("lam", "weight decay, outside the clip", r"\lambda", low=0, unit="loss/parameter^2")
L0 = Symbol("L0", "smoothness of every loss, max beta |a|^2", "L_0", low=0, unit="loss/parameter^2")
m = Symbol("m", "rows in the batch", "m", low=1, kind="integer")
B = Symbol("B", "by which their sum is divided", "B", low=1, kind="integer")

glm = Statement(
    "own.clip",
    "Clipped scalar predictions",
    "inequality",
    words="Clipping the gradients of convex losses of scalar predictions keeps them convex and "
    "smooth, so that a clipped step has the Lipschitz constant of an unclipped one.",
    left=r"\mathrm{Lip}\Big(x\mapsto x-\frac\eta B\sum_{i\le m}\mathrm{clip}_C(g_i(x))"
    r"-\eta\lambda x\Big)",
    symbols=(eta, lam, L0, m, B),
    plot=Plot(
        "eta",
        tuple(np.linspace(0.05, 3, 13).tolist()),
        {"lam": 0.1, "L0": 1.0, "m": 4.0, "B": 4.0},
        log_y=False,
    ),
    quantity="Lipschitz constant of a clipped step",
    correction="For several predictions count on a bounded gradient, not on a contraction.",
)
glm.interpreted_as("literal", "gradients l'(<a, x>) a with l convex and l'' <= beta")
glm.interpreted_as(
    "vector", "convex losses of several predictions, such as softmax", stance="amended"
)


@glm.form(
    "tight",
    tex=r"\max\Big(|1-\eta\lambda|,\ \Big|1-\eta\Big(\lambda+\frac{mL_0}B\Big)\Big|\Big)",
    written=Written("clipped_losses.md"),
)
def _glm(xp, eta, lam, L0, m, B):
    """The Lipschitz constant of a clipped step is at most this.

    Note: attained by Huber's loss, within the clip and beyond it
    Proof (literal): the clamp of l' is monotone and as steep at most
    Fails (vector): For several predictions the gradient is clipped in length, and what is left need
        not be the gradient of a convex loss: with softmax of three labels a step η = {eta} takes
        two models farther apart.
    """
    return xp.maximum(abs(1 - eta * lam), abs(1 - eta * (lam + m * L0 / B)))


c = Symbol("c", "factor on the distance", "c", low=0, low_open=True, high=1, unit="1")
s = Symbol("s", "what a step may add to the distance, 2 eta C", "s", low=0, unit="parameter")
noise = Symbol(
    "noise",
    "standard deviation of a step's noise",
    r"\sigma",
    low=0,
    low_open=True,
    unit="parameter",
)
z0 = Symbol("z0", "W-infinity distance of the starts", "z_0", low=0, unit="parameter")

steps = Statement(
    "own.clipped",
    "Clipped steps in common",
    "inequality",
    words="Two runs z_0 apart that make the same steps with |psi(x) - psi(y)| <= c |x - y| + s end "
    "mu-Gaussian-DP apart, mu the least over t of the minorant that stops after t steps: once the "
    "runs have met, nothing parts them.",
    left=r"\mu(X_K, X'_K)",
    symbols=(c, s, noise, z0, Symbol("K", "steps", "K", low=1, kind="integer").upto(_MOST)),
    plot=Plot(
        "z0",
        tuple(np.linspace(0, 10, 11).tolist()),
        {"c": 0.8, "s": 0.2, "noise": 1.0, "K": 8.0},
        log_y=False,
    ),
    quantity="Gaussian-DP parameter mu",
)
steps.interpreted_as(
    "literal", "any maps with the inequality, the same in both runs; neither continuous nor convex"
)


@steps.form(
    "tight",
    tex=r"\min_{t\le K}\frac{z_0c^t+s(1+c+\dots+c^{t-1})}{\sigma\sqrt{1+c^2+\dots+c^{2(t-1)}}}",
    written=Written("clipped_steps.md", rests_on=("own.x1", "own.x2")),
)
def _steps(xp, c, s, noise, z0, K):
    """Runs that make the same K steps end mu-Gaussian-DP apart with this mu.

    With c <= 1 and shifts that do not fall the minorant is one segment, for every t.

    Note: attained at K = 1 by x -> c x + (s/2) sign(x) from two starts, opposite clipped gradients
    Proof: X1 with the minorant up to step t, and equal states from there on
    """

    def after(t):
        gap = z0 * c**t + s * xp.geometric(1 - c, t)
        return gap / (noise * xp.sqrt(xp.spread(1 - c, t)))

    return xp.least(after, 1, K)


epsilon = Symbol("epsilon", "log gamma", r"\varepsilon", low=0, high=20, unit="1")
mu = Symbol("mu", "d/s: diameter of the image over the noise", r"\mu", low=0.01, high=20, unit="1")

common = Statement(
    "own.common",
    "Steps in common on a bounded domain",
    "inequality",
    words="Each step that both runs make, d at most between its images of any two points, takes "
    "a = H_gamma to at most a delta(log(1 + (gamma - 1)/a), d/s), whatever the maps.",
    left=r"H_{e^\varepsilon}(X_K\,\|\,X'_K)",
    symbols=(epsilon, mu, Symbol("K", "steps in common", "K", low=1, kind="integer").upto(9)),
    plot=Plot("K", tuple(float(k) for k in range(1, 10)), {"epsilon": 0.5, "mu": 1.3}),
    quantity="hockey-stick divergence",
)
common.interpreted_as("literal", "any maps of a domain with images of diameter d, any starts")


@common.form(
    "tight",
    tex=r"a_K,\quad a_0=1,\ a_k=a_{k-1}\,\delta\Big(\log\Big(1+"
    r"\frac{e^\varepsilon-1}{a_{k-1}}\Big),\mu\Big),"
    r"\quad \delta(\varepsilon,\mu)=\Phi\Big(\frac\mu2-\frac\varepsilon\mu\Big)"
    r"-e^\varepsilon\Phi\Big(-\frac\mu2-\frac\varepsilon\mu\Big)",
    because="a recursion that is no sum",
    written=Written("common_steps.md"),
)
def _common(epsilon: Array, mu: Array, K: Array) -> Array:
    """The divergence after K steps in common is at most this, from any start.

    Note: attained at epsilon = 0, and at K = 1, by sign(x) d/2 from two starts
    Proof: Jordan decomposition of P - gamma Q, joint convexity
    """
    shape = np.broadcast_shapes(epsilon.shape, mu.shape, K.shape)
    log_delta = np.zeros(shape)
    for t in range(1, int(K.max()) + 1):
        log_delta = np.where(
            t <= K, log_delta_after([log_delta, np.zeros(shape)], mu, epsilon), log_delta
        )
    return np.exp(log_delta)
