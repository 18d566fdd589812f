"""Claims of olu and their checks: one module for each theorem, lemma, algorithm, or table."""

CHECKS: tuple[str, ...] = (
    "theorem_3",
    "equation_23_25",
    "equation_26_28",
    "lemma_6",
    "lemma_7",
    "lemma_8",
    "lemma_9",
)
