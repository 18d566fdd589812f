"""Claims of safe and their checks: one module for each statement."""

CHECKS: tuple[str, ...] = (
    "equation_1_3",
    "equation_4_6",
    "equation_7_9",
    "equation_10_13",
    "equation_14_16",
    "equation_27",
    "equation_28",
    "equation_30",
    "step_length",
    "path_length",
)
