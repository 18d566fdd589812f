"""Claims of olu and their checks: one module for each theorem, lemma, algorithm, or table."""

CHECKS: tuple[str, ...] = (
    "theorem_3",
    "equation_23_25",
    "equation_26_28",
    "lemma_6",
    "lemma_7",
    "lemma_8",
    "lemma_9",
    "theorem_4",
    "equation_31",
    "equation_33_36",
    "theorem_5",
    "equation_38_39",
)
