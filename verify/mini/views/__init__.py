"""Observables that mini adds to runs on a path, beside those of hf that it asks for.

steps       single steps on what stays of a batch (eqs 5, 6 and 7)
last_steps  the last k steps of the recursion (Theorem 1, Algorithm 2, eqs 9 and 17)
rewinding   the same steps of training (eq 10, Algorithms 1 and 3)
secants     the BFGS matrix of one pair of points (Algorithm 4)
vectors     equalities of vectors as lengths, and which steps are the last
"""
