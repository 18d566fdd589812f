"""Observables that our own theorems add to runs, beside those of sglu that they ask for.

separations     mu of unlearning and of retraining, exactly or as a limit from samples
hockey_sticks   laws on a line: a draw for each batch, publications together, steps in common
newton_changes  what a Newton step's residual does to the noise of certified removal
"""
