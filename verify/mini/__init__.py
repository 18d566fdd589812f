"""Claims of mini and their checks: one module for each statement."""

CHECKS: tuple[str, ...] = (
    "notation",
    "equation_1_4",
    "equation_5",
    "equation_6",
    "equation_7_8",
    "contraction",
    "equation_9_10",
    "equation_17",
    "theorem_1",
    "negligible",
    "smaller_k",
    "rewind",
    "products",
    "direct_product",
)
