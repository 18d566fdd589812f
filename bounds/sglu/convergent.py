"""Theorem X (iii): exact accounting of unlearning from the stationary law, shared by its forms."""

from typing import Any

import numpy as np

from accounting import closed_forms
from bounds.forms import Array
from bounds.sglu.series import kick, precise_c


def stationary_mu(
    eta: Array, m: Array, M: Array, sigma: Array, R: Array, b: Array, J: Array, K: Array, j0: Array
) -> Array:
    """Gaussian-DP parameter of K >= 1 unlearning epochs against nu_{D'}, domain of radius R."""
    return closed_forms.mu_stationary_bounded(
        1 - eta * m,
        kick(eta, M, b),
        np.sqrt(2 * eta) * sigma,
        J.astype(np.int64),
        K,
        np.minimum(2 * R, 1e150),
        j0.astype(np.int64),
        gap=eta * m,
    )


def stationary_mu_squared(
    sp: Any, eta: Any, m: Any, M: Any, sigma: Any, R: Any, b: Any, J: Any, K: Any, j0: Any
) -> Any:
    """The square of `stationary_mu` with 50 digits, from its own minimisation over the restart.

    Restarted at distance 2R after the arrival tau epochs before the end of learning, mu is
    (D c^{tau J} + Z_tau) c^{KJ} / (s sqrt(G_c((tau + K)J + J - 1 - j0))), D = 2R c^{J-1-j0}.
    """
    c = precise_c(sp, eta, m)
    quiet = J - 1 - j0
    near, Z = 2 * R * c**quiet, 2 * eta * M / b * c**quiet / (1 - c**J)

    def square(apart: Any, steps: Any) -> Any:
        total = 1 / (1 - c**2) if steps == sp.oo else (1 - c ** (2 * steps)) / (1 - c**2)
        return apart**2 * c ** (2 * K * J) / (2 * eta * sigma**2 * total)

    if near >= Z or c == 0:
        return square(sp.Min(Z, near), sp.oo)
    u = (1 - near / Z) / c ** (2 * K * J + 2 * quiet)
    real = 0 if u >= 1 else sp.log(u) / sp.log(c) / J
    candidates = [
        square(Z - (Z - near) * c ** (tau * J), (tau + K) * J + quiet)
        for tau in (sp.floor(real), sp.floor(real) + 1)
    ]
    return min(candidates)
