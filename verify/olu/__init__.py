"""Claims of olu and their checks: one module for each theorem, lemma, algorithm, or table."""

CHECKS: tuple[str, ...] = (
    "theorem_2",
    "theorem_2_proof",
    "factor_g1",
    "equation_11_15",
    "equation_16",
    "equation_17",
    "equation_18",
    "equation_19",
    "lemma_5",
    "corollary_7",
    "assumption_1",
    "table_2",
    "dp_baseline",
    "introduction",
)
