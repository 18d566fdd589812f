"""Section 4 of sglu: epochs of a hundred requests (Figures 3b, 3c and 3d)."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.sglu.descent import epsilon_positive
from bounds.sglu.request_epochs import Accountant, epochs
from bounds.sglu.symbols import S, b, n, sigma

_WHOLE = Requirement("a divisor of n", lambda b, n: n % b == 0)
_SYMBOLS = (n, b, sigma, epsilon_positive, S)

fractions = Formula(
    id="sglu.sec4.10pct2pct",
    label="Section 4, Figure 3b",
    left=r"\sum_{s\le S}K_s",
    symbols=_SYMBOLS,
    requires=(_WHOLE,),
)
per_request = Formula(
    id="sglu.sec4.atmost15",
    label="Section 4, Figures 3c and 3d",
    left=r"\max_{s\le S}K_s",
    symbols=_SYMBOLS,
    requires=(_WHOLE,),
)


def _over(accountant: Accountant, reduce: Callable[[Any], Any]) -> Callable[..., Array]:
    """Reduces K_1..K_S of the accountant, broadcasting over the settings."""

    def one(n: float, b: float, sigma: float, epsilon: float, S: float) -> float:
        return float(reduce(epochs(int(n), int(b), sigma, epsilon, int(S), accountant)))

    many = np.vectorize(one, otypes=[float])

    def value(n: Array, b: Array, sigma: Array, epsilon: Array, S: Array) -> Array:
        return np.asarray(many(n, b, sigma, epsilon, S))

    value.__doc__ = f"K_1..K_S by the accountant '{accountant}' of `request_epochs`, reduced."
    return value


_PRINTED = (
    r"K_s=\min\Big\{K\ge1:\min_\alpha\Big[\frac{\alpha (Z^{(s)})^2c^{2Kn/b}}{2\eta\sigma^2}"
    r"+\frac{\log n}{\alpha-1}\Big]\le\epsilon\Big\},\ Z^{(s+1)}=\min(c^{K_sn/b}Z^{(s)}+Z,2R)"
)
_RELEASED = (
    r"K_s=\min\Big\{K\ge1:\min_\alpha\Big[\frac{\alpha (Z^{(s)})^2c^{2N}}{2\eta\sigma^2G_c(N)}"
    r"+\frac{\log n}{\alpha-1}\Big]\le\epsilon\Big\},\ N=Kn/b"
)
_EXACT = r"K_s=\min\{K\ge1: Z^{(s)}c^{KJ}\le\mu^*(\epsilon,1/n)\sqrt{2\eta}\,\sigma/\sqrt{1-c^2}\}"

for _formula, _released, _reduce in (
    (fractions, "released 3b", np.sum),
    (per_request, "released 3c", np.max),
):
    _formula.form(
        "printed", tex=_PRINTED, note="Corollary 3.8, Theorem 3.11, and Proposition K.2"
    )(_over("printed", _reduce))
    _formula.form(
        "released",
        tex=_RELEASED,
        note="reproduces the authors' stored lists; the constant is not in the paper",
    )(_over(cast(Accountant, _released), _reduce))
    _formula.form("tight", tex=_EXACT, note="exact accounting; attained by quadratics")(
        _over("exact", _reduce)
    )
