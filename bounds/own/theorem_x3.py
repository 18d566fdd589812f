"""Theorem X3 (i), (ii), (iv): closed forms of the accounting for one replaced point.

(iii) is in theorem_x, (v) and (vi) are the corrected forms of Corollaries 3.10 and 3.9, (vii) and
(viii) are in theorem_x3_requests.
"""

import numpy as np

from accounting.contraction.noisy_contraction import pabi_mu
from accounting.noisy_sgd import closed_forms
from bounds import Hypothesis, Plot, Statement, Symbol, Written
from bounds.forms import Array
from bounds.sglu.series import learned, sensitivity
from bounds.sglu.symbols import J, M, b, contractive, eta, j0, m, position_in_epoch, sigma

_learning = Symbol("T", "learning epochs", "T", low=1, kind="integer")
unlearning = Symbol("K", "unlearning epochs", "K", low=1, kind="integer")

Z = Symbol("Z", "W-infinity distance of the initial laws", "Z", low=0, unit="parameter")
c = Symbol("c", "contraction factor of every map", "c", low=0, high=1, unit="1")
s = Symbol("s", "standard deviation of a step's noise", "s", low=0, low_open=True, unit="parameter")
N = Symbol("N", "number of steps", "N", low=1, kind="integer")

same = Statement(
    "own.x3.i",
    "Theorem X3 (i)",
    "inequality",
    words="Chains with the same maps, Z apart at the start, are mu-Gaussian-DP close after N "
    "steps with mu = Z c^N / (s sqrt(G_c(N))).",
    left=r"\mu(X_N, X'_N)",
    symbols=(Z, c, s, N),
    aliases=("sglu.x3.i",),
    plot=Plot("N", tuple(map(float, range(1, 41))), {"Z": 1.0, "c": 0.95, "s": 1.0}),
    quantity="Gaussian-DP parameter mu",
)
same.interpreted_as("literal", "c-Lipschitz maps shared by both chains")


@same.form(
    "tight",
    tex=r"\mu=\frac{Z c^{N}}{s\sqrt{G_c(N)}}",
    written=Written("same_maps.md", rests_on=("own.x2",)),
)
def _same(xp, Z, c, s, N):
    """Chains with the same maps, Z apart at the start, end mu-Gaussian-DP apart.

    Note: continuous at c = 1; attained by x -> c x from two points
    Proof: Theorem X2, one segment; equality for x -> c x from two points
    """
    return Z * xp.decay(1 - c, N, c) / (s * xp.sqrt(xp.spread(1 - c, N)))


aligned = Statement(
    "own.x3.ii",
    "Theorem X3 (ii)",
    "inequality",
    words="T epochs on D and K >= 1 on D' are mu-Gaussian-DP close to T + K epochs on D' with "
    "mu = Z_T c^{KJ} / (s sqrt(G_c((T+K)J - j0))).",
    left=r"\mu(\rho_{K|\mathcal B}, \nu'_{T+K|\mathcal B})",
    symbols=(eta, m, M, b, J, sigma, _learning, unlearning, j0),
    requires=(contractive, position_in_epoch),
    aliases=("sglu.x3.ii",),
    plot=Plot(
        "K",
        tuple(map(float, range(1, 16))),
        {"eta": 0.8, "m": 0.1, "M": 1.0, "b": 2.0, "J": 3.0, "sigma": 0.3, "T": 4.0, "j0": 0.0},
    ),
    quantity="Gaussian-DP parameter mu",
)
aligned.interpreted_as("literal", "one initial law for both runs; no convergence and no radius")


@aligned.form(
    "tight",
    tex=r"\mu=\frac{Z_T\,c^{KJ}}{s\sqrt{G_c((T+K)J-j_0)}},\quad s=\sqrt{2\eta}\,\sigma",
    written=Written("first_arrival.md", rests_on=("own.x2",)),
)
def _aligned(xp, eta, m, M, b, J, sigma, T, K, j0):
    """T epochs on D and K on D' are mu-Gaussian-DP close to T + K epochs on D', K >= 1.

    Note: target T + K epochs on D' from the same initial law; no radius, no convergence
    Proof: Theorem X2, one segment from the first arrival
    """
    distance = learned(xp, eta, m, M, b, J, T, J - 1 - j0) * xp.decay(eta * m, K * J)
    noise = 2 * eta * sigma**2 * xp.spread(eta * m, (T + K) * J - j0)
    return distance / xp.sqrt(noise)


MOST_STEPS = 10**6  # over which shifts are spread one by one

R = Symbol("R", "radius of the domain", "R", low=0, low_open=True, unit="parameter")
K = Symbol("K", "unlearning epochs", "K", low=0, kind="integer")

