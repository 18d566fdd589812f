"""Claims of mini and their checks: one module for each statement."""

CHECKS: tuple[str, ...] = (
    "algorithm_1",
    "algorithm_2",
    "algorithm_3",
    "algorithm_4",
    "retraining",
    "deltagrad",
    "certified_removal",
    "removal_residual",
    "removal_step",
    "amnesiac",
    "membership",
    "table_1",
    "table_2",
    "table_3",
)
