"""What mini adds to runs on a path (`simulators.experiments.path_run.PathRun`).

`steps`: single steps on what stays of a batch, and eq (6).  `last_steps`: the last k steps of the
recursion.  `rewinding`: the same steps of training.  `secants`: a BFGS matrix of one pair.
`vectors`: equalities of vectors as lengths.  How far the paths part is a view of hf
(`verify.hf.views.paths`).
"""
