"""Claims of sglu and their checks: one module for each theorem, lemma, algorithm, or table."""

CHECKS = (
    "definition_2_1",
    "lemma_3_4",
    "lemma_3_6",
    "claim_retrain",
    "theorem_3_11",
    "table_3",
    "algorithm_6",
    "algorithm_2",
    "theorem_l_1",
    "theorem_l_2",
    "theorem_m_1",
    "theorem_m_2",
    "equation_79",
)
