"""Exact regrets of SAFE on the streams that refute Theorem 2(ii).

Constant risk: R_t = U|w| with w_0 = w_t* = 0, so that V_T = 0.  Median stream: T + 2 points at 0
and T + 1 at c, losses U|w - x|; the points at 0 leave first, then one at c in each round, so that
R_t = U|w - c|, V_T = c and the step leads from 0 to gamma.  Mean stream: the same with losses
(w - x)^2/2 and any share of the data, however small, in place of the points at 0.
"""

import numpy as np
import scipy

from bounds import Hypothesis, Interpretation, Plot, Statement, Symbol
from bounds.forms import Array
from bounds.namespaces import numeric
from bounds.safe.symbols import K, T, U, W, d, phi
from bounds.safe.theorem_2_ii import step_length

c = Symbol("c", "place of the points that stay", "c", low=0, low_open=True, unit="parameter")
noisy = Symbol("phi", phi.meaning, phi.tex, low=0, low_open=True, unit=phi.unit)
within = Hypothesis("c <= W", lambda c, W: c <= W)
LEFT = r"\mathbb{E}\sum_t\left(R_t(w_t)-R_t(w_t^*)\right)"
_INTERPRETATIONS = (
    Interpretation("literal", "Algorithm 1 with lambda = 0; a step 0/0 is 0", {"tight": "=="}),
)
_TIMES = (4.0, 16.0, 36.0, 100.0, 400.0, 1600.0, 6400.0)
noise = Statement(
    "safe.thm2ii.noise",
    "Regret on a constant risk",
    "equality",
    words="On R_t = U|w| with w_0 = w_t* = 0 SAFE's regret is T U E|b_t|, although V_T = 0.",
    left=LEFT,
    symbols=(U, T, d, phi),
    interpretations=_INTERPRETATIONS,
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
    interpretations=_INTERPRETATIONS,
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
    interpretations=_INTERPRETATIONS,
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
    interpretations=_INTERPRETATIONS,
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
    interpretations=_INTERPRETATIONS,
    plot=Plot("T", _TIMES, {"W": 1.0, "K": 1.0, "c": 1.0, "phi": 0.0}, log_x=True),
    quantity="expected regret",
)


@noise.form("tight", tex=r"TU\sqrt{2\phi}\,\frac{\Gamma((d+1)/2)}{\Gamma(d/2)}")
def constant(xp, U, T, d, phi):
    """SAFE's expected regret on the constant risk U|w| equals this value (0/0 read as 0).

    Proof: the mean of the risk at w_0 - gamma g/|g| - b_t
    """
    return T * U * xp.sqrt(2 * phi) * xp.gamma_ratio(d)


@noise_ball.form(
    "tight",
    tex=r"TU\left[\sqrt{2\phi/\pi}\,(1-e^{-W^2/2\phi})+W\,\mathrm{erfc}(W/\sqrt{2\phi})\right]",
)
def constant_ball(xp, U, W, T, phi):
    """The same in one dimension, published models projected onto [-W, W]: TU E min(|b|, W).

    Proof: the mean of the risk at w_0 - gamma g/|g| - b_t
    """
    inner = -xp.sqrt(2 * phi / xp.pi) * xp.expm1(-(W**2) / (2 * phi))
    return T * U * (inner + W * xp.erfc(W / xp.sqrt(2 * phi)))


@bias.form(
    "tight",
    tex=r"TU\left[\sqrt{2\phi/\pi}\,e^{-a^2/2\phi}+a\,\mathrm{erf}(a/\sqrt{2\phi})\right],\quad "
    r"a=c-\gamma",
)
def median(xp, U, W, K, T, c, phi):
    """SAFE's expected regret on the median stream equals this value: T U E|c - gamma + b|.

    Note: TU|c - gamma| without noise
    Proof: the mean of the risk at w_0 - gamma g/|g| - b_t
    """
    a = c - step_length(xp, W, K, T)

    def noisy_mean():
        spread = xp.sqrt(2 * phi / xp.pi) * xp.exp(-(a**2) / (2 * phi))
        return spread + a * xp.erf(a / xp.sqrt(2 * phi))

    return T * U * xp.where(phi > 0, noisy_mean, abs(a))


def _ramp(xp, z):
    """The integral of Phi up to z."""
    return z * xp.Phi(z) + xp.exp(-(z**2) / 2) / xp.sqrt(2 * xp.pi)


@bias_ball.form(
    "tight",
    tex=r"TU\sqrt{\phi}\left[G\!\left(\tfrac{W-\gamma}{\sqrt\phi}\right)"
    r"-G\!\left(\tfrac{-W-\gamma}{\sqrt\phi}\right)\right],\quad G(z)=z\Phi(z)+\Phi'(z)",
)
def median_ball(xp, U, W, K, T, phi):
    """The same with c = W and published models projected onto [-W, W].

    Proof: the mean of the risk at w_0 - gamma g/|g| - b_t
    """
    gamma, sigma = step_length(xp, W, K, T), xp.sqrt(phi)
    return T * U * sigma * (_ramp(xp, (W - gamma) / sigma) - _ramp(xp, (-W - gamma) / sigma))


@median_ball.numeric
def _(U: Array, W: Array, K: Array, T: Array, phi: Array) -> Array:
    gamma, sigma = step_length(numeric, W, K, T), np.sqrt(phi)
    low, middle, high = (-W - gamma) / sigma, -gamma / sigma, (W - gamma) / sigma
    # The difference of G is the integral of Phi: Simpson's rule where the two are too near.
    simpson = (
        W
        / 3
        * (scipy.special.ndtr(low) + 4 * scipy.special.ndtr(middle) + scipy.special.ndtr(high))
    )
    exact = sigma * (_ramp(numeric, high) - _ramp(numeric, low))
    return np.asarray(T * U * np.where(high - low < 1e-3, simpson, exact))


@quadratic.form("tight", tex=r"\frac{T}{2}\left[(c-\gamma)^2+\phi\right]")
def mean(xp, W, K, T, c, phi):
    """SAFE's expected regret on the mean stream equals this value, in one dimension.

    Proof: the mean of the risk at w_0 - gamma g/|g| - b_t
    """
    return T / 2 * ((c - step_length(xp, W, K, T)) ** 2 + phi)
