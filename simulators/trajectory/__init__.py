"""Learned and retrained trajectories, and the affine recursion that follows their difference.

`training`: SGD on given batches, and retraining on the same slots.  `models`: gradients and
Hessians of all samples of a batch at one point.  `recursion`: D <- (I - eta H) D + G for every
sample, or every set, at once.
"""
