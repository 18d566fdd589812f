"""What olu states without a formula: Lemma B."""

from bounds import Statement

statement = Statement(
    "olu.lemb",
    "Lemma B",
    "inequality",
    words="D_alpha(h(P) || h(Q)) <= D_alpha(P || Q) for alpha >= 1 and every (random) map h.",
    aliases=("olu.lemB",),
    quantity="D_alpha after the map",
)
statement.interpreted_as(
    "literal",
    "one map for both laws",
    {"printed": "<="},
    proofs={"printed": "joint convexity of the alpha-moment of the likelihood ratio"},
)
