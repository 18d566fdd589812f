"""Claims of sglu and their checks: one module for each theorem, lemma, algorithm, or table."""
