"""Noisy projected descent of many trials at once.

Modules
    noisy_descent  the loop over steps: runs that share batches and noise
    plan           the settings that every such run shares, checked once
    staging        batches of data sets that differ in few rows
    batches        a partition of the rows into mini-batches
    blocks         how trials are cut into blocks
    initial        the start: one for all trials, given ones, or a random law
    result         what a run returns
"""
