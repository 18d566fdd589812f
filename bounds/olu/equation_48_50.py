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
    fails={
        "printed": "2A doubles the products at the rounds τ_i - 1, but E has them once, and not "
        "that of round T - 1: on quadratics with steps 1/t 2A is {measured}, and the "
        "right side {bound}, 10T added to both.",
    },
)
