"""(26) and (27) of olu: the noise, and one comparator, in the proof of Theorem 3."""

from bounds import Statement
from bounds.olu.series import aged, powers
from bounds.olu.symbols import D, L, T, d, different, epsilon, omega, paired, tau, u, within_rounds

statement = Statement(
    "olu.eq26",
    "(26)",
    "inequality",
    words="With the paper's noise, E B = sum d sigma_i^2/(2 eta_{tau_i - 1}) is at most "
    "D L d omega k^{omega+1/2}/(4 sqrt 3 (omega-1) eps) G_2.",
    left=r"\mathbb{E}_{\xi_{1:k}}[B]=\sum_{i=1}^k\frac{d\sigma_i^2}{2\eta_{\tau[i]-1}}",
    symbols=(D, L, d, epsilon, u, tau, omega),
    requires=(paired, different),
    aliases=("olu.eq26d",),
    quantity="expected price of the noise",
    correction="sqrt(sum i^{2 omega}) <= k^{omega+1/2} in place of k^{omega+1/2}/sqrt 3.",
)
statement.interpreted_as(
    "literal", "sigma_i^2 = i^omega omega L^2 eta_{u_i}^2/(2 (omega-1) eps), eta_t = D/(L sqrt t)"
)


def scale(D, L, d, epsilon, omega):
    """D L d omega/(4 (omega - 1) epsilon), the factor of every form."""
    return D * L * d * omega / (4 * (omega - 1) * epsilon)


def _by_integral(xp, D, L, d, epsilon, u, tau, omega):
    weight = xp.count(u) ** (omega + xp.rational(1, 2)) / xp.sqrt(3)
    return scale(D, L, d, epsilon, omega) * weight * aged(xp, tau, u)


def _itself(xp, D, L, d, epsilon, u, tau, omega):
    terms = xp.over(lambda i, t, v: i**omega * xp.sqrt(t - 1) / v, tau, u)
    return scale(D, L, d, epsilon, omega) * terms


@statement.form(
    "printed",
    tex=r"\frac{DLd\omega k^{\omega+0.5}}{4\sqrt3(\omega-1)\varepsilon}"
    r"\sqrt{\sum_{i=1}^k\frac{\tau[i]}{u[i]^2}}",
)
def printed(xp, D, L, d, epsilon, u, tau, omega=1.2):
    """E B is claimed to be at most this value for the paper's noise.

    It is false: sqrt(sum i^(2 omega)) exceeds k^(omega + 1/2)/sqrt 3 for k <= 13 at omega = 1.2.

    Note: step (d) puts an integral below a sum of an increasing function, as (17) does
    Fails (literal): Step (d) puts Σ i^(2ω) below its integral from 0 to k, as (17) does, which
        loses a factor of up to √3 when deletions are few: E[B] is {measured}, and the bound
        {bound}.
    Source: olu, (26)(d)
    """
    return _by_integral(xp, D, L, d, epsilon, u, tau, omega)


@statement.form(
    "corrected",
    tex=r"\frac{DLd\omega}{4(\omega-1)\varepsilon}\sqrt{\sum_{i=1}^ki^{2\omega}}"
    r"\sqrt{\sum_{i=1}^k\frac{\tau_i}{u_i^2}}",
)
def corrected(xp, D, L, d, epsilon, u, tau, omega=1.2):
    """E B is at most this value.

    Note: Cauchy-Schwarz with the sum itself, at most k^(omega + 1/2)
    Proof: Cauchy-Schwarz, tau_i - 1 <= tau_i
    Source: olu, (26)(d), without the integral
    """
    weight = powers(xp, xp.count(u), omega)
    return scale(D, L, d, epsilon, omega) * weight * aged(xp, tau, u)


@statement.form(
    "tight",
    tex=r"\frac{DLd\omega}{4(\omega-1)\varepsilon}\sum_{i=1}^k\frac{i^\omega\sqrt{\tau_i-1}}{u_i}",
)
def tight(xp, D, L, d, epsilon, u, tau, omega=1.2):
    """E B equals this value for sigma_i^2 = i^omega omega L^2 eta_{u_i}^2/(2 (omega-1) epsilon).

    Note: E B itself for the paper's noise; (26)(c) has tau_i for tau_i - 1
    Proof: the definition of sigma_i and eta_t
    """
    return _itself(xp, D, L, d, epsilon, u, tau, omega)


constant = Statement(
    "olu.eq27",
    "(27)",
    "inequality",
    words="Against one comparator the expected regret is at most 3DL sqrt T plus (26)(d).",
    left=r"\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\emptyset,\mathcal{T})]",
    symbols=(T, D, L, d, epsilon, u, tau, omega),
    requires=(paired, different, within_rounds),
    quantity="expected regret against one comparator",
)
constant.interpreted_as(
    "literal",
    "noise before the projection, omega = 1.2",
    apart="an integral below the sum, saved by 3DL sqrt T: either may be the smaller",
)


@constant.form(
    "printed",
    tex=r"3DL\sqrt{T}+\frac{DLd\omega k^{\omega+0.5}}{4\sqrt3(\omega-1)\varepsilon}"
    r"\sqrt{\sum_{i=1}^k\frac{\tau[i]}{u[i]^2}}",
)
def printed_27(xp, T, D, L, d, epsilon, u, tau, omega=1.2):
    """Regret against one comparator is at most this value for projected iterates.

    What (26)(d) loses at omega = 1.2 is a share 1 - rho_k with rho_k = k^1.7/sqrt(3 sum i^2.4), at
    most k (1 - rho_k) D L sqrt(T)/2 < 0.26 D L sqrt(T).

    Note: rests on (26)(d), which fails; the slack of 3DL sqrt(T) covers it on a bounded domain
    Proof: not by (26)(d): what that loses is at most 0.26 DL sqrt T, because a noise term is also
        at most D^2/(2 eta); 3DL sqrt T is twice what (25) needs
    Source: olu, (27)
    """
    return 3 * D * L * xp.sqrt(T) + _by_integral(xp, D, L, d, epsilon, u, tau, omega)


@constant.form(
    "corrected",
    tex=r"\tfrac32DL\sqrt{T}+\frac{DLd\omega}{4(\omega-1)\varepsilon}"
    r"\sum_{i=1}^k\frac{i^\omega\sqrt{\tau_i-1}}{u_i}",
)
def corrected_27(xp, T, D, L, d, epsilon, u, tau, omega=1.2):
    """Regret against one comparator is at most this value for the paper's noise.

    Note: (25) with 3/2 and the noise term itself
    Proof: (25) with 3/2, and E B itself
    """
    return 3 * D * L * xp.sqrt(T) / 2 + _itself(xp, D, L, d, epsilon, u, tau, omega)
