"""Hessian-free recollection of individual data statistics: one module for each theorem, lemma, or algorithm."""

FORMULAS: dict[str, str] = {}
