"""Claims of safe and their checks: one module for each statement."""

CHECKS: tuple[str, ...] = (
    "theorem_2_ii",
    "theorem_2_ii_constants",
    "theorem_2_ii_distances",
    "theorem_2_ii_streams",
    "theorem_2_ii_track",
    "theorem_2_ii_ogd",
    "theorem_2_i",
    "theorem_2_proof",
    "comparison",
    "ranks",
    "ablation",
    "settings",
)
