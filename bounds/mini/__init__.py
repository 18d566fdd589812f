"""Mini-Unlearning: the last k steps: one module for each statement."""

FORMULAS: dict[str, str] = {
}
