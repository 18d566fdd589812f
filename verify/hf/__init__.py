"""Claims of hf and their checks: one module for each statement."""

CHECKS: tuple[str, ...] = (
    "lemma_4_1",
    "lemma_4_1_smooth",
    "lemma_4_2",
    "theorem_4_3",
    "equation_41",
    "theorem_4_3_stored",
    "theorem_4_3_constant",
    "zeta",
    "algorithm_1_clip",
    "algorithm_1_noise",
    "proof_a3",
    "proof_a4",
    "equation_3",
    "equation_4_5",
    "equation_7_8",
    "equation_9",
    "equation_10",
    "equation_11_13",
    "theorem_3_1",
)
