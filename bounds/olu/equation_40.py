"""(40) of olu: the noise of the active unlearner."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from accounting.active_deletions import first_order
from accounting.deletion_noise import minimal_noise
from accounting.deletions import DeletionSchedule
from accounting.online_descent import OnlineDescent, inverse_time
from bounds.forms import Array
from bounds.hypotheses import Hypothesis
from bounds.olu.active_symbols import I1, I2, losses_left, rate
from bounds.olu.series import precise_power
from bounds.olu.symbols import (
    L,
    beta,
    convexity_order,
    different,
    epsilon,
    mu,
    omega,
    paired,
    tau,
    u,
)
from bounds.readings import Reading
from bounds.statements import Plot, Statement


def _asked_in_time(u: Any, tau: Any, beta: Any, mu: Any) -> Any:
    """Each loss is asked for after the request before it, and once steps contract."""
    contracting = np.min(u) + 1 >= (1 + beta / mu) / 2
    return contracting & ~np.any(np.asarray(tau)[:-1] > np.asarray(u)[1:])


def _whole(name: str, rounds: Array) -> NDArray[np.int64]:
    if np.any(rounds % 1):
        raise ValueError(f"{name} must hold whole numbers, got {rounds.tolist()}")
    return rounds.astype(np.int64)


statement = Statement(
    "olu.eq40",
    "(40)",
    "equality",
    words="sigma_i = gamma^{I_2} sqrt(i^omega omega/(2(omega - 1) eps)) "
    "L (6i + L gamma^{tau_i - u_i} eta_{u_i})/(tau_i mu) is enough noise.",
    left=r"\sigma_i\ \text{of the last request}",
    symbols=(u, tau, I1, I2, mu, beta, L, epsilon, omega),
    requires=(convexity_order, paired, different, losses_left),
    readings=(
        Reading("literal", "enough for steps 1/(beta + mu)", {"printed": "<="}),
        Reading(
            "repaired",
            "enough for steps 2/(beta + mu) on averages, projection after the noise",
            {"printed": "<=", "corrected": "<=", "tight": "<="},
            proofs={
                "printed": "6i/tau exceeds the corrected sensitivity; sum of i^-omega below "
                "omega/(omega - 1)",
                "corrected": "best allocation with the shifts of `active.first_order`",
                "tight": "best allocation at I_1 = 0; equality on a running mean",
            },
            stance="repair",
            where=(
                Hypothesis(
                    "u_i after the request before it, and once steps contract", _asked_in_time
                ),
            ),
        ),
        Reading(
            "units",
            "a standard deviation is a length: it doubles when all lengths do",
            {"printed": "==", "corrected": "=="},
            proofs={"corrected": "L/mu is a length, all else has no unit"},
        ),
    ),
    plot=Plot(
        "I2",
        tuple(float(n) for n in range(0, 15)),
        {"u": (4,), "tau": (40,), "I1": 0, "mu": 1.0, "beta": 3.0, "L": 1.0, "epsilon": 1.0},
    ),
    quantity="least sigma on a running mean",
    correction="`minimal_noise` of the shifts and factors of `active.first_order`.",
)


@statement.form(
    "printed",
    tex=r"\sigma_i=\gamma^{\mathcal{I}_2}\sqrt{\frac{i^\omega\omega}{2(\omega-1)\varepsilon}}"
    r"\frac{L\left(6i+L\gamma^{\tau[i]-u[i]}\eta_{u[i]}\right)}{\tau[i]\mu}",
    note="at step sizes 1/(mu t); a 1/D was lost beside the second L",
)
def printed(
    u: Array, tau: Array, I2: Array, mu: Array, beta: Array, L: Array, epsilon: Array,
    omega: Array | float = 1.2,
) -> Array:  # fmt: skip
    """Standard deviation of the noise at the last request u_k, tau_k. Source: olu, (40).

    Too little for the algorithm as printed: D_alpha exceeds alpha eps without bound in I_2.
    """
    k, gamma = np.size(u), rate(mu, beta)
    last = L * gamma ** (tau[-1] - u[-1]) / (mu * u[-1])
    weight = np.sqrt(k**omega * omega / (2 * (omega - 1) * epsilon))
    return np.asarray(gamma**I2 * weight * L * (6 * k + last) / (tau[-1] * mu))


@printed.expression
def _(
    sp: Any, u: Any, tau: Any, I2: Any, mu: Any, beta: Any, L: Any, epsilon: Any, omega: Any = None
) -> Any:
    omega = sp.Rational(1.2) if omega is None else omega
    k, gamma = len(u), (beta - mu) / (beta + mu)
    last = L * gamma ** (tau[-1] - u[-1]) / (mu * u[-1])
    weight = sp.sqrt(precise_power(sp, k, omega) * omega / (2 * (omega - 1) * epsilon))
    return gamma**I2 * weight * L * (6 * k + last) / (tau[-1] * mu)


@statement.form(
    "corrected",
    tex=r"\sigma_i^2=\frac{a_i(a_i+2\Gamma_iS_{i-1})}{2\varepsilon},\quad"
    r" S_i=a_i+\Gamma_iS_{i-1},\quad\Gamma_i=\rho^{I_1+I_2}\frac{m_{i-1}}{m_i}",
    note="a_i of `first_order`, any order of requests; steps 2/(beta + mu) on averages",
)
def corrected(
    u: Array, tau: Array, I1: Array, I2: Array, mu: Array, beta: Array, L: Array, epsilon: Array
) -> Array:
    """Least standard deviation at the last request that keeps D_alpha <= alpha eps at each.

    Step sizes 1/(mu t), m_i = tau_i - 1, u_i <= tau_i - 1, noise before the projection.  Gamma_i
    is as shown for u_i + 1 >= (1 + beta/mu)/2.
    """
    learner = OnlineDescent(float(mu), float(beta), float(L), inverse_time(float(mu)))
    schedule = DeletionSchedule(_whole("u", u), _whole("tau", tau))
    moved = first_order(learner, schedule, I2.astype(int), I1.astype(int))
    return np.asarray(minimal_noise(moved.log_shifts, moved.log_factors, float(epsilon))[-1])


@corrected.expression
def _(sp: Any, u: Any, tau: Any, I1: Any, I2: Any, mu: Any, beta: Any, L: Any, epsilon: Any) -> Any:
    def product(start: Any, end: Any) -> Any:
        steps = range(int(start), int(end))
        return sp.prod(
            [sp.Max(abs(1 - sp.Rational(1, t)), abs(1 - beta / (mu * t))) for t in steps]
        )

    rho = (beta - mu) / (beta + mu)
    first, second = rho**I1, rho**I2
    total, squares = sp.Integer(0), []
    for n in range(len(u)):
        seen = [t - 1 for t in tau]
        shift = second * (1 - first) * 2 * (n + 1) * L / (mu * seen[n])
        j = next(j for j in range(len(u)) if tau[j] > u[n])
        arrival = L / (mu * u[n]) * product(u[n] + 1, tau[j])
        for l in range(j, n + 1):  # noqa: E741
            carried = (first * second) ** (n - l) * product(tau[l], tau[n])
            if l == j:
                shift += carried * first * second * arrival
            if l < n:
                both = second * (1 - first) / seen[l] + (1 - second) / (seen[l] - l - 1)
                shift += carried * 2 * L / mu * both
        before = first * second * product(tau[n - 1], tau[n]) * total if n else 0
        squares.append(shift * (shift + 2 * before))
        total = shift + before
    return sp.sqrt(sp.N(squares[-1] / (2 * epsilon), 80))  # no roots of long rationals


@statement.form(
    "tight", tex=r"\text{the same at }I_1=0", note="phase 1 trains on what is to be forgotten"
)
def tight(
    u: Array, tau: Array, I2: Array, mu: Array, beta: Array, L: Array, epsilon: Array
) -> Array:
    """The corrected noise without phase 1: the least of all I_1."""
    return np.asarray(corrected.value(u, tau, np.zeros(()), I2, mu, beta, L, epsilon))


@tight.expression
def _(sp: Any, u: Any, tau: Any, I2: Any, mu: Any, beta: Any, L: Any, epsilon: Any) -> Any:
    if corrected.expr is None:
        raise TypeError("olu.eq40 lacks its symbolic form")
    return corrected.expr(sp, u, tau, sp.Integer(0), I2, mu, beta, L, epsilon)
