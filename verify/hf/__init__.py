"""Claims of hf and their checks: one module for each statement."""

CHECKS: tuple[str, ...] = (
    "equation_3",
    "definition_2_1",
    "equation_4_5",
    "equation_7_8",
    "equation_9",
    "equation_10",
    "equation_11_13",
    "hvp",
    "theorem_3_1",
    "proof_a2",
    "forget_recollections",
    "nonsmooth",
    "metrics",
    "k_users",
    "algorithm_2",
)
