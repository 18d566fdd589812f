"""Lemma A.4 of hf: excess risk of the minimiser over what is kept, U drawn without the data."""

from bounds import Hypothesis, Plot, Statement
from bounds.hf.symbols import L, lam_positive, m, n

kept = Hypothesis("m < n", lambda m, n: m < n)

statement = Statement(
    "hf.lema4",
    "Lemma A.4 (46)",
    "inequality",
    words="E F(w^{-U}) - F(w*) <= 4L^2/(lam(n - m)) for the minimiser w^{-U} over S minus U.",
    left=r"\mathbb{E}[F(\hat{\mathbf{w}}^{-U})-F(\mathbf{w}^*)]",
    symbols=(L, lam_positive, n, m),
    requires=(kept,),
    aliases=("hf.lemA4", "hf.eq46"),
    plot=Plot(
        "n", tuple(float(n) for n in range(2, 42)), {"m": 1, "L": 2.0, "lam": 1.0}, log_y=True
    ),
    quantity="expected excess risk",
    correction="L^2/(lam(n - m + 1)), and only for U independent of the data.",
)
statement.interpreted_as("literal", "on a convex W; U does not depend on the data")
statement.interpreted_as(
    "adversarial", "U is chosen after the data, as in Definition C.1", {"printed": "<="}
)


@statement.form("printed", tex=r"\frac{4L^2}{\lambda(n-m)}")
def printed(xp, L, lam, n, m):
    """The expected excess risk is at most this value, on a convex W, U independent of the data.

    Loose; it is false where U may look at the data, as Definition C.1 lets it.

    Note: four times too large
    Proof (literal): leave one out of n - m + 1 samples
    Fails (adversarial): The lemma is for sets drawn without looking at the data; Definition C.1
        lets U be chosen after them. With those m = {m} of n = {n} samples deleted that hurt most,
        the excess is {measured}, not {bound}.
    Source: hf, Lemma A.4 (46), after Shalev-Shwartz et al. 2009
    """
    return 4 * L**2 / (lam * (n - m))


@statement.form("corrected", tex=r"\frac{L^2}{\lambda(n-m+1)}")
def corrected(xp, L, lam, n, m):
    """The expected excess risk is at most this value, with N = n - m samples kept.

    Of N + 1 samples leave one out: with x the distance of the minimisers, optimality of both gives
    (N + 1) lam x^2 <= <g_i, w^{-i} - w> <= L x, so the loss left out changes by at most L^2/(lam(N
    + 1)); average over i.

    Note: leave one out of N + 1 = n - m + 1
    Proof: leave one out of n - m + 1 samples
    """
    return L**2 / (lam * (n - m + 1))


@statement.form("tight", tex=r"\frac{L^2}{\lambda(N+1)}\Big(1-\frac{1}{2(N+1)}\Big),\quad N=n-m")
def tight(xp, L, lam, n, m):
    """The expected excess risk is at most this value, with N = n - m samples kept.

    Note: the same proof without dropping lam x^2/2; best known, not known to be attained
    Proof: leave one out of n - m + 1 samples, with the strong convexity of the one left out
    """
    N = n - m
    return L**2 / (lam * (N + 1)) * (1 - 1 / (2 * (N + 1)))
