"""What hf adds to runs on a path (`simulators.experiments.path_run.PathRun`).

`paths`: how far the two paths part.  `steps`: remainders and factors of single steps.
`minima`: the minimisers that other views measure from.  `optima`: distances from them.
`one_shots`: statistics at them.  `recollections`: the recursion's vectors and what they leave.
`row_vectors`: those of one row, in closed form.  `clips`: norms after the clip.  `releases`: noise
of the unlearned model.  `population`: excess risk over samples of the rows.  `labels`: the same of
signs.
"""
