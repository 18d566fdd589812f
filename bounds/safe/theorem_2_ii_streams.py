"""Exact regrets of SAFE on the streams that refute Theorem 2(ii).

Constant risk: R_t = U|w| with w_0 = w_t* = 0, so that V_T = 0.  Median stream: T + 2 points at 0
and T + 1 at c, losses U|w - x|; the points at 0 leave first, then one at c in each round, so that
R_t = U|w - c|, V_T = c and the step leads from 0 to gamma.  Mean stream: the same with losses
(w - x)^2/2 and any share of the data, however small, in place of the points at 0.
"""

from typing import Any

import numpy as np
from scipy.special import erf, erfc, ndtr, poch

from bounds.forms import Array
from bounds.hypotheses import Hypothesis
from bounds.readings import Reading
from bounds.safe.symbols import K, T, U, W, d, phi
from bounds.safe.theorem_2_ii import step_length
from bounds.statements import Plot, Statement
from bounds.symbols import Symbol

c = Symbol("c", "place of the points that stay", "c", low=0, low_open=True)
noisy = Symbol("phi", phi.meaning, phi.tex, low=0, low_open=True)
within = Hypothesis("c <= W", lambda c, W: c <= W)
LEFT = r"\mathbb{E}\sum_t\left(R_t(w_t)-R_t(w_t^*)\right)"
_READINGS = (
    Reading(
        "literal",
        "Algorithm 1 with lambda = 0; a step 0/0 is 0",
        {"tight": "=="},
        proofs={"tight": "the mean of the risk at w_0 - gamma g/|g| - b_t"},
    ),
)
_TIMES = (4.0, 16.0, 36.0, 100.0, 400.0, 1600.0, 6400.0)
noise = Statement(
    "safe.thm2ii.noise",
    "Regret on a constant risk",
    "equality",
    words="On R_t = U|w| with w_0 = w_t* = 0 SAFE's regret is T U E|b_t|, although V_T = 0.",
    left=LEFT,
    symbols=(U, T, d, phi),
    readings=_READINGS,
    plot=Plot("T", _TIMES, {"U": 1.0, "d": 1, "phi": 4.844805262605389}, log_x=True),
    quantity="expected regret",
)
noise_ball = Statement(
    "safe.thm2ii.noise.ball",
    "Regret on a constant risk, projected",
    "equality",
    words="Projected onto [-W, W] it is T U E min(|b_t|, W).",
    left=LEFT,
    symbols=(U, W, T, noisy),
    readings=_READINGS,
    plot=Plot("T", _TIMES, {"U": 1.0, "W": 1.0, "phi": 4.844805262605389}, log_x=True),
    quantity="expected regret",
)
bias = Statement(
    "safe.thm2ii.bias",
    "Regret on the median stream",
    "equality",
    words="When the median moves from 0 to c in round 1, SAFE's regret is T U E|c - gamma + b_t|.",
    left=LEFT,
    symbols=(U, W, K, T, c, phi),
    requires=(within,),
    readings=_READINGS,
    plot=Plot("T", _TIMES, {"U": 1.0, "W": 1.0, "K": 1.0, "c": 1.0, "phi": 0.0}, log_x=True),
    quantity="expected regret",
)
bias_ball = Statement(
    "safe.thm2ii.bias.ball",
    "Regret on the median stream, projected",
    "equality",
    words="With c = W and projected onto [-W, W] it is T U E(W - clip(gamma - b_t)).",
    left=LEFT,
    symbols=(U, W, K, T, noisy),
    readings=_READINGS,
    plot=Plot("T", _TIMES, {"U": 1.0, "W": 1.0, "K": 1.0, "phi": 4.844805262605389}, log_x=True),
    quantity="expected regret",
)
quadratic = Statement(
    "safe.thm2ii.quadratic",
    "Regret on the mean stream",
    "equality",
    words="When the mean moves from 0 to c in round 1, SAFE's regret is (T/2)[(c - gamma)^2 + "
    "phi].",
    left=LEFT,
    symbols=(W, K, T, c, phi),
    requires=(within,),
    readings=_READINGS,
    plot=Plot("T", _TIMES, {"W": 1.0, "K": 1.0, "c": 1.0, "phi": 0.0}, log_x=True),
    quantity="expected regret",
)


@noise.form("tight", tex=r"TU\sqrt{2\phi}\,\frac{\Gamma((d+1)/2)}{\Gamma(d/2)}")
def constant(U: Array, T: Array, d: Array, phi: Array) -> Array:
    """SAFE's expected regret on the constant risk U|w| equals this value (0/0 read as 0)."""
    return np.asarray(T * U * np.sqrt(2 * phi) * poch(d / 2, 0.5))


@constant.expression
def _(sp: Any, U: Any, T: Any, d: Any, phi: Any) -> Any:
    return T * U * sp.sqrt(2 * phi) * sp.gamma((d + 1) / 2) / sp.gamma(d / 2)


