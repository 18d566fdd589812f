"""Theorem X3 (vii) and (viii): requests one after the other, and many points at once."""

import math

import numpy as np

from accounting.noisy_sgd.many_requests import mu_sequence
from bounds import Hypothesis, Plot, Statement, Symbol, Written
from bounds.forms import Array
from bounds.own.theorem_x3 import unlearning
from bounds.sglu.series import learned, sensitivity, stationary
from bounds.sglu.symbols import J, M, b, contractive, eta, hits, m_positive, sigma

epochs = Symbol(
    "epochs", "unlearning epochs K_1..K_S of the requests", "K_s", low=1, kind="list", unit="1"
)

sequence = Statement(
    "own.x3.vii",
    "Theorem X3 (vii)",
    "inequality",
    words="After requests of K_1, ..., K_S epochs, mu_S = Z^{(S)} c^{K_S J} sqrt(1 - c^2)/s "
    "with Z^{(s+1)} = c^{K_s J} Z^{(s)} + Z.",
    left=r"\mu(\bar\nu_{\mathcal D_S|\mathcal B}, \nu_{\mathcal D_S|\mathcal B})",
    symbols=(eta, m_positive, M, b, J, sigma, epochs),
    requires=(
        contractive,
        Hypothesis("whole epochs", lambda epochs: bool(np.all(epochs == np.floor(epochs)))),
    ),
    aliases=("sglu.x3.vii",),
    plot=Plot(
        "sigma",
        (
            0.1,
            0.1778279410038923,
            0.31622776601683794,
            0.5623413251903491,
            1.0,
            1.7782794100389228,
            3.1622776601683795,
            5.62341325190349,
            10.0,
        ),
        {"eta": 0.8, "m": 0.1, "M": 1.0, "b": 2.0, "J": 3.0, "sigma": 0.3, "epochs": [1, 2, 1, 1]},
    ),
    quantity="Gaussian-DP parameter mu",
)


sequence.interpreted_as(
    "literal", "T = inf for every data set; each request replaces one more point"
)


@sequence.form(
    "tight",
    tex=r"\mu_S=Z^{(S)}c^{K_SJ}\sqrt{1-c^2}/s,\quad Z^{(s+1)}=c^{K_sJ}Z^{(s)}+Z",
    written=Written("requests_in_sequence.md", rests_on=("own.x2",)),
)
def _sequence(xp, eta, m, M, b, J, sigma, epochs):
    """After the last of the requests the model is mu-Gaussian-DP close to retraining, T = inf.

    Note: from the stationary law; attained by quadratics that keep moving points from M to -M
    Proof: one segment at T = inf, linear in the shifts; equality on quadratics
    """
    S = xp.count(epochs)

    def left(s):
        after = xp.total(lambda r: epochs[r], s, S)
        return xp.decay(eta * m, after * J)

    whole = stationary(xp, eta, m, M, b, J) * xp.total(left, 1, S)
    return whole * xp.sqrt(m * (2 - eta * m) / 2) / sigma


@_sequence.numeric
def _(eta: Array, m: Array, M: Array, b: Array, J: Array, sigma: Array, epochs: Array) -> Array:
    """One pass over the requests."""
    c, noise = float(1 - eta * m), float(np.sqrt(2 * eta) * sigma)
    mus = mu_sequence(c, float(sensitivity(eta, M, b)), noise, int(J), epochs, gap=float(eta * m))
    return np.asarray(mus[-1])


T = Symbol("T", "learning epochs", "T", low=1, kind="integer", infinite=True)

batch = Statement(
    "own.x3.viii",
    "Theorem X3 (viii)",
    "inequality",
    words="Replacing S_j points of each batch j at once is mu-Gaussian-DP close to retraining "
    "with mu = c^{KJ} sum_j S_j Z_T(j) / (s sqrt(G_c((T+K)J - max j))).",
    left=r"\mu(\rho_{K|\mathcal B}, \nu'_{T+K|\mathcal B})",
    symbols=(eta, m_positive, M, b, J, sigma, T, unlearning, hits),
    requires=(
        contractive,
        Hypothesis("positions <= J - 1", lambda hits, J: max(hits) <= np.min(J) - 1),
        Hypothesis("at most b points a batch", lambda hits, b: max(hits.values()) <= np.min(b)),
    ),
    aliases=("sglu.x3.viii",),
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
            "T": math.inf,
            "hits": {0: 2, 2: 1},
        },
    ),
    quantity="Gaussian-DP parameter mu",
)


batch.interpreted_as("literal", "target T + K epochs on D' (its stationary law at T = inf), K >= 1")


@batch.form(
    "tight",
    tex=r"\mu=\frac{c^{KJ}}{s\sqrt{G_c((T+K)J-\max_g j_g)}}\sum_gS_gZ_T(j_g)",
    written=Written("points_at_once.md", rests_on=("own.x1", "own.x2", "own.x3.ii", "own.x3.vii")),
)
def _batch(xp, eta, m, M, b, J, sigma, T, K, hits):
    """Unlearning hits[j] points of each batch j at once is mu-Gaussian-DP close to retraining.

    Note: exact at T = inf; at finite T with several positions X2 may give less
    Proof: one segment at T = inf; from the last position on at finite T
    """

    def apart(j, size):
        return size * learned(xp, eta, m, M, b, J, T, J - 1 - j)

    distance = xp.over_hits(apart, hits, J) * xp.decay(eta * m, K * J)
    steps = (T + K) * J - xp.last_hit(hits, J)
    return distance / xp.sqrt(2 * eta * sigma**2 * xp.spread(eta * m, steps))
