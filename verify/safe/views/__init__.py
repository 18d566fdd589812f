"""What safe's claims speak of in runs of SAFE, as views, one module a subject.

`cells` (Theorem 1's proof, Lemma 1), `gradients` (eqs 14 to 25), `directions` (Theorem 2's proof),
`noise` (least noise), `descent` (projected descent instead), `mean` (SAFE on the mean of the rows).
"""
