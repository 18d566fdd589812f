"""The best allocation of shifts to noise (in place of olu eq 7)."""

import numpy as np

from accounting.contraction.noisy_contraction import pabi_mu
from bounds import Hypothesis, Plot, Statement, Symbol, Written
from bounds.forms import Array
from bounds.olu.symbols import alpha
from bounds.own.minorant import slope

_factors = Symbol("c", "factor on the distance, of each map", "c_t", low=0, kind="list", unit="1")
_noise = Symbol(
    "sigma", "noise added after each map", r"\sigma_t", low=0, kind="list", unit="parameter"
)
_shifts = Symbol(
    "s",
    "largest distance of the two maps at each step",
    "s_t",
    low=0,
    kind="list",
    unit="parameter",
)
_one_length = Hypothesis(
    "c, s and sigma have one length", lambda c, s, sigma: c.size == s.size == sigma.size
)

optimum = Statement(
    "own.opt",
    "Optimal allocation",
    "inequality",
    words="Over all allocations a of the shifts to the noise, D_alpha <= (alpha/2) sum_t "
    "a_t^2/sigma_t^2 is least at the greatest convex minorant of shift over noise.",
    left=r"\min_a\Big\{\frac\alpha2\sum_t\frac{a_t^2}{\sigma_t^2}:\ "
    r"e_t=c_te_{t-1}+s_t-a_t\ge0,\ e_N=0\Big\}\ge D_\alpha(X_N\|X'_N)",
    symbols=(alpha, _factors, _shifts, _noise),
    requires=(_one_length,),
    aliases=("olu.opt",),
    plot=Plot(
        "alpha",
        tuple(np.linspace(1.5, 20, 15).tolist()),
        {"c": [0.9, 0.8, 1.0, 0.9], "s": [0.5, 0.0, 0.3, 0.0], "sigma": [0.2, 0.3, 0.0, 0.4]},
    ),
    quantity="least cost of an allocation",
)
optimum.interpreted_as(
    "literal", "|psi_t(x) - psi'_t(x')| <= c_t |x - x'| + s_t for all x, x'; common start"
)


@optimum.form(
    "tight",
    tex=r"\frac\alpha2\sum_{\text{pieces}}\frac{(\Delta\tilde S)^2}{\Delta\tilde V}"
    r"\ \text{of the greatest convex minorant of }(\tilde V_m,\tilde S_m)",
    written=Written("optimal_allocation.md", rests_on=("own.x1", "own.x2")),
)
def minorant(xp, alpha, c, s, sigma):
    """D_alpha(X_N || X'_N) is at most this value, the least that shifted interpolation gives.

    With P_t = prod_{r>t} c_r the points are S = sum P s, V = sum P^2 sigma^2.

    Note: isotonic regression; inf where a shift meets no noise
    Proof: taut string under the barrier; shifted interpolation
    Equality: linear maps when the minorant is one segment
    Source: olu, Lemma 3 (eq 9) with the best a in place of eq 7; X_t = psi_t(X_{t-1}) + sigma_t xi
        with |psi_t(x) - psi'_t(x')| <= c_t |x - x'| + s_t
    """
    k = xp.count(c)

    def rest(t):
        return xp.product(lambda r: c[r], t + 1, k)

    def shift(first, last):
        return xp.total(lambda t: s[t] * rest(t), first, last)

    def room(first, last):
        return xp.total(lambda t: (sigma[t] * rest(t)) ** 2, first, last)

    def cost(t):
        paid = xp.where(room(t, t) > 0, lambda: slope(xp, t, k, shift, room) ** 2 * room(t, t), 0)
        return xp.where((room(t, k) <= 0) & (s[t] * rest(t) > 0), xp.inf, paid)

    return alpha / 2 * xp.total(cost, 1, k)


@minorant.numeric
def _(alpha: Array, c: Array, s: Array, sigma: Array) -> Array:
    """One pass over the points; the formula tries every pair of ends."""
    return alpha * pabi_mu(c, s, sigma) ** 2 / 2


Z = Symbol("Z", "initial distance", "Z", low=0, unit="parameter")

aligned = Statement(
    "own.opt.aligned",
    "Optimal allocation, shifts before noise",
    "equality",
    words="Chains Z apart before the first noise end within D_alpha = alpha S^2/(2V).",
    left=r"D_\alpha(X_N\|X'_N)",
    symbols=(alpha, Z, _factors, _noise),
    requires=(Hypothesis("c and sigma have one length", lambda c, sigma: c.size == sigma.size),),
    aliases=("olu.opt.aligned",),
    plot=Plot(
        "Z",
        tuple(np.linspace(0.1, 3, 15).tolist()),
        {"alpha": 2.0, "c": [1.0, 0.8, 0.9], "sigma": [0.3, 0.0, 0.4]},
    ),
    quantity="D_alpha(X_N || X'_N)",
)
aligned.interpreted_as(
    "literal", "linear maps x -> c_t x + b_t; an upper bound for every c_t-Lipschitz map"
)


@aligned.form(
    "tight",
    tex=r"\frac{\alpha S^2}{2V},\quad S=Z\prod_tc_t,\ V=\sum_t\sigma_t^2\prod_{r>t}c_r^2",
    written=Written("aligned_allocation.md", rests_on=("own.x1",)),
)
def one_segment(xp, alpha, Z, c, sigma):
    """D_alpha(X_N || X'_N) is at most this value for chains Z apart before the first noise.

    a_t is proportional to sigma_t^2 prod_{r>t} c_r, and e_t stays >= 0. It is inf where the
    distance meets no noise.

    Note: attained by linear maps, so the least possible for the class
    Proof: Cauchy-Schwarz; two Gaussians of one variance
    Equality: psi_t(x) = c_t x + b_t
    """
    k = xp.count(c)

    def rest(t):
        return xp.product(lambda r: c[r], t + 1, k)

    apart = Z * rest(0)
    room = xp.total(lambda t: (sigma[t] * rest(t)) ** 2, 1, k)
    unmet = xp.where(apart > 0, xp.inf, 0)
    return xp.where(room > 0, lambda: alpha * apart**2 / (2 * room), unmet)
