"""Theorem 6 of olu, second part: the regret of the active unlearner, with constants, and proved.

The algorithm is Algorithm 2 without its first phase: at request i, I_2 projected steps of
2/(beta + mu) on the average of the losses kept, the least noise, then the projection.  Between
requests online descent with steps 1/(mu t).
"""

from math import inf

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol
from bounds.olu.active_symbols import I2
from bounds.olu.series import between, moving, power, rest
from bounds.olu.symbols import D, L, T, beta, convexity_order, d, epsilon, mu, tau, within_rounds

r = Symbol(
    "r",
    "distance from the iterate to the kept losses' minimiser, at each request",
    r"\|y_i-E_i\|",
    low=0,
    kind="list",
    unit="parameter",
)
q = Symbol(
    "q",
    "distance from that minimiser to the comparator, at each request",
    r"\|E_i-z^\star\|",
    low=0,
    kind="list",
    unit="parameter",
)

statement = Statement(
    "olu.thm6.regret",
    "Theorem 6 (regret)",
    "asymptotic",
    words="Under Assumption 2 the regret is of order "
    "log T + k (LD^2 + Ld/(mu eps)) + G_2 + L^2 k^2/mu.",
    left=r"\mathbb{E}\,\mathrm{Regret}_T",
    symbols=(T, d, epsilon, L, mu, beta, D, I2, tau, r, q),
    requires=(
        convexity_order,
        within_rounds,
        Hypothesis(
            "r_i and q_i, one for each time",
            lambda r, q, tau: np.shape(r) == np.shape(tau) == np.shape(q),
        ),
        Hypothesis("tau_i >= 2", lambda tau: np.min(tau) >= 2),
    ),
    growth={"T": "log(T)", "D": {"printed": "D**2", "corrected": "D**2", "tight": "a constant"}},
    plot=Plot(
        "I2",
        tuple(float(n) for n in range(0, 11)),
        {
            "T": 200,
            "d": 1,
            "epsilon": 0.5,
            "L": 1.0,
            "mu": 1.0,
            "beta": 3.0,
            "D": 1.0,
            "tau": (50, 120),
            "r": (0.02, 0.02),
            "q": (0.01, 0.01),
        },
    ),
    quantity="expected regret",
    correction="(L^2/2mu) H_T + sum_i [mu (tau_i - 1) rho^{2I} D^2/(2(1 - rho^{2I})) + iLD] "
    "+ noise + (L^2/mu) sum_i (1 - tau_i/T), for every stream; Theorem 2's bound at I = 0.",
)
statement.interpreted_as("literal", "no constants", {"printed": "<="})
statement.interpreted_as(
    "units",
    "the order does not change with the unit of length",
    {"printed": "<="},
    stance="component",
)
statement.interpreted_as(
    "explicit",
    "no phase 1; steps 2/(beta + mu) on averages; least noise, then projection; "
    "tau_{i-1} <= u_i, u_i + 1 >= (1 + beta/mu)/2",
    {"corrected": "<=", "tight": "<="},
    stance="amended",
    where=(
        Hypothesis(
            "distances in K, on which mu-strongly convex losses are L-Lipschitz",
            lambda r, q, D, L, mu: (max(np.max(r), np.max(q)) <= D) & (2 * L / mu >= D),
        ),
    ),
)


def _passive(xp, T, d, epsilon, L, mu, beta, I2, tau):
    """What is left where the phase moves nothing: log term, noise, and comparators.

    The noise of request i weighs rho^(2 I) (1 + 2 q_{i-1}), q_i = rho^I (1 + q_{i-1}) =
    rho^I + ... + rho^(iI): 2i - 1 at I = 0, where this is Theorem 2 with valid noise.
    """
    contraction, complement = power(xp, mu, beta, I2), rest(xp, mu, beta, I2)
    weight = lambda i: contraction**2 * (1 + 2 * contraction * xp.geometric(complement, i - 1))  # noqa: E731
    noise = xp.over(lambda i, t: weight(i) / (t - 1), tau)
    steady = xp.harmonic(T) / 2 + d / (4 * epsilon) * noise + moving(xp, T, tau)
    return L**2 / mu * steady


def _for_every_stream(xp, T, d, epsilon, L, mu, beta, D, I2, tau):
    far = lambda: power(xp, mu, beta, 2 * I2) * D**2 / rest(xp, mu, beta, 2 * I2)  # noqa: E731
    jump = lambda i, t: xp.where(I2 > 0, lambda: mu * (t - 1) / 2 * far() + i * L * D, 0)  # noqa: E731
    return _passive(xp, T, d, epsilon, L, mu, beta, I2, tau) + xp.over(jump, tau)


