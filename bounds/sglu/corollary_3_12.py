"""Corollary 3.12 of sglu: the distance when several points are replaced at once."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bounds.formula import Array, Formula, Requirement
from bounds.sglu.series import contracted, kick, learned_distance, precise_c
from bounds.sglu.symbols import J, M, R, T, b, contractive, eta, hits, m

formula = Formula(
    id="sglu.cor3.12",
    label="Corollary 3.12",
    left=r"W_\infty(\nu_{T|\mathcal B}^{0}, \nu_{T|\mathcal B}^{0,\prime})",
    symbols=(eta, m, M, b, J, T, R, hits),
    requires=(
        contractive,
        Requirement("positions <= J - 1", lambda hits, J: max(hits) <= np.min(J) - 1),
        Requirement("at most b points a batch", lambda hits, b: max(hits.values()) <= np.min(b)),
    ),
)


@formula.form(
    "printed",
    tex=r"\min\left(\frac{1-c^{T}}{1-c}\sum_{g=0}^{G-1}c^{n/b-j_{g}-1}"
    r"\frac{2\eta MS_{j_{g}}}{b},2R\right)",
    note="the geometric series of (43) has ratio c^{n/b}, not c",
)
def printed(
    eta: Array, m: Array, M: Array, b: Array, J: Array, T: Array, R: Array, hits: Mapping[int, int]
) -> Array:
    """W-infinity after T epochs on data differing in `hits` is at most this value.

    Source: sglu, Corollary 3.12. Valid but not what (43) gives; contradicts Lemma 3.5 at S = 1.
    """
    one = np.asarray(1.0)
    epochs = learned_distance(eta, m, b / (2 * eta), b, one, T, one * 0)
    once = sum(size * kick(eta, M, b) * contracted(eta, m, J - 1 - j) for j, size in hits.items())
    return np.minimum(epochs * once, 2 * R)


@printed.expression
def _(sp: Any, eta: Any, m: Any, M: Any, b: Any, J: Any, T: Any, R: Any, hits: Any) -> Any:
    c = precise_c(sp, eta, m)
    once = sum(c ** (J - j - 1) * 2 * eta * M * size / b for j, size in hits.items())
    epochs = T if c == 1 else (1 - c**T) / (1 - c)
    return sp.Min(epochs * once, 2 * R)


@formula.form(
    "corrected",
    tex=r"\min\left(\frac{1-c^{Tn/b}}{1-c^{n/b}}\sum_{g=0}^{G-1}c^{n/b-j_{g}-1}"
    r"\frac{2\eta MS_{j_{g}}}{b},2R\right)",
    note="the sum of Lemma 3.5 over the replaced points; attained by quadratics",
)
def corrected(
    eta: Array, m: Array, M: Array, b: Array, J: Array, T: Array, R: Array, hits: Mapping[int, int]
) -> Array:
    """W-infinity after T epochs is at most this value, with equality for quadratics, R inactive."""
    total = sum(
        size * learned_distance(eta, m, M, b, J, T, np.asarray(float(j)))
        for j, size in hits.items()
    )
    return np.minimum(total, 2 * R)


@corrected.expression
def _(sp: Any, eta: Any, m: Any, M: Any, b: Any, J: Any, T: Any, R: Any, hits: Any) -> Any:
    c = precise_c(sp, eta, m)
    once = sum(c ** (J - j - 1) * 2 * eta * M * size / b for j, size in hits.items())
    epochs = T if c == 1 else (1 - c ** (T * J)) / (1 - c**J)
    return sp.Min(epochs * once, 2 * R)
