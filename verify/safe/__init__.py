"""Claims of safe and their checks: one module for each statement."""
