"""Observables that guo adds to runs of certified removal (`simulators.runs.removal_run`).

residuals  what one Newton step leaves of the gradient, and what noise of that size releases
"""
