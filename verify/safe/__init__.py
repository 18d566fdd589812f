"""Claims of safe and their checks: one module for each statement."""

CHECKS: tuple[str, ...] = (
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
