"""Online learning and unlearning: one module for each theorem, lemma, or algorithm."""

FORMULAS: dict[str, str] = {
}
