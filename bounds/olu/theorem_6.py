"""Theorem 6 of olu, first part: the guarantee of the active unlearner, and its sensitivity."""

from typing import Any

from bounds import Hypothesis, Plot, Statement
from bounds.olu.active_symbols import I1, I2, after_it, contracting, in_time, kept, m, tau_i, u_i
from bounds.olu.series import power, rest
from bounds.olu.symbols import D, L, alpha, beta, convexity_order, epsilon, i, mu

statement = Statement(
    "olu.thm6.unlearn",
    "Theorem 6 (unlearning)",
    "inequality",
    words="With tau_{i-1} <= u_i <= tau_i, enough steps, and the noise (40), Algorithm 2 is an "
    "(alpha, alpha eps)-OLU.",
    left=r"D_\alpha(z_{\tau[i]}\,\|\,z'_{\tau[i]})",
    symbols=(alpha, epsilon),
    aliases=("olu.thm6",),
    plot=Plot(
        "I2",
        tuple(float(n) for n in range(0, 21)),
        {"alpha": 2.0, "epsilon": 0.5, "I1": 6, "beta": 3.0, "u": 4, "tau": 40},
    ),
    quantity="D_alpha on a running mean",
    correction="Steps 2/(beta + mu) on averages, no phase on all losses, the noise of "
    "`minimal_noise`, and the projection after it.",
)
statement.interpreted_as("literal", "steps 1/(beta + mu), noise (40)")
statement.interpreted_as(
    "repaired",
    "steps 2/(beta + mu) on averages, least noise for `active.first_order`, then "
    "projection; any order of the requests",
    stance="amended",
)


@statement.form("printed", tex=r"\alpha\varepsilon")
def printed(xp, alpha, epsilon):
    """The published iterate is within this Rényi divergence of the run without the deleted losses.

    False with the noise (40); holds for steps 2/(beta + mu) on averages, projection after the
    noise, and `minimal_noise` of `active.first_order`.

    Note: whatever the noise; it decides the truth
    Proof (repaired): olu Lemma 3 with the best allocation, shifts of `first_order`
    Fails (literal): The noise (40) falls like γ^I₂, but I₂ steps 1/(β + μ) contract by (β/(β +
        μ))^I₂ only, so it falls ever shorter: it is made for a distance of {bound}, and the runs
        are {measured} apart.
    Source: olu, Theorem 6
    """
    return alpha * epsilon


# A running mean of 39 losses, one of which leaves.
SHIFT: dict[str, Any] = {
    "i": 1,
    "I1": 0,
    "m": 39,
    "u_i": 4,
    "tau_i": 40,
    "mu": 1.0,
    "beta": 3.0,
    "L": 1.0,
    "D": 1.0,
}

shift = Statement(
    "olu.thm6.shift",
    "Theorem 6 (sensitivity)",
    "inequality",
    words="At request i the runs with and without u_1..u_i end at most "
    "gamma^{I_2} L (6i + L gamma^{tau - u} eta_u)/(tau mu) apart.",
    left=r"s_i=\sup_{z}\|U_i(\psi_i(z))-U_i'(\psi_i'(z))\|",
    symbols=(i, I1, I2, m, u_i, tau_i, mu, beta, L, D),
    requires=(convexity_order, kept, in_time, after_it),
    plot=Plot("I2", tuple(float(n) for n in range(0, 15)), SHIFT),
    quantity="distance of the runs on a running mean",
    correction="rho^{I_2} (L/(mu m)) [2i (1 - rho^{I_1}) + rho^{I_1}]; best at I_1 = 0.",
)
shift.interpreted_as("literal", "steps 1/(beta + mu) on averages", {"printed": "<="})
shift.interpreted_as(
    "repaired",
    "steps 2/(beta + mu) on averages; printed is 6i/tau at least, against 2i/(tau - 1) at "
    "most, and so loose by 2 or more",
    stance="amended",
    where=(contracting, Hypothesis("m = tau_i - 1", sets={"m": lambda tau_i: tau_i - 1})),
)


@shift.form(
    "printed",
    tex=r"\gamma^{\mathcal{I}_2}\frac{L\left(6i+L\gamma^{\tau[i]-u[i]}\eta_{u[i]}\right)}"
    r"{\tau[i]\mu}",
)
def shift_printed(xp, i, I2, u_i, tau_i, mu, beta, L):
    """Request i leaves runs that differ in u_1..u_i at most this far apart.

    False for steps 1/(beta + mu); loose by more than 3 for steps 2/(beta + mu) on averages.

    Note: the factor of (40), at step sizes 1/(mu t); adds a length to a number
    Proof (repaired): at least the corrected bound, as 6i/tau >= 2i/(tau - 1)
    Fails (literal): γ^I₂ is true of steps 2/(β + μ); those of Algorithm 2 contract by β/(β + μ).
        After I₂ = {I2} of them running means with and without one point are {measured} apart, and
        the right side is {bound}.
    Source: olu, (40)
    """
    last = L * power(xp, mu, beta, tau_i - u_i) / (mu * u_i)
    return power(xp, mu, beta, I2) * L * (6 * i + last) / (tau_i * mu)


@shift.form(
    "corrected",
    tex=r"\rho^{I_2}\frac{L}{\mu m_i}\left[2i(1-\rho^{I_1})+\rho^{I_1}\right],\quad"
    r"\rho=\frac{\beta-\mu}{\beta+\mu}",
)
def shift_corrected(xp, i, I1, I2, m, mu, beta, L):
    """With steps 2/(beta + mu) request i leaves the runs at most this far apart.

    Needs step sizes 1/(mu t), u_i + 1 >= (1 + beta/mu)/2, and tau_{i-1} <= u_i (without it see
    `active.first_order`).

    Note: steps 2/(beta + mu) on averages; I_1 = 0 is best; attained there by isotropic quadratics
    Proof: gradients of the averages differ by 2iL/m, geometric sum; L/(mu m) from descent
    """
    phases = 2 * i * rest(xp, mu, beta, I1) + power(xp, mu, beta, I1)
    return power(xp, mu, beta, I2) * L / (mu * m) * phases


@shift.form(
    "tight",
    tex=r"\rho^{I_2}\left[\min\Big(\frac{2iL}{\mu m_i}(1-\rho^{I_1}),\,"
    r"\frac{iL}{\mu m_i}+2\rho^{I_1}D\Big)+\rho^{I_1}\frac{L}{\mu m_i}\right]",
)
def shift_tight(xp, i, I1, I2, m, mu, beta, L, D):
    """The same bound, with the way through both minimisers where that is shorter.

    Note: the second term of the minimum, through both minimisers, halves the limit of large I_1
    Proof: also through both minimisers, iL/(mu m) apart
    """
    one, contraction = L / (mu * m), power(xp, mu, beta, I1)
    phases = xp.minimum(2 * i * one * rest(xp, mu, beta, I1), i * one + 2 * contraction * D)
    return power(xp, mu, beta, I2) * (phases + contraction * one)
