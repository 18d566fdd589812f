"""What olu states without a formula: Definition 6."""

from bounds import Statement

statement = Statement(
    "olu.def6",
    "Definition 6",
    "definition",
    words="A contractive noisy iteration is X_{t+1} = psi_{t+1}(X_t) + xi_{t+1} with "
    "contractions psi and independent noise xi.",
)
statement.interpreted_as(
    "literal",
    "online descent on quadratics, noise at the requests only; a skip is the identity",
    {"printed": "=="},
)
