"""Lemma 3.4 of sglu: privacy amplification by iteration for contractive noisy iterations."""

from bounds import Plot, Statement, Symbol
from bounds.sglu.symbols import alpha

Z = Symbol("Z", "W-infinity distance of the initial laws", "Z", low=0, unit="parameter")
s2 = Symbol(
    "s2", "variance of the noise of one step", r"\sigma^2", low=0, low_open=True, unit="parameter^2"
)
c = Symbol("c", "contraction factor of every map", "c", low=0, high=1, unit="1")
K = Symbol("K", "number of steps", "K", low=1, kind="integer")

statement = Statement(
    "sglu.lem3.4",
    "Lemma 3.4",
    "inequality",
    words="Two noisy contractions with the same maps, started Z apart, end within Rényi "
    "divergence alpha Z^2 c^{2K} / (2 sigma^2), or alpha Z^2 / (2 sigma^2 K) when c = 1.",
    left=r"D_\alpha(X_K \,\|\, X'_K)",
    symbols=(alpha, Z, s2, c, K),
    plot=Plot("K", tuple(map(float, range(1, 61))), {"alpha": 2, "Z": 1, "s2": 1, "c": 0.95}),
    quantity="D_alpha(X_K || X'_K)",
    correction="Divide by G_c(K) = (1 - c^{2K})/(1 - c^2); the bound is then continuous at c = 1.",
)
statement.interpreted_as(
    "literal", "c-Lipschitz maps shared by both chains, independent Gaussian noise of variance s2"
)


@statement.form(
    "printed",
    tex=r"\frac{\alpha Z^2}{2\sigma^2}\cdot\begin{cases}c^{2K} & c<1\\ 1/K & c=1\end{cases}",
)
def printed(xp, alpha, Z, s2, c, K):
    """D_alpha(X_K || X'_K) is at most this value for contractions shared by both chains.

    Loose by G_c(K) = (1 - c^{2K})/(1 - c^2) in [1, K].

    Note: puts the whole shift into the last step; discontinuous at c = 1
    Proof: all of the shift in the last step
    Source: sglu, Lemma 3.4
    """
    return alpha * Z**2 / (2 * s2) * xp.where(c < 1, c ** (2 * K), 1 / K)


@statement.form(
    "tight",
    tex=r"\frac{\alpha Z^2}{2\sigma^2}\cdot\frac{c^{2K}}{G_c(K)},\quad G_c(K)=\sum_{i<K}c^{2i}",
)
def tight(xp, alpha, Z, s2, c, K):
    """D_alpha(X_K || X'_K) is at most this value for contractions shared by both chains.

    The optimal allocation is a_k = c^{K-k} c^K Z / G_c(K).

    Note: attained by x -> c x started from two points at distance Z
    Proof: shift reduction, optimal allocation by Cauchy-Schwarz
    """
    return alpha * Z**2 / (2 * s2) * c ** (2 * K) / xp.spread(1 - c, K)
