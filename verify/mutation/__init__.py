"""Deliberate errors in shipped formulas and accountants, which the checks must notice."""
