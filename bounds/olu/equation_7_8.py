"""(7) and (8) of olu: what each request pays, and what all of it costs."""

from typing import Any

import numpy as np
from scipy.special import zeta

from bounds.formula import Array, Formula, Requirement
from bounds.olu.symbols import alpha, different, gamma, i, omega, tau, u
from bounds.symbols import Symbol

sensitivity = Symbol(
    "Delta", "sensitivity of each deleted round, Delta_{u_1}..Delta_{u_k}", r"\Delta_{u[i]}",
    low=0, kind="list",
)  # fmt: skip
payments = Symbol(
    "a", "shift paid at each request, carried on to the last one", "a_j", low=0, kind="list"
)
noises = Symbol(
    "sigma", "noise of each request, carried on to the last one", r"\sigma_j",
    low=0, low_open=True, kind="list",
)  # fmt: skip
time = Symbol("t", "round", "t", low=1, kind="integer")

allocation = Formula(
    id="olu.eq7",
    label="(7)",
    left="a_t",
    symbols=(time, gamma, sensitivity, u, tau),
    requires=(
        Requirement(
            "u_i <= tau_i, one for each time and sensitivity",
            lambda u, tau, Delta: (
                np.shape(u) == np.shape(tau) == np.shape(Delta) and np.all(u <= tau)
            ),
        ),
        different,
    ),
)


@allocation.form(
    "printed",
    tex=r"a_{t}=\begin{cases}\gamma^{\tau[i]-u[i]}\Delta_{u[i]}&\text{if }t=\tau[i],"
    r"i\in\{1,\ldots,k\}\\ 0&\text{otherwise}\end{cases}",
    note="exactly what has arrived of f_{u_i}, in convention A",
)
def paid(t: Array, gamma: Array, Delta: Array, u: Array, tau: Array) -> Array:
    """The shift that is paid at round t: all that is left of the losses deleted then.

    Source: olu, (7). Leaves e_{tau_i} = 0 in the comparison that removes u_1..u_i (Definition 2);
    against the run without all of u_1..u_k, shifts of later requests are still there.
    """
    here = np.asarray(t)[..., None] == tau
    left = np.asarray(gamma)[..., None] ** (tau - u) * Delta
    return np.asarray(np.where(here, left, 0.0).sum(axis=-1))


@paid.expression
def _(sp: Any, t: Any, gamma: Any, Delta: Any, u: Any, tau: Any) -> Any:
    terms = zip(Delta, u, tau, strict=True)
    return sum((gamma ** (at - of) * s for s, of, at in terms if at == t), sp.Integer(0))


cost = Formula(
    id="olu.eq8",
    label="(8)",
    left=r"D_\alpha(X_{\tau[i]}\,\|\,X'_{\tau[i]})",
    symbols=(alpha, payments, noises),
    requires=(
        Requirement("one a for each sigma", lambda a, sigma: np.shape(a) == np.shape(sigma)),
    ),
)


@cost.form(
    "printed",
    tex=r"D_{\alpha}\left({X_{\tau[i]}\|X_{\tau[i]}^{\prime}}\right)\leq"
    r"\sum_{j=1}^{i}\frac{\alpha\left({a_{\tau[j]}^{2}}\right)}{2\sigma_j^{2}}",
    note="each request pays for its own shift",
)
def paid_alone(alpha: Array, a: Array, sigma: Array) -> Array:
    """D_alpha at the last request is at most this value.

    Source: olu, (8a). Holds; equality on linear chains when a_j/sigma_j^2 is constant.
    """
    return np.asarray(alpha * ((a / sigma) ** 2).sum() / 2)


@paid_alone.expression
def _(sp: Any, alpha: Any, a: Any, sigma: Any) -> Any:
    return alpha * sum(x**2 / s**2 for x, s in zip(a, sigma, strict=True)) / 2


@cost.form(
    "tight",
    tex=r"\frac{\alpha}{2}\frac{(\sum_j a_j)^2}{\sum_j\sigma_j^2}",
    note="the best allocation when every u_i < tau_1; attained by linear maps",
)
def paid_together(alpha: Array, a: Array, sigma: Array) -> Array:
    """D_alpha at the last request is at most this value when every u_i < tau_1.

    Source: Cauchy-Schwarz over all allocations. Equality for linear maps, whatever the u_i.
    """
    return np.asarray(alpha * a.sum() ** 2 / (2 * (sigma**2).sum()))


@paid_together.expression
def _(sp: Any, alpha: Any, a: Any, sigma: Any) -> Any:
    return alpha * sum(a) ** 2 / (2 * sum(s**2 for s in sigma))


series = Formula(id="olu.eq8c", label="(8c)", left=r"\sum_{j=1}^{i}j^{-\omega}", symbols=(i, omega))


@series.form(
    "printed",
    tex=r"\sum_{j=1}^{i}\frac{1}{j^{\omega}}\leq1+\int_{1}^{\infty}\frac{1}{x^{\omega}}dx"
    r"=\frac{\omega}{\omega-1}",
    note="never attained",
)
def integral(omega: Array) -> Array:
    """The sum is at most this value, for every i. Source: olu, step (c) of (8). Holds."""
    return omega / (omega - 1)


@integral.expression
def _(sp: Any, omega: Any) -> Any:
    return omega / (omega - 1)


@series.form("tight", tex=r"\zeta(\omega)", note="the limit of the sum")
def limit(omega: Array) -> Array:
    """The sum is below this value, which it tends to; 7 % below the printed one at 1.2."""
    return np.asarray(zeta(omega))


@limit.expression
def _(sp: Any, omega: Any) -> Any:
    return sp.zeta(omega)
