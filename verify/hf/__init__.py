"""Claims of hf and their checks: one module for each statement."""
