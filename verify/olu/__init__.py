"""Claims of olu and their checks: one module for each theorem, lemma, algorithm, or table."""

CHECKS: tuple[str, ...] = (
    "assumption_2",
    "algorithm_2",
    "theorem_6",
    "theorem_6_shift",
    "equation_40",
    "equation_41_43",
    "lemma_e",
)
