"""Exact values of online gradient descent on quadratics and Huber losses: exact sides of olu's
bounds.

f_t = (mu/2)|z - x_t|^2 with eta_t = 1/(mu t) on R^d makes w_t the mean of x_1..x_{t-1}.
"""

import numpy as np
import scipy

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.forms import Array
from bounds.olu.symbols import T, d, eta, mu, tau, within_rounds

_DIRECT = 100_000

sigma = Symbol("sigma", "noise at each deletion", r"\sigma_i", low=0, kind="list", unit="parameter")

noise = Statement(
    "olu.oracles",
    "Exact oracles, noise on quadratics",
    "equality",
    words="Noise sigma_i N(0, I) at tau_i adds (mu d/2) sum_i sigma_i^2 (tau_i - 1)^2 "
    "(psi1(tau_i - 1) - psi1(T)) to the expected regret.",
    left=r"\mathbb{E}\,\mathrm{Regret}_T(\sigma)-\mathrm{Regret}_T(0)",
    symbols=(mu, d, T, tau, sigma),
    requires=(
        within_rounds,
        Hypothesis("tau_i >= 2", lambda tau: np.min(tau) >= 2),
        Hypothesis("one noise for each time", lambda tau, sigma: np.shape(tau) == np.shape(sigma)),
    ),
    plot=Plot(
        "T",
        (20.0, 25.0, 30.0, 40.0, 60.0, 80.0, 120.0),
        {"mu": 2.0, "d": 1.0, "tau": [11.0, 20.0], "sigma": [0.3, 0.2]},
    ),
    quantity="expected regret added by the noise",
)
noise.interpreted_as(
    "literal",
    "f_t = (mu/2)|z - x_t|^2 on R^d, eta_t = 1/(mu t), w_{t+1} made from f_t; fixed comparator",
)


def inverse_squares(first: float, last: float) -> float:
    """sum 1/t^2 over first <= t < last, both >= 1: psi1(first) - psi1(last)."""
    if last - first <= _DIRECT:
        return float(np.sum(1.0 / np.arange(first, last) ** 2))
    return float(scipy.special.polygamma(1, first) - scipy.special.polygamma(1, last))


@noise.form(
    "tight", tex=r"\frac{\mu d}{2}\sum_i\sigma_i^2(\tau_i-1)^2\big(\psi_1(\tau_i-1)-\psi_1(T)\big)"
)
def added(xp, mu, d, T, tau, sigma):
    """The noise sigma_i N(0, I) added to w_{tau_i} adds exactly this value to the expected regret.

    The sum is over 1/(t - 1)^2 for tau_i <= t <= T.

    Note: (mu/2)|z - x_t|^2 on R^d, eta_t = 1/(mu t); fixed comparator
    Proof: w_t keeps (tau_i - 1)/(t - 1) of xi_i
    """
    summand = lambda i, t, s: (s * (t - 1)) ** 2 * (xp.trigamma(t - 1) - xp.trigamma(T))  # noqa: E731
    return mu * d / 2 * xp.over(summand, tau, sigma)


@added.numeric
def _(mu: Array, d: Array, T: float, tau: Array, sigma: Array) -> Array:
    """The differences of trigamma as sums: near T they cancel."""
    tails = np.array([inverse_squares(float(t) - 1, float(T)) for t in tau])
    return np.asarray(mu * d / 2 * np.sum((sigma * (tau - 1)) ** 2 * tails))


alternating = Statement(
    "olu.oracles.alternating",
    "Exact oracles, alternating quadratics (Q1)",
    "equality",
    words="x_t = X, -X, X, ... from 0 has regret (mu X^2/2)[sum_odd 1/t + sum_even t/(t - 1)^2].",
    left=r"\mathrm{Regret}_T",
    reads={
        r"\sum_{t\text{ odd}}\frac1t": r"\sum_{s=1}^{\lceil T/2\rceil}\frac{1}{2s-1}",
        r"\sum_{t\text{ even}}\frac{t}{(t-1)^2}": (
            r"\sum_{s=1}^{\lfloor T/2\rfloor}\frac{2s}{(2s-1)^2}"
        ),
    },
    symbols=(mu, Symbol("X", "size of the data", "X", low=0, unit="parameter"), T),
    aliases=("olu.oracles.q1",),
    plot=Plot("T", (1, 2, 5, 10, 50, 100, 200), {"mu": 2.0, "X": 0.5}, log_x=True),
    quantity="regret",
)
alternating.interpreted_as(
    "literal", "f_t = (mu/2)|z - x_t|^2 on R^d, eta_t = 1/(mu t), w_{t+1} made from f_t"
)


