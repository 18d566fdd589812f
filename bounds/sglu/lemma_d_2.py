"""What sglu states without a formula: Lemma D.2."""

from bounds import Statement

statement = Statement(
    "sglu.lemd.2",
    "Lemma D.2",
    "inequality",
    words="Applying the same (random) map to both laws does not increase D_alpha, alpha >= 1.",
    aliases=("sglu.lemD.2",),
    quantity="D_alpha after the map",
)
statement.interpreted_as(
    "literal",
    "any kernel shared by both laws",
    {"printed": "<="},
    proofs={"printed": "joint convexity of the alpha-moment of the likelihood ratio"},
)
