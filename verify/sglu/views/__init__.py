"""Observables that sglu adds to runs.

paths               distances of coupled paths (Lemmas 3.5 and 3.6, Appendices H to J)
stationary          exact laws from the stationary one (Corollary 3.9, Appendix D)
learning            exact laws of learning alone (Lemma 3.4, Theorem M.2)
samples             unlearning against retraining, by samples where no law is known (Theorem 3.2)
least               the least noise, the fewest epochs, and what unlearning saves (Algorithms 4, 5)
requests            several requests in sequence (Theorem 3.11, Algorithm 6)
places              a row whose batch is drawn (Lemma G.1)
descent_to_delete   Descent to Delete (Algorithms 2 and 3, Theorems L.1 and L.2)
exact               how the other modules mark what an exact law shows
"""
