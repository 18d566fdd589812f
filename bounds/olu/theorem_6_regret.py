"""Theorem 6 of olu, second part: the regret of the active unlearner, with constants, and proved.

The algorithm is Algorithm 2 without its first phase: at request i, I_2 projected steps of
2/(beta + mu) on the average of the losses kept, the least noise, then the projection.  Between
requests online descent with steps 1/(mu t).
"""

from typing import Any

import numpy as np

from bounds.forms import Array
from bounds.hypotheses import Hypothesis
from bounds.olu.active_symbols import I2, rate, rest
from bounds.olu.series import harmonic
from bounds.olu.symbols import D, L, T, beta, convexity_order, d, epsilon, mu, tau, within_rounds
from bounds.readings import Reading
from bounds.statements import Plot, Statement
from bounds.symbols import Symbol

statement = Statement(
    "olu.thm6.regret",
    "Theorem 6 (regret)",
    "asymptotic",
    words="Under Assumption 2 the regret is of order "
    "log T + k (LD^2 + Ld/(mu eps)) + G_2 + L^2 k^2/mu.",
    left=r"\mathbb{E}\,\mathrm{Regret}_T",
    symbols=(
        T,
        d,
        epsilon,
        L,
        mu,
        beta,
        D,
        I2,
        tau,
        Symbol(
            "r",
            "distance from the iterate to the kept losses' minimiser, at each request",
            r"\|y_i-E_i\|",
            low=0,
            kind="list",
        ),
        Symbol(
            "q",
            "distance from that minimiser to the comparator, at each request",
            r"\|E_i-z^\star\|",
            low=0,
            kind="list",
        ),
    ),
    requires=(
        convexity_order,
        within_rounds,
        Hypothesis(
            "r_i and q_i, one for each time",
            lambda r, q, tau: np.shape(r) == np.shape(tau) == np.shape(q),
        ),
        Hypothesis("tau_i >= 2", lambda tau: np.min(tau) >= 2),
    ),
    readings=(
        Reading("literal", "no constants", {"printed": "<="}),
        Reading(
            "units",
            "the order does not change with the unit of length",
            {"printed": "<="},
            stance="part",
        ),
        Reading(
            "explicit",
            "no phase 1; steps 2/(beta + mu) on averages; least noise, then projection; "
            "tau_{i-1} <= u_i, u_i + 1 >= (1 + beta/mu)/2",
            {"corrected": "<=", "tight": "<="},
            proofs={
                "corrected": "potential Reg(z) + (mu m/2)|y - z|^2: at the kept losses' minimiser "
                "it pays for the jump",
                "tight": "|U(y) - z|^2 - |y - z|^2 <= 2(1 + rho^I)|y - E||E - z| in Theorem 2",
            },
            stance="repair",
            where=(
                Hypothesis(
                    "distances in K, on which mu-strongly convex losses are L-Lipschitz",
                    lambda r, q, D, L, mu: (max(np.max(r), np.max(q)) <= D) & (2 * L / mu >= D),
                ),
            ),
        ),
    ),
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


def noise_weights(mu: Array, beta: Array, I2: Array, k: int) -> Array:
    """rho^(2 I) (1 + 2 q_{i-1}), i = 1..k, with q_i = rho^I (1 + q_{i-1}): 2i - 1 at I = 0."""
    power = rate(mu, beta) ** I2
    weights, q = [], np.zeros_like(power)
    for _ in range(k):
        weights.append(power**2 * (1 + 2 * q))
        q = power * (1 + q)
    return np.array(weights)


def passive(
    T: Array, d: Array, epsilon: Array, L: Array, mu: Array, beta: Array, I2: Array, tau: Array
) -> Array:
    """What is left where the phase moves nothing: log term, noise, and comparators.

    At I_2 = 0 this is Theorem 2 with valid noise.
    """
    k = np.size(tau)
    noise = np.sum(noise_weights(mu, beta, I2, k) / (tau - 1))
    comparators = np.sum((T - tau) / T)
    return np.asarray(L**2 / mu * (harmonic(T) / 2 + d / (4 * epsilon) * noise + comparators))


@statement.form(
    "printed",
    tex=r"O\left({\log T+k\left({LD^{2}+\frac{Ld}{\mu\varepsilon}}\right)+{\mathcal{G}}_{2}"
    r"({\mathcal{T}},\gamma)+\frac{L^{2}k^{2}}{\mu}}\right)",
    reads={
        r"\mathcal G_2(\mathcal T,\gamma)": r"\sum_i\gamma^{\tau_i-\tau_{i-1}}(\tau_i-\tau_{i-1})",
        r"\tau_0": "1",
    },
    note="with constant 1; an order whose terms have five different units",
)
def printed(
    T: Array, d: Array, epsilon: Array, L: Array, mu: Array, beta: Array, D: Array, tau: Array
) -> Array:
    """The expected regret is of this order. Source: olu, Theorem 6. States no constant."""
    k, gamma = np.size(tau), rate(mu, beta)
    gaps = np.diff(tau, prepend=1.0)
    G2 = np.sum(gamma**gaps * gaps)
    return np.asarray(np.log(T) + k * (L * D**2 + L * d / (mu * epsilon)) + G2 + L**2 * k**2 / mu)


@printed.expression
def _(sp: Any, T: Any, d: Any, epsilon: Any, L: Any, mu: Any, beta: Any, D: Any, tau: Any) -> Any:
    k, gamma = len(tau), (beta - mu) / (beta + mu)
    gaps = [b - a for a, b in zip([1, *tau], tau, strict=False)]
    G2 = sum(gamma**gap * gap for gap in gaps)
    return sp.log(T) + k * (L * D**2 + L * d / (mu * epsilon)) + G2 + L**2 * k**2 / mu


@statement.form(
    "corrected",
    tex=r"\frac{L^2}{2\mu}H_T+\sum_i\Big[\frac{\mu(\tau_i-1)}{2}\,\frac{\rho^{2I}D^2}{1-\rho^{2I}}"
    r"+iLD\Big]+\frac{dL^2}{4\varepsilon\mu}\sum_i\frac{\rho^{2I}(1+2q_{i-1})}{\tau_i-1}"
    r"+\frac{L^2}{\mu}\sum_i\Big(1-\frac{\tau_i}{T}\Big),\quad q_i=\rho^I(1+q_{i-1}),\ q_0=0",
    note="no Assumption 2; the bracket is 0 at I = 0, mu D^2/2 + iLD once rho^{2I} tau_i <= 1",
)
def corrected(
    T: Array, d: Array, epsilon: Array, L: Array, mu: Array, beta: Array, D: Array, I2: Array,
    tau: Array,
) -> Array:  # fmt: skip
    """The expected regret is at most this value, for every stream of losses.

    Potential argument: Reg(z) + (mu m/2)|y - z|^2 <= B for all z before a phase.  At z = E_i it
    pays for moving to E_i, since F(z) - F(E_i) >= (mu m/2)|z - E_i|^2 - iL|z - E_i|.
    """
    power = rate(mu, beta) ** (2 * I2)
    k = np.arange(1, np.size(tau) + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        jump = mu * (tau - 1) / 2 * D**2 * power / rest(mu, beta, 2 * I2) + k * L * D
    moved = np.where(I2 > 0, jump, 0.0)
    return np.asarray(passive(T, d, epsilon, L, mu, beta, I2, tau) + np.sum(moved))


def _passive(sp: Any, T: Any, d: Any, epsilon: Any, L: Any, mu: Any, power: Any, tau: Any) -> Any:
    noise, q = 0, 0
    for t in tau:
        noise += power**2 * (1 + 2 * q) / (t - 1)
        q = power * (1 + q)
    left = sum(1 - t / T for t in tau)
    return L**2 / mu * (sp.harmonic(T) / 2 + d * noise / (4 * epsilon) + left)


@corrected.expression
def _corrected(
    sp: Any, T: Any, d: Any, epsilon: Any, L: Any, mu: Any, beta: Any, D: Any, I2: Any, tau: Any
) -> Any:
    power = ((beta - mu) / (beta + mu)) ** I2
    jumps = 0
    if I2 > 0:
        jumps = sum(
            mu * (t - 1) / 2 * D**2 * power**2 / (1 - power**2) + (i + 1) * L * D
            for i, t in enumerate(tau)
        )
    return _passive(sp, T, d, epsilon, L, mu, power, tau) + jumps


@statement.form(
    "tight",
    tex=r"\frac{L^2}{2\mu}H_T+\sum_i\mu(\tau_i-1)(1+\rho^I)\|y_i-E_i\|\|E_i-z^\star\|"
    r"+\frac{dL^2}{4\varepsilon\mu}\sum_i\frac{\rho^{2I}(1+2q_{i-1})}{\tau_i-1}"
    r"+\frac{L^2}{\mu}\sum_i\Big(1-\frac{\tau_i}{T}\Big)",
    note="where the distances at the requests are known, small under Assumption 2; at most the "
    "corrected form where D is given",
)
def tight(
    T: Array, d: Array, epsilon: Array, L: Array, mu: Array, beta: Array, I2: Array, tau: Array,
    r: Array, q: Array, D: Array | float = np.inf,
) -> Array:  # fmt: skip
    """The expected regret is at most this value; r_i may be the root mean square over the noise.

    Where the diameter D is given, at most the corrected form, which is less for far iterates.
    """
    moved = np.sum(mu * (tau - 1) * (1 + rate(mu, beta) ** I2) * r * q)
    known = passive(T, d, epsilon, L, mu, beta, I2, tau) + np.where(I2 > 0, moved, 0.0)
    if np.isinf(D):
        return np.asarray(known)
    whole = corrected.value(T, d, epsilon, L, mu, beta, D, I2, tau)
    return np.asarray(np.minimum(known, whole))


@tight.expression
def _(
    sp: Any, T: Any, d: Any, epsilon: Any, L: Any, mu: Any, beta: Any, I2: Any, tau: Any, r: Any,
    q: Any, D: Any = None,
) -> Any:  # fmt: skip
    power = ((beta - mu) / (beta + mu)) ** I2
    moved = 0
    if I2 > 0:
        pairs = zip(tau, r, q, strict=True)
        moved = sum(mu * (t - 1) * (1 + power) * near * far for t, near, far in pairs)
    known = _passive(sp, T, d, epsilon, L, mu, power, tau) + moved
    if D is None:
        return known
    return sp.Min(known, _corrected(sp, T, d, epsilon, L, mu, beta, D, I2, tau))
