"""What replaces Theorem 2(ii) of safe: warm-started tracking, with noise that shrinks.

In round t, R_t being known, J gradient steps lead from u_{t-1} to u_t; published is
w_t = u_t + N(0, sigma_t^2 I), sigma_t = kappa' Dbar_t, with Dbar_t = rho^J (Dbar_{t-1} + v_t) from
Dbar_0 >= |u_0 - w_0*| and path bounds v_t >= |w_t* - w_{t-1}*|.  All constants are public.

Each w_t is (epsilon, delta)-indistinguishable from retraining + N(0, sigma_t^2 I), also jointly in
so many publications as `releases` says: kappa' = sqrt(releases)/mu*(epsilon, delta).  The sizes of
the deletions are public; requests that depend on what was published, and an observer who sees the
secret u_t, are not covered.
"""

import numpy as np

from bounds import Statement, Symbol
from bounds.forms import Array
from bounds.namespaces import numeric
from bounds.safe.symbols import U, d, delta, epsilon

v = Symbol("v", "path bounds v_t >= |w_t* - w_{t-1}*|", "v_t", low=0, kind="list", unit="parameter")
D0 = Symbol("D0", "bound of |u_0 - w_0*|", r"\bar D_0", low=0, unit="parameter")
rho = Symbol("rho", "contraction of one step", r"\rho", low=0, high=1, high_open=True, unit="1")
J = Symbol("J", "steps in each round", "J", low=1, kind="integer")
Ls = Symbol("Ls", "smoothness of the risks", "L_s", low=0, low_open=True, unit="loss/parameter^2")
releases = Symbol("releases", "publications that one observer sees", "k", low=1, kind="integer")
_PRIVATE = (d, epsilon, delta, releases)
statement = Statement(
    "safe.thm2ii.track",
    "Theorem 2(ii), replaced: warm-started tracking",
    "inequality",
    words="J gradient steps from the last model, and noise in proportion to the tracking "
    "error, have a regret that is bounded by the path, not by T.",
    left=r"\mathbb{E}\sum_t\left(R_t(w_t)-R_t(w_t^*)\right)",
    symbols=(Ls, rho, J, D0, v, *_PRIVATE),
    quantity="expected regret",
    correction="V_T itself cannot drive the noise: balanced deletions leave V_T = 0.",
)
statement.interpreted_as("literal", "mu-strongly convex L_s-smooth risks, known path bounds v_t")
statement.interpreted_as(
    "privacy",
    "delta(epsilon) of k publications jointly, against retraining with the same noise",
    {"tight": "<="},
    stance="component",
)
lipschitz = Statement(
    "safe.thm2ii.track.lipschitz",
    "Warm-started tracking, Lipschitz risks",
    "inequality",
    words="For U-Lipschitz risks and updates that contract towards w_t* the regret is at most "
    "U (1 + sqrt(d) kappa') sum Dbar_t.",
    left=statement.left,
    symbols=(U, rho, J, D0, v, *_PRIVATE),
    quantity="expected regret",
)
lipschitz.interpreted_as("literal", "U-Lipschitz risks, |u_t - w_t*| <= rho^J |u_{t-1} - w_t*|")


def tracking_errors(rho: Array, J: Array, D0: Array, v: Array) -> list[Array]:
    """Dbar_1..Dbar_T, the bounds of |u_t - w_t*|."""
    errors, last = [], np.asarray(D0)
    for shift in v:
        last = np.asarray(rho**J * (last + shift))
        errors.append(last)
    return errors


def noise_ratio(xp, epsilon, delta, releases):
    """kappa' = sigma_t/Dbar_t, by the analytic Gaussian mechanism (Balle and Wang 2018)."""
    return xp.sqrt(releases) / xp.mu_star(epsilon, delta)


