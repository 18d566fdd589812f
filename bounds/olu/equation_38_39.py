"""(38) and (39) of olu: one step with a constant step size, and the sum of the steps."""

from typing import Any

import numpy as np

from bounds import Edit, Plot, Statement
from bounds.forms import Array
from bounds.olu.equation_23_25 import STEP_SYMBOLS, STEP_TEX, one_step
from bounds.olu.symbols import D, L, T, d, epsilon, eta, k, omega

step = Statement(
    "olu.eq38",
    "(38)",
    "equality",
    words="g (z_t - z*) = -g xi + ((z_t - z* + xi)^2 - (z_{t+1} - z*)^2)/(2 eta) + eta g^2/2.",
    left=r"\nabla f_t(z_t)^\top(z_t-z_i^\star)",
    reads={r"\nabla f_t(z_t)^\top\xi_i": r"g\xi_i"},
    symbols=STEP_SYMBOLS,
    correction="<= for =, as in (23) and (31).",
)
step.interpreted_as(
    "literal",
    "projected steps on K",
    {"printed": "==", "corrected": "<="},
    edits={"printed": Edit("<= for =", "=", r"\le")},
)
step.interpreted_as(
    "inside", "steps that stay in K without the projection", {"printed": "=="}, stance="amended"
)


@step.form("printed", tex="=" + STEP_TEX)
def printed_38(xp, z, z_next, star, g, xi, eta):
    """g (z - z*) is claimed to equal this value.

    A slip: the projection makes it <=, as (23) and (31) have it.

    Note: printed as an equality
    Proof (inside): z_{t+1} = z_t - eta g + xi, squared out
    Fails (literal): The steps are projected, so '=' has to be '≤': where the projection cuts a step
        short the left side is {measured} and the right {bound}. (23) and (31) have '≤'.
    Source: olu, (38)
    """
    return one_step(z, z_next, star, g, xi, eta)


@step.form("corrected", tex=r"\le " + STEP_TEX)
def corrected_38(xp, z, z_next, star, g, xi, eta):
    """g (z - z*) is at most this value for z_next = P(z - eta g + xi) and any z* in K.

    Note: <=, for the projection
    Proof: the projection does not increase the distance to z*
    """
    return one_step(z, z_next, star, g, xi, eta)


DIRECT = 10**4

total = Statement(
    "olu.eq39",
    "(39)",
    "inequality",
    words="With the step size of the proof the expected regret against one comparator is at "
    "most (DL + (L/2) sqrt(omega k^{omega+1} d/((omega^2-1) eps))) sqrt(2T).",
    left=r"\mathbb{E}\Big[\sum_{t=1}^Tf_t(z_t)-f_t(z^\star)\Big]",
    symbols=(T, k, d, epsilon, L, D, eta, omega),
    plot=Plot(
        "eta",
        (0.1, 0.3, 1.0, 3.0, 10.0, 30.0),
        {"T": 100, "k": 1, "d": 1, "epsilon": 1e-4, "L": 1.0, "D": 1e3, "tau": 50},
        log_x=True,
    ),
    quantity="expected regret on f_t = L (D - z)",
    correction="D^2/(2 eta) + (eta L^2/2)(T + d omega sum i^omega/(2 (omega-1) eps)).",
)
total.interpreted_as("literal", "the step size of the proof", {"printed": "<="})
total.interpreted_as(
    "any", "any constant step size, the paper's noise", {"corrected": "<="}, stance="amended"
)


@total.form(
    "printed",
    tex=r"\left(DL+\frac L2\sqrt{\frac{\omega k^{\omega+1}d}{(\omega^2-1)\varepsilon}}\right)"
    r"\sqrt{2T}",
)
def printed_39(xp, T, k, d, epsilon, L, D, omega=1.2):
    """The expected regret with `proof_step` is claimed to be at most this value.

    It is false: the step size is set for T times the noise there is.

    Note: last line, for the step size of the proof; drops 2D^2 before the noise
    Fails (literal): Step (d) multiplies the k noise terms by T, and the last line drops the 2D²
        before them: on f_t = D - z with D = {D}, ε = {epsilon} the proof's step has regret
        {measured}, above {bound}.
    Source: olu, (39), last line
    """
    rate = xp.sqrt(omega * d / ((omega - 1) * (omega + 1) * epsilon))
    noise = L / 2 * rate * k ** ((omega + 1) / 2)  # k^(omega + 1) may exceed the floats
    return (D * L + noise) * xp.sqrt(2 * T)


@total.form(
    "corrected",
    tex=r"\frac{D^2}{2\eta}+\frac{\eta L^2}{2}\Big(T+\frac{d\omega}{2(\omega-1)\varepsilon}"
    r"\sum_{i=1}^ki^\omega\Big)",
)
def corrected_39(xp, T, k, d, epsilon, L, D, eta, omega=1.2):
    """The expected regret against one comparator is at most this value for the paper's noise.

    sigma_i^2 = omega i^omega eta^2 L^2/(2 (omega - 1) epsilon), before the projection.

    Note: for any step size and the paper's noise; one comparator
    Proof: D^2/(2 eta) + sum of eta L^2/2 and of E|xi_i|^2/(2 eta)
    Equality: the noise term, by Huber losses of curvature 1/eta
    """
    noise = d * omega / (2 * (omega - 1) * epsilon) * xp.total(lambda i: i**omega, 1, k)
    return D**2 / (2 * eta) + eta * L**2 / 2 * (T + noise)


@corrected_39.numeric
def _(
    T: Array, k: Array, d: Array, epsilon: Array, L: Array, D: Array, eta: Array, omega: Any = 1.2
) -> Array:
    """Many requests: the sum by Euler-Maclaurin."""
    powers = np.vectorize(_power_sum)(k, omega)
    noise = d * omega / (2 * (omega - 1) * epsilon) * powers
    return np.asarray(D**2 / (2 * eta) + eta * L**2 / 2 * (T + noise))


def _power_sum(k: float, omega: float) -> float:
    """sum_{i <= k} i^omega, the terms after DIRECT by Euler-Maclaurin.

    Its error is below w^6/(30240 DIRECT^6) of the sum for w = omega, and i^omega is a float for
    w < 78 only.
    """
    start, w = min(k, DIRECT), omega
    power_sum = float(np.sum(np.arange(1.0, start + 1) ** w))
    for coefficient, power in (
        (1 / (w + 1), w + 1),
        (1 / 2, w),
        (w / 12, w - 1),
        (-w * (w - 1) * (w - 2) / 720, w - 3),
    ):
        power_sum += coefficient * (k**power - start**power)
    return power_sum


def proof_step(
    T: Array, k: Array, d: Array, epsilon: Array, L: Array, D: Array, omega: Array | float = 1.2
) -> Array:
    """eta = sqrt(2 D^2/(T (L^2 + omega k^(omega+1) L^2 d/(2 (omega^2 - 1) epsilon)))).

    Source: olu, proof of Theorem 5.
    """
    noise = omega * k ** (omega + 1) * L**2 * d / (2 * (omega**2 - 1) * epsilon)
    return np.sqrt(2 * D**2 / (T * (L**2 + noise)))
