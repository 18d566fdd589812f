"""Observables that hf adds to runs on a path (`simulators.runs.path_run`).

paths          how far the two paths part (Lemma 4.1)
steps          remainders and factors of single steps (eqs 7 and 8, Lemma 4.2)
minima         the minimisers that other views measure from
optima         distances from them (Lemma A.5)
one_shots      the Newton step and the jackknife at them (eqs 17 and 18)
recollections  the recursion's vectors, and what they leave (Theorems 3.1 and 4.3)
row_vectors    those of one row, where Hessians are equal (eq 10, Algorithm 2)
clips          norms after the clip (Algorithm 1)
releases       noise of the unlearned model (Definition 2.1, Algorithm 1)
population     excess risk over samples of the rows (Theorem 4.5)
labels         the same of signs (Lemma A.4, Theorem C.3)
"""
