"""Claims of hf and their checks: one module for each statement."""

CHECKS: tuple[str, ...] = (
    "lemma_4_1",
    "lemma_4_1_smooth",
    "lemma_4_2",
    "theorem_4_3",
    "equation_41",
)
