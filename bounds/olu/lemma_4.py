"""Lemma 4 of olu: maps carry shifted divergences along."""

from typing import Any

from bounds.formula import Array, Formula
from bounds.olu.shifted import definition, deviation, distance, shift
from bounds.olu.symbols import alpha

formula = Formula(
    id="olu.lem4",
    label="Lemma 4",
    left=r"D_\alpha^{(\gamma e+s)}(\psi(X)\,\|\,\psi'(X')),"
    r"\quad X\sim N(x,s^2),\ X'\sim N(0,s^2)",
    symbols=(alpha, distance, deviation, shift),
)


@formula.form(
    "printed",
    tex=r"D_{\alpha}^{\left({e}\right)}\left({X\|X^{\prime}}\right)",
    note="evaluated on Gaussians; attained by affine maps; only psi need be Lipschitz",
)
def before(alpha: Array, x: Array, s: Array, e: Array) -> Array:
    """The shifted divergence after psi and psi' is at most this value.

    Source: olu, Lemma 4 and (10). Equality for psi = gamma x + s, psi' = gamma x.
    """
    return definition("printed", alpha=alpha, x=x, s=s, e=e)


@before.expression
def _(sp: Any, alpha: Any, x: Any, s: Any, e: Any) -> Any:
    return alpha * sp.Max(x - e, 0) ** 2 / (2 * s**2)