@noise_ball.form(
    "tight",
    tex=r"TU\left[\sqrt{2\phi/\pi}\,(1-e^{-W^2/2\phi})+W\,\mathrm{erfc}(W/\sqrt{2\phi})\right]",
)
def constant_ball(U: Array, W: Array, T: Array, phi: Array) -> Array:
    """The same in one dimension, published models projected onto [-W, W]: TU E min(|b|, W)."""
    inner = -np.sqrt(2 * phi / np.pi) * np.expm1(-(W**2) / (2 * phi))
    return np.asarray(T * U * (inner + W * erfc(W / np.sqrt(2 * phi))))


@constant_ball.expression
def _(sp: Any, U: Any, W: Any, T: Any, phi: Any) -> Any:
    inner = sp.sqrt(2 * phi / sp.pi) * (1 - sp.exp(-(W**2) / (2 * phi)))
    return T * U * (inner + W * sp.erfc(W / sp.sqrt(2 * phi)))


@bias.form(
    "tight",
    tex=r"TU\left[\sqrt{2\phi/\pi}\,e^{-a^2/2\phi}+a\,\mathrm{erf}(a/\sqrt{2\phi})\right],\quad "
    r"a=c-\gamma",
    note="TU|c - gamma| without noise",
)
def median(U: Array, W: Array, K: Array, T: Array, c: Array, phi: Array) -> Array:
    """SAFE's expected regret on the median stream equals this value: T U E|c - gamma + b|."""
    a = c - step_length(W, K, T)
    some = np.where(phi > 0, phi, 1.0)
    spread = np.sqrt(2 * some / np.pi) * np.exp(-(a**2) / (2 * some))
    mean = np.where(phi > 0, spread + a * erf(a / np.sqrt(2 * some)), np.abs(a))
    return np.asarray(T * U * mean)


@median.expression
def _(sp: Any, U: Any, W: Any, K: Any, T: Any, c: Any, phi: Any) -> Any:
    a = c - sp.sqrt(W) / (K * sp.sqrt(T))
    if phi == 0:
        return T * U * sp.Abs(a)
    spread = sp.sqrt(2 * phi / sp.pi) * sp.exp(-(a**2) / (2 * phi))
    return T * U * (spread + a * sp.erf(a / sp.sqrt(2 * phi)))


def _ramp(z: Array) -> Array:
    return np.asarray(z * ndtr(z) + np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi))


@bias_ball.form(
    "tight",
    tex=r"TU\sqrt{\phi}\left[G\!\left(\tfrac{W-\gamma}{\sqrt\phi}\right)"
    r"-G\!\left(\tfrac{-W-\gamma}{\sqrt\phi}\right)\right],\quad G(z)=z\Phi(z)+\Phi'(z)",
)
def median_ball(U: Array, W: Array, K: Array, T: Array, phi: Array) -> Array:
    """The same with c = W and published models projected onto [-W, W]."""
    gamma, sigma = step_length(W, K, T), np.sqrt(phi)
    low, middle, high = (-W - gamma) / sigma, -gamma / sigma, (W - gamma) / sigma
    # The difference of G is the integral of Phi: Simpson's rule where the two are too near.
    simpson = W / 3 * (ndtr(low) + 4 * ndtr(middle) + ndtr(high))
    exact = sigma * (_ramp(high) - _ramp(low))
    return np.asarray(T * U * np.where(high - low < 1e-3, simpson, exact))


@median_ball.expression
def _(sp: Any, U: Any, W: Any, K: Any, T: Any, phi: Any) -> Any:
    import mpmath  # type: ignore[import-untyped, unused-ignore]

    with mpmath.workdps(400):  # sympy is slow on exp(-z^2) for large z; G cancels for wide noise
        u, w, k, t, variance = (mpmath.mpf(x.p) / x.q for x in (U, W, K, T, phi))
        gamma, sigma = mpmath.sqrt(w / t) / k, mpmath.sqrt(variance)
        ends = ((w - gamma) / sigma, (-w - gamma) / sigma)
        high, low = (z * mpmath.ncdf(z) + mpmath.npdf(z) for z in ends)
        return sp.Float(mpmath.nstr(t * u * sigma * (high - low), 70), 60)


@quadratic.form("tight", tex=r"\frac{T}{2}\left[(c-\gamma)^2+\phi\right]")
def mean(W: Array, K: Array, T: Array, c: Array, phi: Array) -> Array:
    """SAFE's expected regret on the mean stream equals this value, in one dimension."""
    return np.asarray(T / 2 * ((c - step_length(W, K, T)) ** 2 + phi))


@mean.expression
def _(sp: Any, W: Any, K: Any, T: Any, c: Any, phi: Any) -> Any:
    return T / 2 * ((c - sp.sqrt(W) / (K * sp.sqrt(T))) ** 2 + phi)
