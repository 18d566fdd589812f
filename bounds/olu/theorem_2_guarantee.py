"""What olu states without a formula: Theorem 2 (unlearning)."""

from bounds import Statement

statement = Statement(
    "olu.thm2.unlearn",
    "Theorem 2 (unlearning)",
    "inequality",
    words="Passive unlearning with steps 1/(mu t), u_i >= 1/2 + beta/mu and the noise of "
    "Algorithm 1 is an (alpha, alpha eps)-OLU.",
    quantity="D_alpha between the runs with and without the deleted losses",
    correction="sigma_i^2 = (2i - 1) L^2/(2 eps mu^2 (tau_i - 1)^2), and the projection after it.",
)
statement.interpreted_as(
    "literal",
    "printed is Algorithm 1's own noise, corrected the least noise; mu-strongly convex, "
    "beta-smooth, L-Lipschitz losses",
    {"printed": "<=", "corrected": "<="},
    proofs={"corrected": "shift L/(mu (tau - 1)), best allocation (own.opt)"},
    fails={
        "printed": "Steps 1/(μt) contract by 1 - 1/t and not by γ, so line 5's noise falls short"
        " by a factor that grows exponentially with τ - u. On a running mean (β = μ) "
        "it is made for a distance of {bound}, and the runs are {measured} apart.",
    },
)