ends = Statement(
    "own.x3.iv",
    "Theorem X3 (iv)",
    "inequality",
    words="Against the paper's own target, T epochs on D', mu is that of X2 from 2R; for K >= 1 "
    "and 2R >= q it is (2R c^{TJ} + q c^{KJ+J-1-j0} (1 - c^{(T-K)^+ J})/(1 - c^J)) / (s "
    "sqrt(G_c(TJ))).",
    left=r"\mu(\rho_{K|\mathcal B}, \nu'_{T|\mathcal B})",
    symbols=(eta, m, M, b, J, sigma, R, _learning, K, j0),
    requires=(contractive, position_in_epoch),
    aliases=("sglu.x3.iv",),
    plot=Plot(
        "K",
        tuple(map(float, range(1, 13))),
        {
            "eta": 0.8,
            "m": 0.1,
            "M": 1.0,
            "b": 2.0,
            "J": 3.0,
            "sigma": 0.3,
            "R": 1.0,
            "T": 6.0,
            "j0": 2.0,
        },
    ),
    quantity="Gaussian-DP parameter mu",
    correction="The closed form needs K >= 1 and 2R >= q; at K = 0 both runs share nu_0.",
)
ends.interpreted_as("literal", "every K >= 0 and every radius", {"tight": "<="})
ends.interpreted_as(
    "wording",
    "the closed form of one segment, for every K >= 0 and every radius: our first wording",
    {"corrected": "<="},
    stance="amended",
)
ends.interpreted_as(
    "one_segment",
    "K >= 1 and 2R >= q",
    where=(
        Hypothesis("K >= 1 and 2R >= q", lambda K, R, eta, M, b: (K >= 1) & (eta * M / b <= R)),
    ),
    stance="amended",
)


@ends.form(
    "corrected",
    tex=r"\mu=\frac{\Delta}{s\sqrt{G_c(TJ)}},\quad \Delta=2Rc^{TJ}+q\,c^{KJ+J-1-j_0}"
    r"\frac{1-c^{(T-K)^+J}}{1-c^J}",
)
def _ends(xp, eta, m, M, b, J, sigma, R, T, K, j0):
    """The Cauchy-Schwarz value for the last T epochs of both runs, 2R apart at their start.

    Note: one segment: needs K >= 1 and 2R >= q; false at K = 0
    Proof (one_segment): Theorem X2, one segment
    Fails (wording): At K = 0 the last shift has no step after it over which to spread: with linear
        losses and J = {J} batches μ is at least {measured}, and the closed form of one segment
        gives {bound}.
    """
    later = learned(xp, eta, m, M, b, J, xp.maximum(T - K, 0), J - 1 - j0)
    distance = 2 * R * xp.decay(eta * m, T * J) + later * xp.decay(eta * m, K * J)
    return distance / xp.sqrt(2 * eta * sigma**2 * xp.spread(eta * m, T * J))


@ends.form(
    "tight",
    tex=r"\mu_{X2}\ \text{of the last } T \text{ epochs},\quad z_0=2R\ (K\ge1),\ z_0=0\ (K=0)",
    because="where K = 0 or 2R < q the accountant chooses the shifts",
)
def _ends_tight(
    eta: Array,
    m: Array,
    M: Array,
    b: Array,
    J: Array,
    sigma: Array,
    R: Array,
    T: Array,
    K: Array,
    j0: Array,
) -> Array:
    """T epochs on D and K on D' are mu-Gaussian-DP close to T epochs on D' (domain of radius R).

    Note: the closed form for K >= 1 and 2R >= q; otherwise the optimal shifts
    Proof (literal): Theorem X2 from z_0 = 2R, or from z_0 = 0 at K = 0
    Proof (one_segment): Theorem X2, one segment
    """

    def one(
        c: float, q: float, s: float, J: float, z: float, T: float, K: float, j: float
    ) -> float:
        if K >= 1 and (z >= q or T <= K):
            gap = 1 - c
            return float(
                closed_forms.mu_target_t(c, q, s, int(J), int(T), int(K), z, int(j), gap=gap)
            )
        if not T * J <= MOST_STEPS:
            raise ValueError(
                f"T must be at most {MOST_STEPS}/J epochs where K = 0 or 2R < q, got {T:g}"
            )
        shifts = np.zeros(int(T * J))
        shifts[int(j) : int(max(T - K, 0) * J) : int(J)] = q
        return pabi_mu(c, shifts, s, z if K >= 1 else 0.0, z)

    values = np.vectorize(one, otypes=[float])(
        1 - eta * m, sensitivity(eta, M, b), np.sqrt(2 * eta) * sigma, J, 2 * R, T, K, j0
    )
    return np.asarray(values)
