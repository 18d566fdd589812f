"""Lemma E of olu: convergence of gradient descent with steps 2/(mu + beta)."""

from bounds import Plot, Statement, Symbol
from bounds.olu.series import power
from bounds.olu.symbols import T, beta, convexity_order, mu

r = Symbol("r", "distance at the start", r"\|w_0-w^\star\|", low=0, unit="parameter")

statement = Statement(
    "olu.leme",
    "Lemma E",
    "inequality",
    words="T gradient steps 2/(mu + beta) bring the iterate within gamma^T |w_0 - w*| of the "
    "minimiser w* of the losses.",
    left=r"\|w_T-w^\star\|_2",
    symbols=(mu, beta, T, r),
    requires=(convexity_order,),
    aliases=("olu.lemE",),
    plot=Plot("T", tuple(float(t) for t in range(1, 21)), {"mu": 1.0, "beta": 3.0, "r": 1.0}),
    quantity="|w_T - w*|",
    correction="Average the losses (or divide the step by their number).",
)
statement.interpreted_as("literal", "a step uses the average of the losses")
statement.interpreted_as("sum", "a step uses the sum whose minimiser w* is", {"printed": "<="})


@statement.form("printed", tex=r"\gamma^{T}\left\|w_{0}-w^{\star}\right\|_{2}")
def printed(xp, mu, beta, T, r):
    """After T steps on the average loss the distance to its minimiser is at most this value.

    Holds for the average of the losses; on their sum the same steps diverge.

    Note: attained by quadratics of curvature mu, and of curvature beta
    Proof (literal): the step contracts by gamma and fixes the minimiser
    Fails (sum): w* minimises a sum, and on the sum of n losses a step 2/(μ + β) is n times too
        long: for {losses} losses with μ = {mu}, β = {beta}, T = {T} the distance to w* goes from
        {r} to {measured}, not {bound}.
    Source: olu, Lemma E
    """
    return power(xp, mu, beta, T) * r


@statement.form("tight", tex=r"\gamma^{T}\|w_0-w^\star\|")
def tight(xp, mu, beta, T, r):
    """After T steps on the average loss the distance to its minimiser is at most this value.

    Note: the printed bound is attained
    Proof: equality on quadratics of curvature mu
    """
    return power(xp, mu, beta, T) * r
