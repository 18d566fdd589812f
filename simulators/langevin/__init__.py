"""Langevin unlearning, its relatives, and their reference.

Modules
    unlearning         stochastic gradient Langevin unlearning and its full-batch case
    descent_to_delete  projected gradient descent with noise at publication
    retraining         retraining from scratch
    coupling           runs on different data with the same start, batches and noise
"""
