"""(55) and (56) of olu: what is left of part C, and the sum of all parts."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.olu.active_symbols import I2
from bounds.olu.series import between, power, rate_of_decay
from bounds.olu.symbols import D, L, T, beta, convexity_order, d, epsilon, gamma, k, mu, tau

moves = Symbol(
    "moves",
    "distances from z_{tau_i - 1} to z_{tau_i + 1}",
    r"\|z_{\tau_i+1}-z_{\tau_i-1}\|",
    low=0,
    kind="list",
    unit="parameter",
)
collected = Statement(
    "olu.eq55",
    "(55)",
    "inequality",
    words="C <= sum_i gamma^{tau_i - tau_{i-1}} (tau_i - tau_{i-1}) L "
    "+ k mu (2 gamma^{I_2} L + D^2).",
    left="C",
    symbols=(tau, I2, mu, beta, L, D, moves),
    requires=(
        convexity_order,
        Hypothesis("mu < beta", lambda mu, beta: mu < beta),
        Hypothesis("moves, one for each time", lambda moves, tau: np.shape(moves) == np.shape(tau)),
    ),
    quantity="telescoping part C",
    correction="mu sum_i tau_i (2D Delta_i + Delta_i^2) + 2 mu k D^2.",
)
collected.interpreted_as(
    "literal", "path by path, with the noise that was drawn; requests at least two rounds apart"
)


@collected.form(
    "printed",
    tex=r"\sum_{i=1}^{k}\gamma^{\tau[i]-\tau[i-1]}\left(\tau[i]-\tau[i-1]\right)L"
    r"+k\mu(2\gamma^{\mathcal{I}_2}L+D^{2})",
    reads={r"\tau_0": "1"},
)
def collected_printed(xp, tau, I2, mu, beta, L, D):
    """Part C is at most this value.

    It is false: the noise moves the iterates too.

    Note: tau[0] = 1; adds terms of three different units, and none for the noise
    Fails (literal): (54) in (51) by Lemma 10 gives μτ(2DΔ + Δ²), of which 2D and the square are
        dropped, and the noise moves the iterate, too: for one draw of it at D = {D} the sum C is
        {measured}, and the right side {bound}.
    Source: olu, (55)
    """
    kept_sum = between(xp, lambda n: power(xp, mu, beta, n) * n, 1, tau)
    return kept_sum * L + xp.count(tau) * mu * (2 * power(xp, mu, beta, I2) * L + D**2)


@collected.form(
    "corrected",
    tex=r"\mu\sum_i\tau_i\left(2D\,\Delta_i+\Delta_i^2\right)+2\mu kD^2,\quad"
    r"\Delta_i=\|z_{\tau_i+1}-z_{\tau_i-1}\|",
)
def collected_corrected(xp, tau, mu, D, moves):
    """Part C is at most this value.

    Note: (51) with Lemma 10, path by path
    Proof: (51) with its constant 2, and Lemma 10
    """
    movement = xp.over(lambda i, t, x: t * x * (2 * D + x), tau, moves)
    return mu * movement + 2 * mu * xp.count(tau) * D**2


cap = Statement(
    "olu.eq55.cap",
    "Below (55)",
    "inequality",
    words="n gamma^n <= 1/(e ln(1/gamma)).",
    left=r"n\gamma^n",
    symbols=(gamma, Symbol("n", "rounds between two requests", "n", low=0, unit="1")),
    requires=(Hypothesis("0 < gamma < 1", lambda gamma: (gamma > 0) & (gamma < 1)),),
    plot=Plot("n", tuple(float(n) for n in range(1, 41)), {"gamma": 0.9}, log_y=False),
    quantity="n gamma^n",
)
cap.interpreted_as("literal", "0 < gamma < 1, n >= 0")


@cap.form("printed", tex=r"\frac{1}{e\ln\frac{1}{\gamma}}")
def cap_printed(xp, gamma):
    """n gamma^n is at most this value for every n >= 0.

    Note: attained at n = 1/ln(1/gamma)
    Proof: the maximum over real n, at n = 1/ln(1/gamma)
    Source: olu, below (55)
    """
    return -1 / (xp.exp(1) * xp.log(gamma))


total = Statement(
    "olu.eq56",
    "(56)",
    "asymptotic",
    words="The regret is O(log T + kLD^2 + Lkd/(mu eps) + kL/(e ln(1/gamma))).",
    left=r"\mathbb{E}\,\mathrm{Regret}_T",
    symbols=(T, k, d, epsilon, L, mu, beta, D),
    requires=(Hypothesis("mu < beta", lambda mu, beta: mu < beta),),
    quantity="expected regret",
    growth={"T": "log(T)", "k": "k", "d": "d"},
    correction="olu.thm6.regret, corrected.",
)
total.interpreted_as("literal", "no constants")
total.interpreted_as(
    "units", "the order does not change with the unit of length", stance="component"
)


@total.form(
    "printed",
    tex=r"O\left({\log T+kLD^{2}+\frac{Lkd}{\mu\varepsilon}+\frac{kL}{e\ln\frac{1}{\gamma}}}"
    r"\right)",
)
def total_printed(xp, T, k, d, epsilon, L, mu, beta, D):
    """The regret against a fixed comparator is of this order.

    Note: with constant 1; an order whose terms have four different units
    Fails (literal): No constant is given, and the terms have different units: log T is a number,
        LD², Lkd/(με) and kL/(e ln(1/γ)) are of three others, so that no run can be compared with
        the order.
    Fails (units): The terms have four different units, so the order depends on the unit of length:
        the same run has {bound} in metres and {measured} in centimetres, with the same regret.
    Source: olu, (56)
    """
    last = k * L / (xp.exp(1) * rate_of_decay(xp, mu, beta))
    return xp.log(T) + k * L * D**2 + L * k * d / (mu * epsilon) + last