@alternating.form(
    "tight",
    tex=r"\frac{\mu X^2}{2}\Big[\sum_{t\text{ odd}}\frac1t"
    r"+\sum_{t\text{ even}}\frac{t}{(t-1)^2}\Big]",
)
def signs(xp, mu, X, T):
    """Descent on (mu/2)(z - x_t)^2 with x_t = X, -X, X, ... from 0 has exactly this regret.

    Note: x_t = (-1)^{t+1} X, w_1 = 0
    Proof: w_t = 0 for odd t, X/(t - 1) for even t
    """
    # 1/t over odd t and 1/(t - 1) over even t, both over odd numbers, and then 1/(t - 1)^2.
    odd, even = xp.ceiling(T / 2), xp.floor(T / 2)
    inverses = lambda n: xp.harmonic(2 * n) - xp.harmonic(n) / 2  # noqa: E731
    squares = xp.pi**2 / 8 - xp.trigamma(even + xp.rational(1, 2)) / 4
    return mu * X**2 / 2 * (inverses(odd) + inverses(even) + squares)


huber = Statement(
    "olu.oracles.huber",
    "Exact oracles, Huber losses (Q3)",
    "equality",
    words="Descent with step eta from xi on the Huber loss of width eta costs xi^2/(2 eta) in all.",
    left=r"\sum_{t\ge\tau}f(w_t)",
    symbols=(Symbol("xi", "noise added to the optimum", r"\xi", unit="parameter"), eta),
    aliases=("olu.oracles.q3",),
    plot=Plot(
        "xi",
        (
            0.1,
            0.45000000000000007,
            0.8,
            1.1500000000000001,
            1.5000000000000002,
            1.8500000000000003,
            2.2,
            2.5500000000000003,
            2.9000000000000004,
            3.2500000000000004,
            3.6000000000000005,
            3.9500000000000006,
            4.3,
            4.65,
            5.0,
        ),
        {"eta": 0.5},
        log_y=False,
    ),
    quantity="sum of the losses",
)
huber.interpreted_as(
    "literal", "f = z^2/(2 eta) for |z| <= eta, |z| - eta/2 beyond; enough rounds to reach 0"
)


@huber.form("tight", tex=r"\frac{\xi^2}{2\eta}")
def spent(xp, xi, eta):
    """Descent with step eta from xi on the Huber loss of width eta costs exactly this in all.

    It attains the term E|xi|^2/(2 eta) of the regret bounds for noise on convex losses.

    Note: f = z^2/(2 eta) for |z| <= eta, |z| - eta/2 beyond, constant step eta
    Proof: f(z) = (z^2 - (z - eta)^2)/(2 eta) while z > eta: the sum telescopes
    """
    return xi**2 / (2 * eta)


quadratic = Statement(
    "olu.oracles.quadratic",
    "Exact oracles, quadratics",
    "equality",
    words="w_t is the mean of x_1..x_{t-1} plus sum xi_i (tau_i - 1)/(t - 1); regret is sum "
    "|grad f_t(w_t)|^2/(2 mu t); skipping u moves w_t by (x_u - mean(x_1..x_{u-1}))/(t - "
    "1); the comparators are the means of what is left.",
    quantity="regret",
)
quadratic.interpreted_as(
    "literal",
    "f_t = (mu/2)|z - x_t|^2 on R^d, eta_t = 1/(mu t), w_{t+1} made from f_t",
    {"tight": "=="},
    proofs={"tight": "induction on t (Welford)"},
)
