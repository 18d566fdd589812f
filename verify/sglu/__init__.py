"""Claims of sglu and their checks: one module for each theorem, lemma, algorithm, or table."""

CHECKS = (
    "definition_2_1",
    "theorem_3_2",
    "lemma_3_4",
    "lemma_3_5",
    "lemma_3_6",
    "remark_3_7",
    "corollary_3_8",
    "claim_smallb",
    "claim_retrain",
    "corollary_3_9",
    "claim_swor",
    "corollary_3_10",
    "theorem_3_11",
    "corollary_3_12",
    "table_3",
    "algorithm_6",
    "theorem_m_1",
    "theorem_m_2",
    "equation_79",
)
