"""Claims of olu and their checks: one module for each theorem, lemma, algorithm, or table."""

CHECKS: tuple[str, ...] = (
    "assumption_2",
    "algorithm_2",
    "theorem_6",
    "theorem_6_shift",
    "theorem_6_regret",
    "equation_44",
    "equation_45",
    "equation_47_50",
    "equation_51_53",
    "lemma_10",
    "equation_54_56",
    "algorithm_3",
    "equation_40",
    "equation_41_43",
    "lemma_e",
)
