"""Algorithm 3 of olu: the Newton unlearner's distance from exact deletion, and its noise (59)."""

from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.olu.active_symbols import I1, M_H, kept, m, rate, tau_i
from bounds.olu.series import precise_power
from bounds.olu.symbols import D, L, alpha, beta, convexity_order, epsilon, i, k, mu, omega
from bounds.symbols import Symbol

formula = Formula(
    id="olu.alg3.shift",
    label="Algorithm 3 (sensitivity)",
    left=r"s_i=\sup_{z,z'}\|U_i(z)-U_i'(z')\|",
    symbols=(i, I1, m, mu, beta, L, D, M_H),
    requires=(convexity_order, kept),
)


@formula.form(
    "corrected",
    tex=r"\frac{M_H}{2\mu}\Big(\rho^{I_1}D+\frac{iL}{\mu m}\Big)^2+\frac{m}{m-i}\frac{\beta}{\mu}"
    r"\rho^{I_1}D+\rho^{I_1}D",
    note="step + H^-1 sum_U grad f_u/(m - i) after I_1 steps 2/(beta + mu); minimisers inside K",
)
def corrected(
    i: Array, I1: Array, m: Array, mu: Array, beta: Array, L: Array, D: Array, M_H: Array
) -> Array:
    """The run that deletes and the run that never had the i losses end at most this far apart.

    The second makes its I_1 steps on the kept losses and no Newton step.
    """
    left = rate(mu, beta) ** I1 * D
    newton = M_H / (2 * mu) * (left + i * L / (mu * m)) ** 2
    return newton + m / (m - i) * beta / mu * left + left


@corrected.expression
def _(sp: Any, i: Any, I1: Any, m: Any, mu: Any, beta: Any, L: Any, D: Any, M_H: Any) -> Any:
    left = ((beta - mu) / (beta + mu)) ** I1 * D
    newton = M_H / (2 * mu) * (left + i * L / (mu * m)) ** 2
    return newton + m * beta * left / ((m - i) * mu) + left


@formula.form(
    "tight",
    tex=r"\frac{M_H}{2\mu}\Big[\Big(\rho^{I_1}D+\frac{iL}{\mu m}\Big)^2+(\rho^{I_1}D)^2\Big]",
    note="full Newton step on the kept losses, in both runs; 0 for quadratics",
)
def tight(
    i: Array, I1: Array, m: Array, mu: Array, beta: Array, L: Array, D: Array, M_H: Array
) -> Array:
    """With the whole gradient of the kept losses in the step, and in both runs."""
    left = rate(mu, beta) ** I1 * D
    return M_H / (2 * mu) * ((left + i * L / (mu * m)) ** 2 + left**2)


@tight.expression
def _(sp: Any, i: Any, I1: Any, m: Any, mu: Any, beta: Any, L: Any, D: Any, M_H: Any) -> Any:
    left = ((beta - mu) / (beta + mu)) ** I1 * D
    return M_H / (2 * mu) * ((left + i * L / (mu * m)) ** 2 + left**2)


noise = Formula(
    id="olu.eq59",
    label="(59)",
    left=r"\sigma_i",
    symbols=(
        i, k, tau_i, alpha, epsilon, omega, mu, beta, L, D, I1, M_H,
        Symbol("M", "undefined in the paper; by its units a smoothness", "M", low=0, low_open=True),
    ),
    requires=(
        convexity_order,
        Requirement("i <= tau_i - 2 (a loss is kept)", lambda i, tau_i: i <= tau_i - 2),
        Requirement("i <= k", lambda i, k: i <= k),
        Requirement("k < tau_i", lambda k, tau_i: k < tau_i),
        Requirement("mu <= M", lambda mu, M: mu <= M),
    ),
)  # fmt: skip


@noise.form(
    "printed",
    tex=r"\sigma_i=\sqrt{\frac{\alpha j^\omega\omega}{2(\omega-1)\varepsilon}}\frac{L\left(2+"
    r"\frac{k\beta}{\mu(\tau[i]-k)}\left(\frac{M}{\mu}-1\right)\right)}{\mu(\tau[i]-i)}",
    note="j read as i; the order alpha inside the root",
)
def noise_printed(
    i: Array, k: Array, tau_i: Array, alpha: Array, epsilon: Array, mu: Array, beta: Array,
    L: Array, M: Array, omega: Array | float = 1.2,
) -> Array:  # fmt: skip
    """Standard deviation of the noise of Algorithm 3. Source: olu, (59). M and j are undefined."""
    weight = np.sqrt(alpha * i**omega * omega / (2 * (omega - 1) * epsilon))
    newton = k * beta / (mu * (tau_i - k)) * (M / mu - 1)
    return weight * L * (2 + newton) / (mu * (tau_i - i))


@noise_printed.expression
def _(
    sp: Any, i: Any, k: Any, tau_i: Any, alpha: Any, epsilon: Any, mu: Any, beta: Any, L: Any,
    M: Any, omega: Any = None,
) -> Any:  # fmt: skip
    omega = sp.Rational(1.2) if omega is None else omega
    weight = sp.sqrt(alpha * precise_power(sp, i, omega) * omega / (2 * (omega - 1) * epsilon))
    newton = k * beta / (mu * (tau_i - k)) * (M / mu - 1)
    return weight * L * (2 + newton) / (mu * (tau_i - i))


@noise.form(
    "corrected",
    tex=r"\sigma_i=\frac{s_i}{\sqrt{2\varepsilon}}",
    note="s_i of olu.alg3.shift at m = tau_i - 1; nothing is carried over between requests",
)
def noise_corrected(
    i: Array, tau_i: Array, epsilon: Array, mu: Array, beta: Array, L: Array, D: Array, I1: Array,
    M_H: Array,
) -> Array:  # fmt: skip
    """Noise that gives D_alpha <= alpha eps at every request; s_i holds wherever the runs were."""
    shift = corrected.value(i, I1, tau_i - 1, mu, beta, L, D, M_H)
    return np.asarray(shift / np.sqrt(2 * epsilon))


@noise_corrected.expression
def _(
    sp: Any, i: Any, tau_i: Any, epsilon: Any, mu: Any, beta: Any, L: Any, D: Any, I1: Any,
    M_H: Any,
) -> Any:  # fmt: skip
    left, m = ((beta - mu) / (beta + mu)) ** I1 * D, tau_i - 1
    newton = M_H / (2 * mu) * (left + i * L / (mu * m)) ** 2
    return (newton + m * beta * left / ((m - i) * mu) + left) / sp.sqrt(2 * epsilon)


@noise.form("tight", tex=r"\frac{s_i}{\sqrt{2\varepsilon}}", note="full Newton step in both runs")
def noise_tight(
    i: Array, tau_i: Array, epsilon: Array, mu: Array, beta: Array, L: Array, D: Array, I1: Array,
    M_H: Array,
) -> Array:  # fmt: skip
    """The same with the whole gradient of the kept losses in the Newton step of both runs."""
    shift = tight.value(i, I1, tau_i - 1, mu, beta, L, D, M_H)
    return np.asarray(shift / np.sqrt(2 * epsilon))


@noise_tight.expression
def _(
    sp: Any, i: Any, tau_i: Any, epsilon: Any, mu: Any, beta: Any, L: Any, D: Any, I1: Any,
    M_H: Any,
) -> Any:  # fmt: skip
    left = ((beta - mu) / (beta + mu)) ** I1 * D
    near = left + i * L / (mu * (tau_i - 1))
    return M_H / (2 * mu) * (near**2 + left**2) / sp.sqrt(2 * epsilon)
