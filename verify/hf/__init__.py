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
)