@statement.form(
    "printed",
    tex=r"O\left({\log T+k\left({LD^{2}+\frac{Ld}{\mu\varepsilon}}\right)+{\mathcal{G}}_{2}"
    r"({\mathcal{T}},\gamma)+\frac{L^{2}k^{2}}{\mu}}\right)",
    reads={
        r"\mathcal G_2(\mathcal T,\gamma)": r"\sum_i\gamma^{\tau_i-\tau_{i-1}}(\tau_i-\tau_{i-1})",
        r"\tau_0": "1",
    },
)
def printed(xp, T, d, epsilon, L, mu, beta, D, tau):
    """The expected regret is of this order. States no constant.

    Note: with constant 1; an order whose terms have five different units
    Fails (literal): No constant is given, and the terms LD², Ld/(με), L²k²/μ and the numbers log T
        and G₂ have different units, so that no run can be compared with the order.
    Fails (units): The terms have different units, so the order depends on the unit of length: the
        same run has {bound} in metres and {measured} in centimetres, with the same regret.
    Source: olu, Theorem 6
    """
    k = xp.count(tau)
    G2 = between(xp, lambda n: power(xp, mu, beta, n) * n, 1, tau)
    return xp.log(T) + k * (L * D**2 + L * d / (mu * epsilon)) + G2 + L**2 * k**2 / mu


@statement.form(
    "corrected",
    tex=r"\frac{L^2}{2\mu}H_T+\sum_i\Big[\frac{\mu(\tau_i-1)}{2}\,\frac{\rho^{2I}D^2}{1-\rho^{2I}}"
    r"+iLD\Big]+\frac{dL^2}{4\varepsilon\mu}\sum_i\frac{\rho^{2I}(1+2q_{i-1})}{\tau_i-1}"
    r"+\frac{L^2}{\mu}\sum_i\Big(1-\frac{\tau_i}{T}\Big),\quad q_i=\rho^I(1+q_{i-1}),\ q_0=0",
)
def corrected(xp, T, d, epsilon, L, mu, beta, D, I2, tau):
    """The expected regret is at most this value, for every stream of losses.

    Potential argument: Reg(z) + (mu m/2)|y - z|^2 <= B for all z before a phase. At z = E_i it pays
    for moving to E_i, since F(z) - F(E_i) >= (mu m/2)|z - E_i|^2 - iL|z - E_i|.

    Note: no Assumption 2; the bracket is 0 at I = 0, mu D^2/2 + iLD once rho^{2I} tau_i <= 1
    Proof: potential Reg(z) + (mu m/2)|y - z|^2: at the kept losses' minimiser it pays for the jump
    """
    return _for_every_stream(xp, T, d, epsilon, L, mu, beta, D, I2, tau)


@statement.form(
    "tight",
    tex=r"\frac{L^2}{2\mu}H_T+\sum_i\mu(\tau_i-1)(1+\rho^I)\|y_i-E_i\|\|E_i-z^\star\|"
    r"+\frac{dL^2}{4\varepsilon\mu}\sum_i\frac{\rho^{2I}(1+2q_{i-1})}{\tau_i-1}"
    r"+\frac{L^2}{\mu}\sum_i\Big(1-\frac{\tau_i}{T}\Big)",
)
def tight(xp, T, d, epsilon, L, mu, beta, I2, tau, r, q, D=inf):
    """The expected regret is at most this value; r_i may be the root mean square over the noise.

    Where the diameter D is given, at most the corrected form, which is less for far iterates.

    Note: where the distances at the requests are known, small under Assumption 2; at most the
        corrected form where D is given
    Proof: |U(y) - z|^2 - |y - z|^2 <= 2(1 + rho^I)|y - E||E - z| in Theorem 2
    """
    far = lambda i, t, x, y: mu * (t - 1) * (1 + power(xp, mu, beta, I2)) * x * y  # noqa: E731
    displacement = xp.where(I2 > 0, lambda: xp.over(far, tau, r, q), 0)
    bound = _passive(xp, T, d, epsilon, L, mu, beta, I2, tau) + displacement
    every = lambda: _for_every_stream(xp, T, d, epsilon, L, mu, beta, D, I2, tau)  # noqa: E731
    return xp.where(xp.inf > D, lambda: xp.minimum(bound, every()), bound)
