"""Lemma A.4 of hf: excess risk of the minimiser over what is kept, U drawn without the data."""

from typing import Any

from bounds.formula import Array, Formula, Requirement
from bounds.hf.symbols import L, lam_positive, m, n

kept = Requirement("m < n", lambda m, n: m < n)

formula = Formula(
    id="hf.lema4",
    label="Lemma A.4 (46)",
    left=r"\mathbb{E}[F(\hat{\mathbf{w}}^{-U})-F(\mathbf{w}^*)]",
    symbols=(L, lam_positive, n, m),
    requires=(kept,),
)


@formula.form("printed", tex=r"\frac{4L^2}{\lambda(n-m)}", note="four times too large")
def printed(L: Array, lam: Array, n: Array, m: Array) -> Array:
    """The expected excess risk is at most this value, on a convex W, U independent of the data.

    Source: hf, Lemma A.4 (46), after Shalev-Shwartz et al. 2009. Holds, loosely; false where U may
    look at the data, as Definition C.1 lets it.
    """
    return 4 * L**2 / (lam * (n - m))


@printed.expression
def _(sp: Any, L: Any, lam: Any, n: Any, m: Any) -> Any:
    return 4 * L**2 / (lam * (n - m))


@formula.form(
    "corrected", tex=r"\frac{L^2}{\lambda(n-m+1)}", note="leave one out of N + 1 = n - m + 1"
)
def corrected(L: Array, lam: Array, n: Array, m: Array) -> Array:
    """The expected excess risk is at most this value, with N = n - m samples kept.

    Of N + 1 samples leave one out: with x the distance of the minimisers, optimality of both gives
    (N + 1) lam x^2 <= <g_i, w^{-i} - w> <= L x, so the loss left out changes by at most
    L^2/(lam(N + 1)); average over i.
    """
    return L**2 / (lam * (n - m + 1))


@corrected.expression
def _(sp: Any, L: Any, lam: Any, n: Any, m: Any) -> Any:
    return L**2 / (lam * (n - m + 1))


@formula.form(
    "tight",
    tex=r"\frac{L^2}{\lambda(N+1)}\Big(1-\frac{1}{2(N+1)}\Big),\quad N=n-m",
    note="the same proof without dropping lam x^2/2; best known, not known to be attained",
)
def tight(L: Array, lam: Array, n: Array, m: Array) -> Array:
    """The expected excess risk is at most this value: strong convexity of the loss left out."""
    N = n - m
    return L**2 / (lam * (N + 1)) * (1 - 1 / (2 * (N + 1)))


@tight.expression
def _(sp: Any, L: Any, lam: Any, n: Any, m: Any) -> Any:
    N = n - m
    return L**2 / (lam * (N + 1)) * (1 - 1 / (2 * (N + 1)))
