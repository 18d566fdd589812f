"""Theorem X: the corrected, optimal accounting of sglu's process; X2 (general) and X (convergent).

X1. Two chains X_k = psi_k(X_{k-1}) + s_k W_k with |psi_k(x) - psi'_k(x')| <= c_k |x - x'| + delta_k
and W-infinity(X_0, X'_0) <= z_0 end mu-Gaussian-DP apart in both directions, for every a_k >= 0
with z_k = c_k z_{k-1} + delta_k - a_k >= 0 and z_N = 0, where mu^2 = sum (a_k/s_k)^2.
"""

import numpy as np

from accounting.contraction.noisy_contraction import pabi_mu
from bounds import Hypothesis, Plot, Proof, Statement, Symbol, Written
from bounds.forms import Array
from bounds.own.minorant import slope
from bounds.sglu.series import stationary as stationary_distance
from bounds.sglu.symbols import J, M, b, contractive, eta, j0, m_positive, position_in_epoch, sigma

contraction = Symbol(
    "contraction",
    "factors c_1..c_N on distances",
    "c_k",
    low=0,
    low_open=True,
    kind="list",
    unit="1",
)
shift = Symbol(
    "shift",
    "differences delta_1..delta_N of the maps",
    r"\delta_k",
    low=0,
    kind="list",
    unit="parameter",
)
noise = Symbol(
    "noise",
    "standard deviations s_1..s_N",
    "s_k",
    low=0,
    low_open=True,
    kind="list",
    unit="parameter",
)
z0 = Symbol("z0", "W-infinity distance of the initial laws", "z_0", low=0, unit="parameter")

optimum = Statement(
    "own.x2",
    "Theorem X2",
    "equality",
    words="The best allocation is the greatest convex minorant of the transported shifts over "
    "the transported variances.",
    left=r"\mu(X_N, X'_N)",
    symbols=(contraction, shift, noise, z0),
    requires=(
        Hypothesis(
            "the lists have one length",
            lambda contraction, shift, noise: len({len(contraction), len(shift), len(noise)}) == 1,
        ),
    ),
    aliases=("sglu.x2",),
)
optimum.interpreted_as(
    "literal", "any contractions, shifts, noises and initial distance", {"tight": "<="}
)


@optimum.form(
    "tight",
    tex=r"\mu^2=\min\Big\{\sum_k\frac{a_k^2}{s_k^2}\Big\}=\sum_{\text{segments}}"
    r"\frac{(\Delta y)^2}{\Delta x},\quad x_k=\sum_{l\le k}s_l^2S_l^2,\ "
    r"y_k=z_0S_0+\sum_{l\le k}\delta_lS_l,\ S_l=\prod_{j>l}c_j",
    written=Written("least_energy.md", rests_on=("own.x1",)),
)
def _optimum(xp, contraction, shift, noise, z0):
    """The last iterates are mu-Gaussian-DP in both directions with this mu. The least value of X1.

    Note: segments of the greatest convex minorant of (0, 0), (x_1, y_1), ..., (x_N, y_N)
    Proof: least energy of a path below an obstacle with fixed ends
    Equality: exact for the class where there is one segment
    Source: Theorem X2
    """
    k = xp.count(shift)

    def rest(t):
        return xp.product(lambda r: contraction[r], t + 1, k)

    def room(first, last):
        return xp.total(lambda t: (noise[t] * rest(t)) ** 2, first, last)

    def apart(first, last):
        displacement = xp.total(lambda t: shift[t] * rest(t), first, last)
        return displacement + xp.where(first <= 1, z0 * rest(0), 0)

    def paid(t):
        return slope(xp, t, k, apart, room) ** 2 * room(t, t)

    return xp.sqrt(xp.total(paid, 1, k))


@_optimum.numeric
def _(contraction: Array, shift: Array, noise: Array, z0: Array) -> Array:
    """One pass over the points; the formula tries every pair of ends."""
    return np.asarray(pabi_mu(contraction, shift, noise, float(z0)))


K = Symbol("K", "unlearning epochs", "K", low=1, kind="integer")

stationary = Statement(
    "own.x",
    "Theorem X (iii)",
    "inequality",
    words="From the stationary law, K >= 1 unlearning epochs are mu-Gaussian-DP close to "
    "retraining with mu = Z c^{KJ} sqrt(1 - c^2)/s; no smaller mu is true for the class.",
    left=r"\mu(\rho_{K|\mathcal B}, \nu_{\mathcal D'|\mathcal B})",
    symbols=(eta, m_positive, M, b, J, sigma, K, j0),
    requires=(contractive, position_in_epoch),
    aliases=("sglu.x", "sglu.x3", "sglu.x3.iii"),
    plot=Plot(
        "K",
        tuple(float(k) for k in range(1, 16)),
        {"eta": 0.8, "m": 0.1, "M": 1.0, "b": 2.0, "J": 3.0, "sigma": 0.3, "j0": 2.0},
    ),
    quantity="Gaussian-DP parameter mu of unlearning",
)
stationary.interpreted_as("literal", "Remark 3.7's class, T = inf for every data set, any radius")


@stationary.form(
    "tight",
    tex=r"\mu=Z\,c^{KJ}\sqrt{\frac{1-c^2}{2\eta\sigma^2}},\quad "
    r"Z=\frac{q\,c^{J-1-j_0}}{1-c^J},\ q=\frac{2\eta M}{b}",
    written=Written("stationary.md", rests_on=("own.x2",)),
)
def _stationary(xp, eta, m, M, b, J, sigma, K, j0):
    """Unlearning from the stationary law is mu-Gaussian-DP close to retraining, T = inf.

    Note: attained by quadratics on R^d, hence exact for the class of Remark 3.7
    Proof: X2 from the stationary laws, one segment; equality on quadratics
    Equality: f = (m/2)|x|^2 - <d, x>, d moved from Mu to -Mu
    Source: Theorem X (iii)
    """
    distance = stationary_distance(xp, eta, m, M, b, J, J - 1 - j0) * xp.decay(eta * m, K * J)
    return distance * xp.sqrt(m * (2 - eta * m) / 2) / sigma


x0 = Statement(
    "own.x0",
    "Theorem X0",
    "definition",
    words="The setting: every gradient step is c-Lipschitz, gradients of two points differ by "
    "at most 2M, both runs use the same batches; the projection comes before each map.",
    aliases=("sglu.x0",),
)
x0.interpreted_as("literal", "the losses that the checks use", {"tight": "<="})

x1 = Statement(
    "own.x1",
    "Theorem X1",
    "inequality",
    words="Any admissible allocation a of the shifts to the noise makes the last iterates "
    "mu-Gaussian-DP in both directions, mu^2 = sum (a_k/s_k)^2.",
    aliases=("sglu.x1",),
    quantity="Gaussian-DP parameter of the last iterates",
)
x1.interpreted_as(
    "literal",
    "|psi_k(x) - psi'_k(x')| <= c_k |x - x'| + delta_k for all x, x'",
    {"tight": "<="},
    proofs={
        "tight": Proof(
            "shifted interpolation; T(Q, P) is the inverse of T(P, Q), the Gaussian "
            "curve its own, so one direction gives both",
            level="written",
            file="shifted_interpolation.md",
        )
    },
)
