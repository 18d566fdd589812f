"""The best allocation of shifts to noise (in place of olu eq 7)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from accounting.contraction import pabi_mu
from bounds.forms import Array
from bounds.hypotheses import Hypothesis
from bounds.olu.symbols import (
    alpha,
)
from bounds.readings import Reading
from bounds.statements import Plot, Statement
from bounds.symbols import Symbol

_factors = Symbol("c", "factor on the distance, of each map", "c_t", low=0, kind="list")
_noise = Symbol("sigma", "noise added after each map", r"\sigma_t", low=0, kind="list")
_shifts = Symbol("s", "largest distance of the two maps at each step", "s_t", low=0, kind="list")
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
    readings=(
        Reading(
            "literal",
            "|psi_t(x) - psi'_t(x')| <= c_t |x - x'| + s_t for all x, x'; common start",
            {"tight": "<="},
            proofs={"tight": "taut string under the barrier; shifted interpolation"},
        ),
    ),
    plot=Plot(
        "alpha",
        tuple(np.linspace(1.5, 20, 15).tolist()),
        {"c": [0.9, 0.8, 1.0, 0.9], "s": [0.5, 0.0, 0.3, 0.0], "sigma": [0.2, 0.3, 0.0, 0.4]},
    ),
    quantity="least cost of an allocation",
)


@optimum.form(
    "tight",
    tex=r"\frac\alpha2\sum_{\text{pieces}}\frac{(\Delta\tilde S)^2}{\Delta\tilde V}"
    r"\ \text{of the greatest convex minorant of }(\tilde V_m,\tilde S_m)",
    note="isotonic regression; inf where a shift meets no noise",
)
def minorant(alpha: Array, c: Array, s: Array, sigma: Array) -> Array:
    """D_alpha(X_N || X'_N) is at most this value, the least that shifted interpolation gives.

    Source: olu Lemma 3 (eq 9) with the best a in place of eq 7; X_t = psi_t(X_{t-1}) + sigma_t xi
    with |psi_t(x) - psi'_t(x')| <= c_t |x - x'| + s_t. With P_t = prod_{r>t} c_r the points are
    S = sum P s, V = sum P^2 sigma^2. Attained by linear maps when the minorant is one segment.
    """
    return alpha * pabi_mu(c, s, sigma) ** 2 / 2


@minorant.expression
def _(sp: Any, alpha: Any, c: Any, s: Any, sigma: Any) -> Any:
    shifts, weights, carried = [], [], sp.Integer(0)
    for t, (jump, noise) in enumerate(zip(s, sigma, strict=True)):
        rest = sp.prod(c[t + 1 :])
        carried += jump * rest
        if noise * rest:
            shifts.append(carried)
            weights.append((noise * rest) ** 2)
            carried = sp.Integer(0)
    if carried:
        return sp.oo
    pieces = zip(_slopes(shifts, weights), weights, strict=True)
    return alpha / 2 * sum(slope**2 * weight for slope, weight in pieces)


def _slopes(shifts: Sequence[Any], weights: Sequence[Any]) -> list[Any]:
    """Isotonic regression by its max-min formula, in exact arithmetic."""

    def mean(j: int, k: int) -> Any:
        return sum(shifts[j : k + 1]) / sum(weights[j : k + 1])

    n = len(shifts)
    return [max(min(mean(j, k) for k in range(i, n)) for j in range(i + 1)) for i in range(n)]


aligned = Statement(
    "own.opt.aligned",
    "Optimal allocation, shifts before noise",
    "equality",
    words="Chains Z apart before the first noise end within D_alpha = alpha S^2/(2V).",
    left=r"D_\alpha(X_N\|X'_N)",
    symbols=(alpha, Symbol("Z", "initial distance", "Z", low=0), _factors, _noise),
    requires=(Hypothesis("c and sigma have one length", lambda c, sigma: c.size == sigma.size),),
    aliases=("olu.opt.aligned",),
    readings=(
        Reading(
            "literal",
            "linear maps x -> c_t x + b_t; an upper bound for every c_t-Lipschitz map",
            {"tight": "=="},
            proofs={"tight": "Cauchy-Schwarz; two Gaussians of one variance"},
        ),
    ),
    plot=Plot(
        "Z",
        tuple(np.linspace(0.1, 3, 15).tolist()),
        {"alpha": 2.0, "c": [1.0, 0.8, 0.9], "sigma": [0.3, 0.0, 0.4]},
    ),
    quantity="D_alpha(X_N || X'_N)",
)


@aligned.form(
    "tight",
    tex=r"\frac{\alpha S^2}{2V},\quad S=Z\prod_tc_t,\ V=\sum_t\sigma_t^2\prod_{r>t}c_r^2",
    note="attained by linear maps, so the least possible for the class",
)
def one_segment(alpha: Array, Z: Array, c: Array, sigma: Array) -> Array:
    """D_alpha(X_N || X'_N) is at most this value for chains Z apart before the first noise.

    Equality for psi_t(x) = c_t x + b_t.  Cauchy-Schwarz: a_t is proportional to
    sigma_t^2 prod_{r>t} c_r, and e_t stays >= 0.  inf where the distance meets no noise.
    """
    gap, variance = Z, np.float64(0.0)
    for factor, noise in zip(c, sigma, strict=True):
        gap, variance = factor * gap, factor**2 * variance + noise**2
    found = alpha * gap**2 / (2 * np.where(variance > 0, variance, 1.0))
    return np.where(variance > 0, found, np.where(gap > 0, np.inf, 0.0))


@one_segment.expression
def _(sp: Any, alpha: Any, Z: Any, c: Any, sigma: Any) -> Any:
    S = Z * sp.prod(c)
    V = sum((noise * sp.prod(c[t + 1 :])) ** 2 for t, noise in enumerate(sigma))
    return alpha * S**2 / (2 * V)
