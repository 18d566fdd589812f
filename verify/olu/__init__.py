"""Claims of olu and their checks: one module for each theorem, lemma, algorithm, or table."""

CHECKS: tuple[str, ...] = (
    "equation_6",
    "algorithm_1",
    "conditions",
    "theorem_1",
    "figure_1",
    "corollary_1",
    "table_1",
    "shifted",
    "definition_6",
    "lemma_3_4",
    "equation_7_8",
    "lemma_b",
    "lemma_d",
)
