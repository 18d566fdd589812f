"""What olu states without a formula: (6)."""

from bounds import Edit, Statement

statement = Statement(
    "olu.eq6",
    "(6)",
    "algorithm",
    quantity="variance that a request adds",
    words="g_t^R = rho_t o h_t o g_t with h_t(x) = x for all t < T; rho_t adds N(0, sigma_i^2) "
    "at t = tau_i and nothing else.",
    correction="t <= T; and the projection after rho_t (see Theorem 1).",
)
statement.interpreted_as(
    "literal",
    "a request may come at any t <= T",
    {"printed": "<=", "corrected": "<="},
    proofs={"corrected": "independent noise adds its variance to the law of the iterate"},
    edits={"printed": Edit("t <= T in place of t < T", "t < T", "t <= T")},
    fails={
        "printed": "h_t(x) = x is stated for t < T only, while a request may come at t = T: the "
        "unlearning map of the last round is then not defined.",
    },
)
