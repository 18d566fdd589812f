"""Group privacy from one Renyi order: what D_alpha <= epsilon says about k replaced points.

If D_alpha <= epsilon between neighbours, then D_(alpha/k) <= C epsilon at distance k.  For a
mechanism whose curve is known at every order `accounting.renyi.curve.group` is better, with the
exact k^2 at the same order for linear curves.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics.validation import broadcastable, integer, real, shortest

Array = NDArray[np.float64]
_UP = 1 + 2.0**-48


def group_factor(k: ArrayLike, alpha: ArrayLike) -> Array:
    """Return C_k(alpha) with D_(alpha/k)(P_0 || P_k) <= C_k(alpha) max_j D_alpha(P_j || P_(j+1)).

    C_k = 1 + (alpha - 1) (1 - (1 - 1/alpha)^(k-1))/(1 - k/alpha), alpha > k: the weak triangle
    inequality (Mironov 2017, Prop. 11) k - 1 times, every term taken at the order alpha.
    C_1 = 1; C_k <= 2k - 1 for alpha >= 2k; C_k -> k as alpha -> inf.  Arrays broadcast; rounded
    up.  Raises ValueError unless k >= 1 is whole and k < alpha < inf.
    """
    n = integer("k", k, low=1).astype(np.float64)
    a = real("alpha", alpha, low=1.0, low_open=True, high_open=True)
    broadcastable(k=n, alpha=a)
    if not (n < a).all():
        pair = np.broadcast_arrays(n, a)
        i = int(np.flatnonzero(~(pair[0] < pair[1]))[0])
        raise ValueError(
            f"alpha must be > k = {pair[0].flat[i]:g}, got {shortest(pair[1].flat[i])}"
        )
    # 1 - (1 - 1/alpha)^(k-1): the plain power would cancel at large alpha.
    paid = -np.expm1((n - 1) * np.log1p(-1 / a))
    factor: Array = (1 + (a - 1) * paid * (a / (a - n))) * _UP
    return factor[()]
