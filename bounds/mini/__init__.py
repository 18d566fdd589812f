"""Mini-Unlearning: the last k steps: one module for each statement."""

FORMULAS: dict[str, str] = {
    "mini.alg1": "bounds.mini.algorithm_1:formula",
    "mini.alg2": "bounds.mini.algorithm_2:formula",
    "mini.alg3": "bounds.mini.algorithm_3:formula",
    "mini.alg4": "bounds.mini.algorithm_4:formula",
}
