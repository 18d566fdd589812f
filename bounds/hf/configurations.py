"""What hf states without a formula: Configurations."""

from bounds import Statement

statement = Statement(
    "hf.configs",
    "Configurations",
    "table",
    words="Architectures, sample and batch sizes, epochs, step sizes, decays and clips.",
    correction="50 epochs (B.1); rho^50 >= .9999975, so that no bound of the paper decays.",
)
statement.interpreted_as(
    "parameters", "parameter counts of the described architectures", {"printed": "<="}
)
statement.interpreted_as(
    "steps", "T = epochs times ceil(n/b)", {"printed": "<="}, stance="component"
)
statement.interpreted_as(
    "twice",
    "epochs of the logistic regression in 5.1 and in B.1",
    {"printed": "<="},
    stance="component",
    fails={
        "printed": "Section 5.1 trains the logistic regression for {measured} epochs, Appendix "
        "B.1 for {bound}, and both describe the same experiments."
    },
)
statement.interpreted_as(
    "contraction",
    "logistic regression, lam = 1e-6, T = 50: the geometric terms of the bounds decay, say "
    "rho^T < 1/2",
    {"printed": "<="},
    stance="amended",
    fails={
        "printed": "With λ = {lam} and η = {eta} the slowest direction loses less than the "
        "share ηλT of its length in T = {T} steps, so that ρ^T is nearly 1 and no "
        "term with it decays."
    },
)
