"""Figure 1 of olu: the distance of the runs with and without f_u, l steps after it."""

from bounds import Edit, Plot, Statement, Symbol
from bounds.olu.symbols import L, eta, gamma

steps = Symbol("l", "steps since the deleted one", r"\ell", low=0, kind="integer")

statement = Statement(
    "olu.fig1",
    "Figure 1",
    "inequality",
    words="l steps after the deleted loss the two runs are at most gamma^l L apart.",
    left=r"\|z_{u+\ell}-z'_{u+\ell}\|",
    symbols=(gamma, eta, L, steps),
    plot=Plot("l", tuple(range(0, 16)), {"gamma": 0.5, "eta": 5.0, "L": 0.1}),
    quantity="distance of the runs with and without f_u",
    correction="eta_u L, gamma eta_u L, ..., gamma^l eta_u L.",
)
statement.interpreted_as(
    "literal",
    "projected gradient descent, L-Lipschitz losses, eta = 2/(beta + mu)",
    edits={"printed": Edit("Delta_u = eta_u L in place of L", "L", r"\eta_uL")},
)


@statement.form("printed", tex=r"\gamma^{\ell}L")
def printed(xp, gamma, L, l):  # noqa: E741
    """The distance l steps after the deleted loss, as drawn. A slip.

    Note: the step size is missing
    Fails (literal): The step size is missing: l steps after f_u the runs may be γ^l η_u L apart. At
        η = {eta}, l = {l} they are {measured} apart, where the figure has γ^l L = {bound}.
    Source: olu, Figure 1
    """
    return gamma**l * L


@statement.form("corrected", tex=r"\gamma^{\ell}\eta_uL")
def corrected(xp, gamma, eta, L, l):  # noqa: E741
    """The distance l steps after the deleted loss is at most this value.

    Note: Delta_u = eta_u L, as in (C3) and Theorem 1
    Proof: (C3) with Delta_u = eta_u L, then (C2)
    Equality: on quadratics
    """
    return gamma**l * eta * L
