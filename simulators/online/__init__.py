"""Online learners that must forget: streams of losses, deletions, learners, and their regret.

`streams` (with `quadratics`, `rows`, `linear`, `adversarial`) are the losses, `deletions` the
requests, `learners` the algorithms of paper `olu` as parameters of one loop (`loop.run`),
`comparators` the moving comparator of its eq (5), `leader` the learner that plays the minimiser of
what is kept.  Rounds count from 1, as in the paper.
"""
