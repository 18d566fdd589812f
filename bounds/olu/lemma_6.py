"""Lemma 6 of olu: stability of minimisers under quadratic growth."""

from bounds import Plot, Statement
from bounds.olu.symbols import L, k, kappa

statement = Statement(
    "olu.lem6",
    "Lemma 6",
    "inequality",
    words="If F has quadratic growth kappa and k L-Lipschitz losses are removed from it, the "
    "minimiser moves by at most 2kL/kappa.",
    left=r"\|z^\star-\hat z^\star\|",
    symbols=(k, L, kappa),
    aliases=("olu.eq29", "olu.eq30"),
    plot=Plot("k", tuple(float(k) for k in range(1, 11)), {"L": 1.0, "kappa": 2.0}),
    quantity="distance of the minimisers",
)
statement.interpreted_as(
    "literal", "F = sum f_j with quadratic growth kappa on K, every f_j L-Lipschitz"
)


@statement.form(
    "printed", tex=r"\left\lVert z^\star-\hat z^\star\right\rVert\leq\frac{2kL}{\kappa}"
)
def printed(xp, k, L, kappa):
    """Removing k L-Lipschitz losses moves the minimiser of F at most this far, F having QG(kappa).

    The constant 2 is attained, unlike that of Lemma 5; kappa is the parameter of the whole sum F.

    Note: attained by k L |z| on [0, 2kL/kappa] when all of it is removed
    Proof: (29)-(30); attained by k L |z| when all of it is removed
    Source: olu, Lemma 6, (29)-(30)
    """
    return 2 * k * L / kappa
