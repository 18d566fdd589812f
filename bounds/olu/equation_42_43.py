"""(42) and (43) of olu: the two parts of the active unlearner's sensitivity."""

from bounds import Plot, Statement
from bounds.olu.active_symbols import I1, I2, contracting, in_time, kept, m, tau_i, u_i
from bounds.olu.series import power, rest
from bounds.olu.symbols import D, L, beta, convexity_order, i, mu

online = Statement(
    "olu.eq42",
    "(42)",
    "inequality",
    words="The skipped step of descent is at most L_R gamma^{tau - u} eta_u L after the "
    "phases, L_R = gamma^{I_1 + I_2}.",
    left=r"\sup_z\|U'(\psi_i(z))-U'(\psi_i'(z))\|",
    symbols=(I1, I2, u_i, tau_i, mu, beta, L),
    requires=(convexity_order, in_time),
    plot=Plot(
        "tau_i",
        tuple(float(t) for t in range(5, 40)),
        {"I1": 0, "I2": 2, "u_i": 4, "mu": 1.0, "beta": 3.0, "L": 1.0},
    ),
    quantity="distance on a running mean",
    correction="rho^{I_1 + I_2} L/(mu (tau - 1)).",
)
online.interpreted_as("literal", "descent with steps 1/(mu t)", {"printed": "<="})
online.interpreted_as(
    "repaired",
    "steps 1/(mu t), u + 1 >= (1 + beta/mu)/2, phases with steps 2/(beta + mu)",
    {"corrected": "<="},
    where=(contracting,),
    stance="amended",
)


@online.form(
    "printed",
    tex=r"L_R\gamma^{\tau[i]-u[i]}\eta_{u[i]}L,\quad L_R=\gamma^{\mathcal{I}_1+\mathcal{I}_2}",
)
def online_printed(xp, I1, I2, u_i, tau_i, mu, beta, L):
    """The skipped step u_i of online descent is this small after both phases.

    It is false: the steps 1/(mu t) from u_i to tau_i contract by u_i/(tau_i - 1) in all.

    Note: at step sizes 1/(mu t), whose descent contracts like 1/t and not like gamma^t
    Fails (literal): Online descent with steps 1/(μt) contracts by 1 - 1/t and not by γ: a step
        skipped at u = {u_i} still counts {measured} at τ = {tau_i}, and the right side is {bound}.
    Source: olu, (42)
    """
    return power(xp, mu, beta, I1 + I2 + tau_i - u_i) * L / (mu * u_i)


@online.form("corrected", tex=r"\rho^{I_1+I_2}\frac{L}{\mu(\tau_i-1)}")
def online_corrected(xp, I1, I2, tau_i, mu, beta, L):
    """After both phases the skipped step is at most this far. Needs u_i + 1 >= (1 + beta/mu)/2.

    Note: steps 2/(beta + mu); attained by isotropic quadratics
    Proof: contraction 1 - 1/t from u + 1 to tau - 1, then rho a step
    """
    return power(xp, mu, beta, I1 + I2) * L / (mu * (tau_i - 1))


phases = Statement(
    "olu.eq43",
    "(43)",
    "inequality",
    words="From one point the phases of both runs end at most "
    "2(j + 1) gamma^{I_2} L/(tau mu) apart.",
    left=r"\max_z\|F_0\circ F_1(z)-F_0\circ\tilde F_1(z)\|",
    symbols=(i, I1, I2, m, mu, beta, L, D),
    requires=(convexity_order, kept),
    plot=Plot(
        "I2",
        tuple(float(n) for n in range(0, 15)),
        {"i": 1, "I1": 6, "m": 40, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0},
    ),
    quantity="distance from the minimiser of all losses",
    correction="rho^{I_2} (2iL/(mu m)) (1 - rho^{I_1}): no lower bound on I_1 is needed.",
)
phases.interpreted_as("literal", "steps 1/(beta + mu), enough steps I_1", {"printed": "<="})
phases.interpreted_as("repaired", "steps 2/(beta + mu) on averages", stance="amended")


@phases.form(
    "printed",
    tex=r"\frac{2(j+1)\gamma^{\mathcal{I}_2}L}{\tau[i]\mu}",
    reads={"j": "i", r"\tau[i]": "m"},
)
def phases_printed(xp, i, I2, m, mu, beta, L):
    """From one point both phases lead runs that differ in i of m losses this far apart.

    False for steps 1/(beta + mu), holds for 2/(beta + mu) on averages.

    Note: j = i, m = tau_i losses; F_0 o F_1 means F_1 first
    Proof (repaired): at least the corrected bound
    Fails (literal): γ^I₂ and γ^I₁ D ≤ L/(μτ) are true of steps 2/(β + μ); those of Algorithm 2
        contract by β/(β + μ). After I₂ = {I2} of them the runs are {measured} apart, and the right
        side is {bound}.
    Source: olu, (43), for I_1 >= log_{1/gamma}(mu D m/L)
    """
    return 2 * (i + 1) * power(xp, mu, beta, I2) * L / (m * mu)


@phases.form("corrected", tex=r"\rho^{I_2}\frac{2iL}{\mu m}(1-\rho^{I_1})")
def phases_corrected(xp, i, I1, I2, m, mu, beta, L):
    """With steps 2/(beta + mu) on averages the two runs end at most this far apart.

    Note: no lower bound on I_1; the averages' gradients differ by at most 2iL/m at every step
    Proof: gradients of the averages differ by at most 2iL/m; geometric sum
    """
    return power(xp, mu, beta, I2) * 2 * i * L / (mu * m) * rest(xp, mu, beta, I1)


@phases.form(
    "tight",
    tex=r"\rho^{I_2}\min\Big(\frac{2iL}{\mu m}(1-\rho^{I_1}),\,\frac{iL}{\mu m}+2\rho^{I_1}D\Big)",
)
def phases_tight(xp, i, I1, I2, m, mu, beta, L, D):
    """The smaller of the corrected bound and the way through both minimisers.

    Note: also through both minimisers, iL/(mu m) apart
    Proof: also through both minimisers, iL/(mu m) apart
    """
    one, far = i * L / (mu * m), power(xp, mu, beta, I1) * D
    return power(xp, mu, beta, I2) * xp.minimum(2 * one * rest(xp, mu, beta, I1), one + 2 * far)
