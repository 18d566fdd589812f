"""Claims of olu and their checks: one module for each theorem, lemma, algorithm, or table."""
