"""(45) of olu: one step of descent, and where the active unlearner's phases end."""

import numpy as np

from bounds import Edit, Hypothesis, Plot, Statement, Symbol
from bounds.forms import Array
from bounds.olu.active_symbols import I1, I2, after_it, tau_i
from bounds.olu.series import power
from bounds.olu.symbols import D, L, beta, convexity_order, eta, i, mu

gap = Symbol("gap", "distance to the comparator", r"\|z_t-z^\star\|", low=0, unit="parameter")
G = Symbol("G", "gradient norm", r"\|\nabla f_t(z_t)\|", low=0, unit="loss/parameter")
slope = Symbol(
    "slope", "gradient times z_t - z*", r"\nabla f_t(z_t)^\top(z_t-z^\star)", unit="loss"
)

step = Statement(
    "olu.eq45",
    "(45), first line",
    "inequality",
    words="|z_{t+1} - z*|^2 <= |z_t - z*|^2 + eta^2 |g|^2 + 2 eta g.(z_t - z*).",
    left=r"\|z_{t+1}-z^\star\|^2",
    reads={r"(\nabla f_{t}(z_{t}))^{\top}(z_{t}-z^{\star})": "slope"},
    symbols=(gap, eta, G, slope),
    requires=(
        Hypothesis("|slope| <= G gap", lambda slope, G, gap: np.abs(slope) <= G * gap * (1 + 1e-9)),
    ),
    plot=Plot(
        "slope",
        tuple(np.linspace(-1, 1, 21).tolist()),
        {"gap": 1.0, "eta": 0.5, "G": 1.0},
        log_y=False,
    ),
    quantity="squared distance after the step",
    correction="-2 eta g.(z - z*) for +2 eta g.(z - z*); an equality where no projection acts.",
)
step.interpreted_as(
    "literal",
    "z_{t+1} = P[z_t - eta g], z* in K",
    edits={"printed": Edit("+2 eta g.(z - z*) should be -2 eta g.(z - z*)", "+2", "-2")},
)


@step.form(
    "printed",
    tex=r"\left\lVert z_{t}-z^{\star}\right\rVert^{2}+\eta_{t}^{2}\left\lVert\nabla f_{t}(z_{t})"
    r"\right\rVert^{2}+2\eta_{t}(\nabla f_{t}(z_{t}))^{\top}(z_{t}-z^{\star})",
)
def step_printed(xp, gap, eta, G, slope):
    """After one step the squared distance is at most this value.

    Note: the last sign is wrong
    Fails (literal): The square gives -2η∇f_t·(z_t - z*), and the line has +2η. Where that product
        is negative it is false, {measured} against {bound}; where it is positive it cannot bound
        the regret.
    Source: olu, (45)
    """
    return gap**2 + eta**2 * G**2 + 2 * eta * slope


@step.form(
    "corrected",
    tex=r"\left\lVert z_{t}-z^{\star}\right\rVert^{2}+\eta_{t}^{2}\left\lVert\nabla f_{t}(z_"
    r"{t})\right\rVert^{2}-2\eta_{t}(\nabla f_{t}(z_{t}))^{\top}(z_{t}-z^{\star})",
)
def step_corrected(xp, gap, eta, G, slope):
    """After one step the squared distance is at most this value.

    Note: equality without projection
    Proof: the projection moves nothing away from z*; the square
    """
    return gap**2 + eta**2 * G**2 - 2 * eta * slope


@step_corrected.numeric
def _(gap: Array, eta: Array, G: Array, slope: Array) -> Array:
    """The square of |z - z* - eta g| in a form that cannot fall below 0 by rounding."""
    across = np.maximum(G**2 * gap**2 - slope**2, 0.0)
    along = np.where(gap > 0, gap - eta * slope / np.where(gap > 0, gap, 1.0), 0.0)
    away = np.where(gap > 0, across / np.where(gap > 0, gap, 1.0) ** 2, G**2)
    return along**2 + eta**2 * away


distance = Statement(
    "olu.eq45.distance",
    "(45), d_i",
    "inequality",
    words="Both phases end within d_i = 2 gamma^{I_2} D L/(tau mu) of the kept losses' minimiser.",
    left=r"\|U_{\mathrm{aux}}(y)-z_{i,0}^\star\|",
    symbols=(i, I1, I2, tau_i, mu, beta, L, D),
    requires=(convexity_order, after_it),
    plot=Plot(
        "I2",
        tuple(float(n) for n in range(0, 15)),
        {"i": 1, "I1": 20, "tau_i": 41, "mu": 1.0, "beta": 3.0, "L": 0.1, "D": 0.1},
    ),
    quantity="distance on quadratics",
    correction="rho^{I_2} (rho^{I_1} D + iL/(mu (tau_i - 1))).",
)
distance.interpreted_as("literal", "I_1 >= log_{1/gamma}(mu D tau/L), any rate", {"printed": "<="})
distance.interpreted_as(
    "repaired", "steps 2/(beta + mu) on averages", {"corrected": "<="}, stance="amended"
)


@distance.form("printed", tex=r"d_i:=\frac{2\gamma^{\mathcal{I}_2}DL}{\tau[i]\mu}")
def distance_printed(xp, I2, tau_i, mu, beta, L, D):
    """Both phases end at most this far from the minimiser of the kept losses.

    Note: a spurious D
    Fails (literal): d_i has a D that γ^I₁ D ≤ L/(μτ) has already replaced, so that it is no length,
        and too small where D is: at D = {D}, τ = {tau_i} the phases end {measured} from the
        minimiser, and d_i = {bound}.
    Source: olu, (45)
    """
    return 2 * power(xp, mu, beta, I2) * D * L / (tau_i * mu)


@distance.form("corrected", tex=r"\rho^{I_2}\Big(\rho^{I_1}D+\frac{iL}{\mu(\tau_i-1)}\Big)")
def distance_corrected(xp, i, I1, I2, tau_i, mu, beta, L, D):
    """Both phases end at most this far from the minimiser of the kept losses.

    Note: steps 2/(beta + mu) on averages of the tau_i - 1 losses seen
    Proof: Lemma E for each phase; minimisers iL/(mu m) apart
    """
    near = power(xp, mu, beta, I1) * D + i * L / (mu * (tau_i - 1))
    return power(xp, mu, beta, I2) * near
