"""Mini-Unlearning: the last k steps, without the rest of the gradients: one module for each theorem, lemma, or algorithm."""

FORMULAS: dict[str, str] = {}
