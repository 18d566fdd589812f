"""Claims of mini and their checks: one module for each statement."""
