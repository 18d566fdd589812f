"""Lemma 4 of olu: maps carry shifted divergences along."""

import numpy as np

from bounds import Plot, Statement
from bounds.olu.shifted import deviation, distance, shift
from bounds.olu.symbols import alpha

statement = Statement(
    "olu.lem4",
    "Lemma 4",
    "inequality",
    words="D_alpha^(gamma e + s)(psi(X) || psi'(X')) <= D_alpha^(e)(X || X').",
    left=r"D_\alpha^{(\gamma e+s)}(\psi(X)\,\|\,\psi'(X')),"
    r"\quad X\sim N(x,s^2),\ X'\sim N(0,s^2)",
    symbols=(alpha, distance, deviation, shift),
    aliases=("olu.eq10",),
    plot=Plot(
        "e", tuple(np.linspace(0, 2, 21).tolist()), {"alpha": 2.0, "x": 2.0, "s": 1.0}, log_y=False
    ),
    quantity="shifted divergence after the maps",
)
statement.interpreted_as("literal", "psi and psi' gamma-Lipschitz, sup |psi - psi'| <= s")
statement.interpreted_as(
    "general",
    "psi c-Lipschitz, c > 1 allowed; psi' any map with sup |psi - psi'| <= s",
    stance="amended",
)


@statement.form("printed", tex=r"D_{\alpha}^{\left({e}\right)}\left({X\|X^{\prime}}\right)")
def before(xp, alpha, x, s, e):
    """The shifted divergence after psi and psi' is at most this value.

    Note: evaluated on Gaussians; attained by affine maps; only psi need be Lipschitz
    Proof (literal): data processing under psi' and the triangle inequality (10)
    Proof (general): the proof uses the Lipschitz constant of psi only
    Equality: psi = gamma x + s, psi' = gamma x
    Source: olu, Lemma 4 and (10)
    """
    return alpha * xp.maximum(x - e, 0) ** 2 / (2 * s**2)
