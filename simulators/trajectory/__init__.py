"""Learned and retrained trajectories, and the affine recursion that follows their difference.

`training`: SGD on given batches, and retraining on the same slots.  `models`, `generic`: gradients
and Hessians of all samples of a batch at one point.  `recursion`: D <- (I - eta H) D + G for every
sample, or every set, at once; `gram`, `explicit`, `adjoint`: equivalent ways to it, `variants` the
cheapest by the counts of `operations`.  `recollection`: the statistics of all samples, kept.
`mini`, `rewind`, `deltagrad`, `amnesiac`, `newton`, `removal`, `tuning`: unlearning methods.
`membership`: attacks and their controls.
"""
