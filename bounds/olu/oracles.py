"""Exact values of online gradient descent on quadratics and Huber losses: oracles of olu's bounds.

f_t = (mu/2)|z - x_t|^2 with eta_t = 1/(mu t) on R^d makes w_t the mean of x_1..x_{t-1}.
"""

from typing import Any

import numpy as np
from scipy.special import polygamma

from accounting.online_descent import LONGEST
from bounds.formula import Array, Formula, Requirement
from bounds.olu.symbols import T, d, eta, mu, tau, within_rounds
from bounds.symbols import Symbol

_DIRECT = 100_000

noise = Formula(
    id="olu.oracles",
    label="Exact oracles, noise on quadratics",
    left=r"\mathbb{E}\,\mathrm{Regret}_T(\sigma)-\mathrm{Regret}_T(0)",
    symbols=(
        mu,
        d,
        T,
        tau,
        Symbol("sigma", "noise at each deletion", r"\sigma_i", low=0, kind="list"),
    ),
    requires=(
        within_rounds,
        Requirement("tau_i >= 2", lambda tau: np.min(tau) >= 2),
        Requirement("one noise for each time", lambda tau, sigma: np.shape(tau) == np.shape(sigma)),
    ),
)


def inverse_squares(first: float, last: float) -> float:
    """sum 1/t^2 over first <= t < last, both >= 1: psi1(first) - psi1(last)."""
    if last - first <= _DIRECT:
        return float(np.sum(1.0 / np.arange(first, last) ** 2))
    return float(polygamma(1, first) - polygamma(1, last))


@noise.form(
    "tight",
    tex=r"\frac{\mu d}{2}\sum_i\sigma_i^2(\tau_i-1)^2\big(\psi_1(\tau_i-1)-\psi_1(T)\big)",
    note="(mu/2)|z - x_t|^2 on R^d, eta_t = 1/(mu t); fixed comparator",
)
def added(mu: Array, d: Array, T: float, tau: Array, sigma: Array) -> Array:
    """The noise sigma_i N(0, I) added to w_{tau_i} adds exactly this value to the expected regret.

    w_t keeps (tau_i - 1)/(t - 1) of it, so the sum is over 1/(t - 1)^2 for tau_i <= t <= T.
    """
    left = np.array([inverse_squares(float(t) - 1, float(T)) for t in tau])
    return np.asarray(mu * d / 2 * np.sum((sigma * (tau - 1)) ** 2 * left))


@added.expression
def _(sp: Any, mu: Any, d: Any, T: Any, tau: Any, sigma: Any) -> Any:
    left = [sp.polygamma(1, t - 1) - sp.polygamma(1, T) for t in tau]
    terms = zip(sigma, tau, left, strict=True)
    return mu * d / 2 * sum((s * (t - 1)) ** 2 * rest for s, t, rest in terms)


alternating = Formula(
    id="olu.oracles.alternating",
    label="Exact oracles, alternating quadratics (Q1)",
    left=r"\mathrm{Regret}_T",
    symbols=(mu, Symbol("X", "size of the data", "X", low=0), T),
)


@alternating.form(
    "tight",
    tex=r"\frac{\mu X^2}{2}\Big[\sum_{t\text{ odd}}\frac1t"
    r"+\sum_{t\text{ even}}\frac{t}{(t-1)^2}\Big]",
    note="x_t = (-1)^{t+1} X, w_1 = 0",
)
def signs(mu: Array, X: Array, T: Array) -> Array:
    """Descent on (mu/2)(z - x_t)^2 with x_t = X, -X, X, ... from 0 has exactly this regret.

    Raises ValueError for T beyond 10^7.
    """
    if np.max(T) > LONGEST:
        raise ValueError(f"T must be <= {LONGEST}, got {np.max(T):g}")
    t = np.arange(1.0, np.max(T) + 1)
    sums = np.cumsum(np.where(t % 2 == 1, 1 / t, t / np.maximum(t - 1, 1) ** 2))
    return np.asarray(mu * X**2 / 2 * sums[np.asarray(T, dtype=int) - 1])


@signs.expression
def _(sp: Any, mu: Any, X: Any, T: Any) -> Any:
    terms = [
        sp.Rational(1, t) if t % 2 else sp.Rational(t, (t - 1) ** 2) for t in range(1, int(T) + 1)
    ]
    return mu * X**2 / 2 * sum(terms)


huber = Formula(
    id="olu.oracles.huber",
    label="Exact oracles, Huber losses (Q3)",
    left=r"\sum_{t\ge\tau}f(w_t)",
    symbols=(Symbol("xi", "noise added to the optimum", r"\xi"), eta),
)


@huber.form(
    "tight",
    tex=r"\frac{\xi^2}{2\eta}",
    note="f = z^2/(2 eta) for |z| <= eta, |z| - eta/2 beyond, constant step eta",
)
def spent(xi: Array, eta: Array) -> Array:
    """Descent with step eta from xi on the Huber loss of width eta costs exactly this in all.

    It attains the term E|xi|^2/(2 eta) of the regret bounds for noise on convex losses.
    """
    return xi**2 / (2 * eta)


@spent.expression
def _(sp: Any, xi: Any, eta: Any) -> Any:
    return xi**2 / (2 * eta)
