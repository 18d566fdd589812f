"""Claims of safe and their checks: one module for each statement."""

CHECKS: tuple[str, ...] = (
    "lemma_1",
    "theorem_1",
    "theorem_1_gauss",
    "theorem_1_proof",
    "definition_1",
    "perturbation",
    "theorem_2_iii",
    "equation_17_19",
    "equation_20",
    "equation_21",
    "equation_22",
    "equation_23",
    "equation_24",
    "equation_25",
    "equation_26",
    "equation_27",
    "algorithm_1",
)
