"""What olu states without a formula: (48)."""

from bounds import Statement

eq48 = Statement(
    "olu.eq48",
    "(48)",
    "inequality",
    quantity="twice the sum A",
    words="2A is at most C + D + E, the telescoping part, the gradients, and the rounds tau_i - 1.",
    correction="E carries a 2 and -mu |z - z*|^2, and has a term for i = k + 1.",
)
eq48.interpreted_as(
    "literal",
    "steps 1/(mu t); E over i = 1..k",
    {"printed": "<=", "corrected": "<="},
    proofs={"corrected": "the one-step identity, without projection an equality"},
)
