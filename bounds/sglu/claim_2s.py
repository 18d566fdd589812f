"""Appendix M of sglu: over S requests the distance grows at most linearly."""

from bounds import Plot, Statement, Symbol
from bounds.sglu.symbols import J, K, R, S, Z

c = Symbol("c", "contraction factor of one step", "c", low=0, high=1, low_open=True, unit="1")

statement = Statement(
    "sglu.claim.2s",
    "Growth over sequential requests (Appendix M)",
    "claim",
    words="The initial distance of request s grows at most linearly in s; the Rényi order of "
    "Langevin unlearning's bound grows like 2^s.",
    left=r"Z^{(S)}",
    symbols=(c, J, K, S, Z, R),
    plot=Plot(
        "S",
        tuple(float(s) for s in (1, 2, 3, 5, 8, 12, 20)),
        {"c": 0.98, "J": 4, "K": 1, "Z": 0.5, "R": 100},
        log_y=False,
    ),
    quantity="distance to the next stationary law",
    correction="The doubling is an artefact: Gaussian-DP parameters add along the requests, no "
    "order changes.",
)
statement.interpreted_as("literal", "the first law is stationary; K epochs for every request")
statement.interpreted_as(
    "order",
    "Theorem M.1 with the weak triangle inequality at p = q = 2 for every request",
    {"printed": "<="},
    stance="component",
)


@statement.form("printed", tex=r"\min(S\,Z_{\mathcal B},\,2R)")
def printed(xp, S, Z, R):
    """Before request S is served, the distance to its stationary law is at most this value.

    Note: linear growth; attained as c -> 1 (convex losses)
    Proof (literal): Theorem 3.11 and c <= 1, by induction
    Proof (order): request s calls request s - 1 at twice its order
    Source: sglu, Appendix M ("grows at most linearly in s"), from Theorem 3.11
    """
    return xp.minimum(S * Z, 2 * R)


@statement.form("tight", tex=r"\min\Big(Z\,\frac{1-c^{SKJ}}{1-c^{KJ}},\,2R\Big)")
def tight(xp, c, J, K, S, Z, R):
    """The distance before request S when every earlier one got K epochs (Theorem 3.11).

    Note: K epochs for every request; attained by quadratics (R inactive), bounded in S
    Proof: Theorem 3.11 is attained by quadratics
    """

    def summed():
        return xp.geometric(1 - c, S * K * J) / xp.geometric(1 - c, K * J)

    return xp.minimum(Z * xp.where(K > 0, summed, S), 2 * R)