@statement.form(
    "corrected",
    tex=r"\frac{L_s}{2}(1+d\kappa'^2)\left(\frac{\rho^J}{1-\rho^J}\right)^2"
    r"\Big[(\bar D_0+v_1)^2+\sum_{t\ge 2}v_t^2\Big]",
)
def closed(xp, Ls, rho, J, D0, v, d, epsilon, delta, releases=1):
    """The expected regret of warm-started tracking is at most this value (Young's inequality).

    Note: closed form; at most a constant however long the stream, if sum v_t^2 is finite
    Proof: Young's inequality for the convolution with rho^{Jt}
    """
    power = rho**J
    square = (D0 + v[1]) ** 2 + xp.total(lambda t: v[t] ** 2, 2, xp.count(v))
    ratio = noise_ratio(xp, epsilon, delta, releases)
    return Ls / 2 * (1 + d * ratio**2) * (power / (1 - power)) ** 2 * square


@statement.form(
    "tight",
    tex=r"\frac{L_s}{2}(1+d\kappa'^2)\sum_t\bar D_t^2,\quad "
    r"\bar D_t=\rho^J(\bar D_{t-1}+v_t)",
)
def tracked(xp, Ls, rho, J, D0, v, d, epsilon, delta, releases=1):
    """The expected regret of warm-started tracking is at most this value for L_s-smooth risks.

    Each step contracts towards w_t* by rho < 1: eta in (0, 2/L_s) and mu-strongly convex risks give
    rho = max(|1 - eta mu|, |1 - eta L_s|). Then |u_t - w_t*| <= Dbar_t and E[R_t(w_t)] - R_t(w_t*)
    <= (L_s/2) E|w_t - w_t*|^2.

    Note: attained by isotropic quadratics whose minimisers march in one direction
    Proof (literal): contraction, descent lemma, Gaussian mechanism
    Proof (privacy): mu_k^2 = sum (|u_t - w_t*|/sigma_t)^2
    """
    ratio = noise_ratio(xp, epsilon, delta, releases)
    power = rho**J

    def error(t):
        return power**t * D0 + xp.total(lambda s: power ** (t - s + 1) * v[s], 1, t)

    return Ls / 2 * (1 + d * ratio**2) * xp.total(lambda t: error(t) ** 2, 1, xp.count(v))


@tracked.numeric
def _(
    Ls: Array,
    rho: Array,
    J: Array,
    D0: Array,
    v: Array,
    d: Array,
    epsilon: Array,
    delta: Array,
    releases: Array | float = 1.0,
) -> Array:
    ratio = noise_ratio(numeric, epsilon, delta, releases)
    square = sum(gap**2 for gap in tracking_errors(rho, J, D0, v))
    return np.asarray(Ls / 2 * (1 + d * ratio**2) * square)


@lipschitz.form(
    "corrected", tex=r"U(1+\sqrt{d}\,\kappa')\frac{\rho^J}{1-\rho^J}\Big(\bar D_0+\sum_t v_t\Big)"
)
def closed_lipschitz(xp, U, rho, J, D0, v, d, epsilon, delta, releases=1):
    """The expected regret is at most this value; driven by the bounds v_t, not by the path itself.

    Balanced deletions leave V_T = 0, yet the noise for them is not 0.

    Note: closed form; sum v_t <= (L/mu) ln(n_0/n_T) on streams of deletions
    Proof: a geometric convolution of the path's steps
    """
    power, ratio = rho**J, noise_ratio(xp, epsilon, delta, releases)
    return U * (1 + xp.sqrt(d) * ratio) * power / (1 - power) * (D0 + xp.prefix(v, xp.count(v)))


@lipschitz.form("tight", tex=r"U(1+\sqrt{d}\,\kappa')\sum_t\bar D_t")
def tracked_lipschitz(xp, U, rho, J, D0, v, d, epsilon, delta, releases=1):
    """The expected regret is at most this value for U-Lipschitz risks and contracting updates.

    No risk is both strongly convex and Lipschitz on the whole space: the update has to contract by
    itself, as a proximal step does.

    Note: attained without noise, in the limit of large epsilon, by R_t = U|w - w_t*|
    Proof: Lipschitz risks; Jensen's inequality for the noise
    """
    ratio = noise_ratio(xp, epsilon, delta, releases)
    power, T = rho**J, xp.count(v)
    errors = power * (
        D0 * xp.geometric(1 - power, T)
        + xp.over(lambda t, moved: moved * xp.geometric(1 - power, T - t + 1), v)
    )
    return U * (1 + xp.sqrt(d) * ratio) * errors
