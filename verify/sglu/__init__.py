"""Claims of sglu and their checks: one module for each theorem, lemma, algorithm, or table."""

CHECKS = (
    "definition_2_1",
    "lemma_3_4",
    "lemma_3_5",
    "lemma_3_6",
    "corollary_3_8",
    "claim_retrain",
    "theorem_3_11",
    "table_3",
    "algorithm_6",
    "theorem_m_1",
    "theorem_m_2",
    "equation_79",
)
