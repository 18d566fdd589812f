"""Claims of safe and their checks: one module for each statement."""

CHECKS: tuple[str, ...] = (
    "lemma_1",
    "theorem_1",
    "theorem_1_table",
    "theorem_1_gauss",
    "theorem_1_proof",
    "definition_1",
    "perturbation",
    "theorem_2_iii",
    "deletion_distance",
)
