"""What olu states without a formula: (41)."""

from bounds import Statement

statement = Statement(
    "olu.eq41",
    "(41)",
    "equality",
    words="In the run without u_1..u_i the map of block j < i differs from the learner's by "
    "the deletion of u_1..u_j only.",
    correction="Without tau_{i-1} <= u_i the maps of earlier requests differ too.",
)
statement.interpreted_as(
    "literal",
    "tau_{i-1} <= u_i: a loss is asked for before the next request",
    {"printed": "=="},
    proofs={"printed": "u_{j+1}..u_i have not been seen when request j is served"},
)
statement.interpreted_as(
    "any",
    "requests in any order",
    {"printed": "=="},
    stance="amended",
    fails={
        "printed": "Without τ_(i-1) ≤ u_i an earlier request has trained on a loss that is "
        "deleted later, so its map differs in the two runs by more than its own "
        "deletion: by {measured} on three quadratics, not {bound}.",
    },
)
statement.interpreted_as(
    "repaired",
    "requests in any order; distances at the last request against S_i of `active.first_order`",
    {"corrected": "<="},
    proofs={
        "corrected": "a loss asked for later adds (1 - rho^{I_1}) rho^{I_2} 2L/(mu m_j) "
        "and (1 - rho^{I_2}) 2L/(mu (m_j - j)) at every request j that saw it"
    },
    stance="amended",
)
