"""(40) of olu: the noise of the active unlearner."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from accounting.deletions.active import first_order
from accounting.deletions.online_descent import OnlineDescent, inverse_time
from accounting.deletions.schedule import DeletionSchedule
from bounds import Hypothesis, Plot, Statement
from bounds.forms import Array
from bounds.olu.active_symbols import I1, I2, losses_left
from bounds.olu.allocation import least_of_last
from bounds.olu.series import contraction, line_5, power, rest
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
    plot=Plot(
        "I2",
        tuple(float(n) for n in range(0, 15)),
        {"u": (4,), "tau": (40,), "I1": 0, "mu": 1.0, "beta": 3.0, "L": 1.0, "epsilon": 1.0},
    ),
    quantity="least sigma on a running mean",
    correction="`minimal_noise` of the shifts and factors of `active.first_order`.",
)
statement.interpreted_as("literal", "enough for steps 1/(beta + mu)", {"printed": "<="})
statement.interpreted_as(
    "repaired",
    "enough for steps 2/(beta + mu) on averages, projection after the noise",
    {"printed": "<=", "corrected": "<=", "tight": "<="},
    stance="amended",
    where=(Hypothesis("u_i after the request before it, and once steps contract", _asked_in_time),),
)
statement.interpreted_as(
    "units",
    "a standard deviation is a length: it doubles when all lengths do",
    {"printed": "==", "corrected": "=="},
)


def _least(xp, u, tau, I1, I2, mu, beta, L, epsilon):
    """sigma_k: S_i and a_i of `first_order`, summed up."""
    k, phases = xp.count(tau), lambda n: power(xp, mu, beta, n)
    warm, final = (phases(I2) * rest(xp, mu, beta, I1), rest(xp, mu, beta, I2))

    def carried(j, i):  # what is left at request i of a distance at request j
        return phases((I1 + I2) * (i - j)) * contraction(xp, mu, beta, tau[j], tau[i] - 1)

    def both(j):  # of one loss that the averages of request j do not share
        return warm / (tau[j] - 1) + final / (tau[j] - 1 - j)

    def moved(i):  # mu a_i/L
        # 1 for whole numbers tau_j > u_i, else 0: which requests came after f_{u_i} was seen.
        late = lambda j: xp.minimum(1, xp.maximum(0, tau[j] - u[i]))  # noqa: E731
        steps = contraction(xp, mu, beta, u[i] + 1, tau[i] - 1) / u[i]
        arrived = phases((I1 + I2) * xp.total(late, 1, i)) * steps
        before = xp.total(lambda j: late(j) * both(j) * carried(j, i), 1, i - 1)
        return 2 * i * warm / (tau[i] - 1) + 2 * before + arrived

    last, before = moved(k), xp.total(lambda j: moved(j) * carried(j, k), 1, k - 1)
    return L / mu * xp.sqrt(last * (last + 2 * before) / (2 * epsilon))


def _by_logarithms(
    u: Array, tau: Array, I1: Array, I2: Array, mu: Array, beta: Array, L: Array, epsilon: Array
) -> Array:
    learner = OnlineDescent(float(mu), float(beta), float(L), inverse_time(float(mu)))
    schedule = DeletionSchedule(_whole("u", u), _whole("tau", tau))
    return least_of_last(first_order(learner, schedule, I2.astype(int), I1.astype(int)), epsilon)


@statement.form(
    "printed",
    tex=r"\sigma_i=\gamma^{\mathcal{I}_2}\sqrt{\frac{i^\omega\omega}{2(\omega-1)\varepsilon}}"
    r"\frac{L\left(6i+L\gamma^{\tau[i]-u[i]}\eta_{u[i]}\right)}{\tau[i]\mu}",
)
def printed(xp, u, tau, I2, mu, beta, L, epsilon, omega=1.2):
    """Standard deviation of the noise at the last request u_k, tau_k.

    Too little for the algorithm as printed: D_alpha exceeds alpha eps without bound in I_2.

    Note: at step sizes 1/(mu t); a 1/D was lost beside the second L
    Proof (repaired): 6i/tau exceeds the corrected sensitivity; sum of i^-omega below omega/(omega -
        1)
    Fails (literal): σ falls like γ^I₂, and what it is to hide like (β/(β + μ))^I₂ with the steps of
        Algorithm 2: after I₂ = {I2} steps a running mean needs σ = {measured}, and (40) gives
        {bound}.
    Fails (units): 6i is a number and Lγ^(τ-u)η_u a length, as a 1/D got lost. In a unit of length
        {unit} times smaller the same run gets σ = {measured}, converted back, and not {bound}.
    Source: olu, (40)
    """
    k = xp.count(tau)
    last = L * power(xp, mu, beta, tau[k] - u[k]) / (mu * u[k])
    shift = power(xp, mu, beta, I2) * L * (6 * k + last) / (tau[k] * mu)
    return line_5(xp, k, epsilon, omega, shift)


@statement.form(
    "corrected",
    tex=r"\sigma_i^2=\frac{a_i(a_i+2\Gamma_iS_{i-1})}{2\varepsilon},\quad"
    r" S_i=a_i+\Gamma_iS_{i-1},\quad\Gamma_i=\rho^{I_1+I_2}\frac{m_{i-1}}{m_i}",
)
def corrected(xp, u, tau, I1, I2, mu, beta, L, epsilon):
    """Least standard deviation at the last request that keeps D_alpha <= alpha eps at each.

    Step sizes 1/(mu t), m_i = tau_i - 1, u_i <= tau_i - 1, noise before the projection. Gamma_i is
    as shown for u_i + 1 >= (1 + beta/mu)/2.

    Note: a_i of `first_order`, any order of requests; steps 2/(beta + mu) on averages
    Proof (repaired): best allocation with the shifts of `active.first_order`
    Proof (units): L/mu is a length, all else has no unit
    """
    return _least(xp, u, tau, I1, I2, mu, beta, L, epsilon)


@corrected.numeric
def _(
    u: Array, tau: Array, I1: Array, I2: Array, mu: Array, beta: Array, L: Array, epsilon: Array
) -> Array:
    """Long schedules: sums of logarithms."""
    return _by_logarithms(u, tau, I1, I2, mu, beta, L, epsilon)


@statement.form("tight", tex=r"\text{the same at }I_1=0")
def tight(xp, u, tau, I2, mu, beta, L, epsilon):
    """The corrected noise without phase 1: the least of all I_1.

    Note: phase 1 trains on what is to be forgotten
    Proof: best allocation at I_1 = 0; equality on a running mean
    """
    return _least(xp, u, tau, 0, I2, mu, beta, L, epsilon)


@tight.numeric
def _(u: Array, tau: Array, I2: Array, mu: Array, beta: Array, L: Array, epsilon: Array) -> Array:
    """Long schedules: sums of logarithms."""
    return _by_logarithms(u, tau, np.zeros(()), I2, mu, beta, L, epsilon)
